import CQMI
import ControlChannel
import GLibBridge
import LimitClock
import ModemModel

/// Client ids. A modem has few of them, and keeps those that are not released until it is reset.
extension QMIBackend {
  /// Allocates a client id in a service (CTL Allocate CID).
  ///
  /// A caller that gives up leaves at once. The backend still waits for the modem's answer and
  /// releases the id, which would otherwise be lost until the modem's reset.
  func allocateClient(_ service: QMIService, in opened: OpenDevice) async throws(ModemError) -> QMIClient {
    let number = clients.newAllocation(service)
    clients.allocations[number]?.task = Task { await finishAllocation(number, service, opened) }
    let result: Result<QMIClient, ModemError>
    do throws(GLibBridgeError) {
      result = try await glib.expect(of: commands) { caller in clients.allocations[number]?.caller = caller }
    } catch {
      giveUp(number, in: opened)
      throw failure(error, during: "allocate client")
    }
    clients.allocations[number] = nil
    return try result.get()
  }

  private func giveUp(_ number: Int, in opened: OpenDevice) {
    if let client = clients.allocations[number]?.client {
      clients.allocations[number]?.task = Task {
        await release(client, in: opened, within: configuration.limits.close)
        clients.allocations[number] = nil
      }
    } else {
      clients.allocations[number]?.caller = nil
    }
  }

  private func finishAllocation(_ number: Int, _ service: QMIService, _ opened: OpenDevice) async {
    let result: Result<QMIClient, ModemError>
    do throws(ModemError) {
      result = .success(try await obtainClient(service, in: opened))
    } catch {
      result = .failure(error)
    }
    clients.allocations[number]?.isOver = true
    if let caller = clients.allocations[number]?.caller {
      clients.allocations[number]?.client = try? result.get()
      noteClients()
      caller.fulfil(result)
    } else {
      if case .success(let client) = result {
        clients.allocations[number]?.client = client
        await release(client, in: opened, within: configuration.limits.close)
      }
      clients.allocations[number] = nil
      noteClients()
    }
  }

  /// Requests a client id, after a cleanup if one is due: an id must not be released while it may
  /// be allocated again.
  private func obtainClient(_ service: QMIService, in opened: OpenDevice) async throws(ModemError) -> QMIClient {
    await tidying?.value
    // While the port opens, this has just been tried.
    if case .open = port, clients.needsTidying, isOnlyAllocation { await tidy(in: opened) }
    noteClients()
    let first = try await requestClient(service, in: opened)
    if let client = first { return client }
    // The ids may belong to a killed program, and stay allocated until the modem's reset. A program
    // that has the port to itself may free them.
    if !configuration.usesProxy, isOnlyAllocation {
      clients.doubt(service)
      await tidy(in: opened)
      if let client = try await requestClient(service, in: opened) { return client }
    }
    throw ModemError(QMI_PROTOCOL_ERROR_CLIENT_IDS_EXHAUSTED, during: "allocate client")
  }

  /// - Returns: Nil if the modem has no free id.
  private func requestClient(_ service: QMIService, in opened: OpenDevice) async throws(ModemError) -> QMIClient? {
    do throws(ModemError) {
      let reply = try await send(
        "allocate client", QMIRequest(0x22).with(0x01, byte: service.rawValue), as: .control, to: opened, in: control,
        within: configuration.limits.query)
      if try reply.refusal == QMI_PROTOCOL_ERROR_CLIENT_IDS_EXHAUSTED { return nil }
      try reply.check()
      let (answered, id) = try reply.require(0x01) { field throws(FieldReader.Short) in
        (try field.u8(), try field.u8())
      }
      guard answered == service.rawValue, (1...254).contains(id) else {
        throw ModemError(.badReply, "allocate client: the modem gave an invalid client id")
      }
      let client = QMIClient(service: service, id: id)
      guard !clients.held.contains(client) else {
        throw ModemError(.badReply, "allocate client: the modem gave a client id twice")
      }
      clients.add(client)
      return client
    } catch {
      switch error.code {
      // The modem may have allocated one anyway. A modem that hangs up may not be gone, so the
      // ledger keeps the id.
      case .timeout, .badReply, .cancelled, .removed: clients.doubt(service)
      default: break
      }
      if case .removed = port {} else { tidyLater(in: opened) }
      throw error
    }
  }

