import GLibBridge
import ModemModel

extension QMIBackend {
  /// Allocates a client id in a service (CTL Allocate CID).
  ///
  /// A caller that gives up leaves at once. The modem's answer is awaited all the same, and the id given back: it would be lost in
  /// the modem until its reset.
  func allocateClient(_ service: QMIService, in opened: OpenDevice) async throws(ModemError) -> QMIClient {
    let number = clients.newAllocation()
    clients.allocations[number]?.task = Task { await finishAllocation(number, service, opened) }
    let result: Result<QMIClient, ModemError>
    do throws(GLibBridgeError) {
      result = try await glib.expect(of: commands) { caller in clients.allocations[number]?.caller = caller }
    } catch {
      giveUp(number, in: opened)
      throw ModemError(error, during: "allocate client", removed: isRemoved)
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
      let client = try await requestClient(service, in: opened)
      clients.add(client)
      ledger?.write(clients.held.union(clients.left))
      result = .success(client)
    } catch {
      result = .failure(error)
    }
    if let caller = clients.allocations[number]?.caller {
      clients.allocations[number]?.client = try? result.get()
      caller.fulfil(result)
    } else {
      if case .success(let client) = result {
        await release(client, in: opened, within: configuration.limits.close)
      }
      clients.allocations[number] = nil
    }
  }

  private func requestClient(_ service: QMIService, in opened: OpenDevice) async throws(ModemError) -> QMIClient {
    let reply = try await send(
      "allocate client", QMIRequest(0x22).with(0x01, byte: service.rawValue), as: .control, to: opened, in: nil,
      within: configuration.limits.query)
    try reply.check()
    let (answered, id) = try reply.require(0x01) { field throws(FieldReader.Short) in (try field.u8(), try field.u8()) }
    guard answered == service.rawValue, (1...254).contains(id) else {
      throw ModemError(.badReply, "allocate client: the modem gave a client id that there is not")
    }
    let client = QMIClient(service: service, id: id)
    guard !clients.held.contains(client) else {
      throw ModemError(.badReply, "allocate client: the modem gave a client id twice")
    }
    // An id that was left may have been given anew.
    clients.remove(client)
    return client
  }

  /// Gives a client id back (CTL Release CID). A bearer that it started ends with it.
  /// - Returns: Whether the modem answered, whatever it said: an id that it does not know is not held any more.
  @discardableResult
  func release(_ client: QMIClient, in opened: OpenDevice, within limit: Duration) async -> Bool {
    let request = QMIRequest(0x23).with(0x01, [client.service.rawValue, client.id])
    let reply = try? await send("release client", request, as: .control, to: opened, in: nil, within: limit)
    guard reply != nil else { return false }
    clients.remove(client)
    ledger?.write(clients.held.union(clients.left))
    return true
  }

  /// Gives back what a backend that was killed has left in the modem. Refusals do not matter; a modem that does not answer will
  /// not answer what follows, either.
  func releaseLeftClients(in opened: OpenDevice) async {
    let left = ledger?.left() ?? []
    clients.add(left: left)
    for client in left {
      guard await release(client, in: opened, within: configuration.limits.query) else { return }
    }
  }

  /// Gives back every client id, those included that the modem has yet to allocate.
  func releaseAllClients(in opened: OpenDevice, until end: SuspendingClock.Instant) async {
    while let task = clients.allocations.values.lazy.compactMap(\.task).first {
      await task.value
      clients.allocations = clients.allocations.filter { $0.value.task != task }
    }
    for client in clients.held {
      guard await release(client, in: opened, within: max(end - .now, .zero)) else { return }
    }
  }
}