  // MARK: Giving back

  /// Releases a client id (CTL Release CID). A bearer that it started ends with it.
  ///
  /// An id whose release is not answered is no longer used, and is released again later.
  /// - Returns: Whether the modem answered at all: an id that it does not know is no longer held.
  @discardableResult
  func release(_ client: QMIClient, in opened: OpenDevice, within limit: Duration) async -> Bool {
    clients.leave(client)
    let isReleased = await requestRelease(client, in: opened, within: limit)
    if isReleased {
      clients.remove(client)
    } else {
      tidyLater(in: opened)
    }
    noteClients()
    return isReleased
  }

  private func requestRelease(_ client: QMIClient, in opened: OpenDevice, within limit: Duration) async -> Bool {
    let request = QMIRequest(0x23).with(0x01, [client.service.rawValue, client.id])
    return (try? await send("release client", request, as: .control, to: opened, in: control, within: limit)) != nil
  }

  // MARK: Tidying

  /// Finds the ids that a killed backend left in the modem, and releases them.
  func releaseLeftClients(in opened: OpenDevice) async {
    if let left = ledger?.left() { clients.add(left) }
    if clients.needsTidying { await tidy(in: opened) }
  }

  /// Releases the ids that are left. Refusals do not matter. A modem that does not answer will not
  /// answer the next commands either. It is asked again with the next client id, when the port is
  /// closed, and when it is opened again.
  ///
  /// An unknown id is found by releasing every id of its service that is not held. Only a program
  /// with the port to itself may do that: behind qmi-proxy, the ids belong to other programs.
  func tidy(in opened: OpenDevice, until end: LimitClock.Instant? = nil) async {
    if let tidying { return await tidying.value }
    let task = Task { await giveBackLeft(in: opened, until: end) }
    tidying = task
    await task.value
    tidying = nil
    noteClients()
  }

  private func giveBackLeft(in opened: OpenDevice, until end: LimitClock.Instant?) async {
    func limit() -> Duration { end.map { max($0 - clock.now, .zero) } ?? configuration.limits.query }
    for client in clients.left {
      guard await requestRelease(client, in: opened, within: limit()) else { return }
      clients.remove(client)
    }
    for service in clients.doubtful {
      if !configuration.usesProxy {
        for id in UInt8(1)...254 {
          let client = QMIClient(service: service, id: id)
          guard !clients.held.contains(client) else { continue }
          guard await requestRelease(client, in: opened, within: limit()) else { return }
        }
      }
      clients.settle(service)
    }
  }

  /// Cleans up in the background, once no id is being requested, and again later if the modem does
  /// not answer.
  private func tidyLater(in opened: OpenDevice) {
    guard case .open = port, laterTidying == nil else { return }
    laterTidying = Task {
      for delay in Self.tidyingDelays {
        try? await clock.pause(for: delay)
        while let task = clients.underWay.lazy.compactMap(\.task).first { await task.value }
        guard case .open = port, !Task.isCancelled, clients.needsTidying else { break }
        await tidy(in: opened)
        if !clients.needsTidying { break }
      }
      if !Task.isCancelled { laterTidying = nil }
    }
  }

  private static let tidyingDelays: [Duration] = [.zero, .seconds(1), .seconds(5), .seconds(30), .seconds(120)]

  /// Whether this request for an id is the only one: its own command has not been sent yet.
  private var isOnlyAllocation: Bool { clients.underWay.count == 1 }

  /// Updates the ledger.
  func noteClients() {
    guard !port.isRemoved else { return }
    ledger?.write(clients.inModem, doubtful: clients.asked)
  }

  /// Releases every client id, including those that the modem has yet to allocate.
  func releaseAllClients(in opened: OpenDevice, until end: LimitClock.Instant) async {
    while let task = clients.allocations.values.lazy.compactMap(\.task).first {
      await task.value
      clients.allocations = clients.allocations.filter { $0.value.task != task }
    }
    clients.leaveAll()
    await tidying?.value
    if clients.needsTidying { await tidy(in: opened, until: end) }
  }
}
