import CQMI
import ControlChannel
import GLibBridge
import LimitClock
import ModemModel

/// A data session: one address family of a bearer, with its own client id. It ends when the client
/// id is released.
struct DataSession: Sendable {
  enum Family: UInt8, Sendable {
    case ipv4 = 4
    case ipv6 = 6
  }

  let client: QMIClient
  let family: Family
  /// The modem's handle for it; nil for a session that was already active.
  let handle: UInt32?
}

extension QMIBackend {
  /// Starts a data session for each requested address family; one of two is enough.
  package func connect(_ request: BearerRequest) async throws(ModemError) -> BearerSettings {
    let opened = try openDevice(for: "connect")
    let earlier: [DataSession]
    switch bearer {
    case .down: earlier = []
    case .up(let sessions): earlier = sessions
    case .connecting, .disconnecting:
      throw ModemError(.busy, "connect: the bearer is being connected or disconnected already; try again")
    }
    bearer = .connecting
    reports.endedSessions = [:]
    await endSessions(earlier, in: opened)
    do throws(ModemError) {
      let started = try await start(request, in: opened)
      let (sessions, settings) = confirmed(started)
      guard case .open = port, case .connecting = bearer, !sessions.isEmpty else {
        abandon(started.map(\.session))
        throw interrupted(started.map(\.session.client))
      }
      bearer = .up(sessions)
      return BearerSettings(settings)
    } catch {
      if case .connecting = bearer { bearer = .down }
      throw error
    }
  }

  private typealias StartedSession = (session: DataSession, settings: CurrentSettings)

  /// Starts the sessions one after the other, because some firmware cannot start two at a time.
  private func start(
    _ request: BearerRequest, in opened: OpenDevice
  ) async throws(ModemError) -> [StartedSession] {
    let end = clock.now + configuration.limits.connect
    var started: [StartedSession] = []
    var failures: [ModemError] = []
    for family in request.ipType.families {
      do throws(ModemError) {
        let isFirst = started.isEmpty && failures.isEmpty
        started.append(try await startSession(family, request, isFirst: isFirst, in: opened, until: end))
      } catch {
        guard error.isOfOneFamily else {
          abandon(started.map(\.session))
          throw error
        }
        failures.append(error)
      }
    }
    // A failure with a cause is more useful than one without.
    if started.isEmpty, let failure = failures.first(where: { $0.networkCause != nil }) ?? failures.first {
      throw failure
    }
    return started
  }

  private func startSession(
    _ family: DataSession.Family, _ request: BearerRequest, isFirst: Bool, in opened: OpenDevice,
    until end: LimitClock.Instant
  ) async throws(ModemError) -> StartedSession {
    let client = try await allocateClient(.wds, in: opened)
    do throws(ModemError) {
      try await bindDataPort(as: client, in: opened)
      // Old firmware does not support it, but Start Network also gives the family.
      _ = try await send(
        "IP family", QMIRequest(0x4d).with(0x01, byte: family.rawValue), as: client, to: opened, in: commands,
        within: configuration.limits.query)
      // Firmware without families would report the first session as active to the second one. A
      // multiplexing id belongs to this program alone.
      if isFirst, multiplexing == nil { try await requireFreePort(as: client, in: opened) }
      let handle = try await startNetwork(family, request, as: client, in: opened, within: max(end - clock.now, .zero))
      let session = DataSession(client: client, family: family, handle: handle)
      guard let settings = try await currentSettings(of: session, in: opened) else {
        throw ModemError(.noAddress, "connect: the network accepted the bearer and gave it no address")
      }
      return (session, settings)
    } catch {
      abandon([DataSession(client: client, family: family, handle: nil)])
      throw error
    }
  }

  /// Makes sure that no other program's session is active on the data port (WDS Get Packet Service
  /// Status). Such a session is left alone.
  private func requireFreePort(as client: QMIClient, in opened: OpenDevice) async throws(ModemError) {
    let reply = try await send(
      "session state", QMIRequest(0x22), as: client, to: opened, in: commands, within: configuration.limits.query)
    // Old firmware does not support the command.
    guard try reply.refusal == nil else { return }
    let state = try reply.require(0x01) { field throws(FieldReader.Short) in try field.u8() }
    // 1 is disconnected; connected, suspended and authenticating are not.
    guard (2...4).contains(state) else { return }
    throw ModemError(
      .busy,
      "connect: the modem's data session is active and another program (ModemManager?) began it; end it there, or use it "
        + "(`sharing` set to follow)")
  }

  /// Starts a data session (WDS Start Network).
  /// - Returns: Its handle; nil if the client already had a session.
  private func startNetwork(
    _ family: DataSession.Family, _ request: BearerRequest, as client: QMIClient, in opened: OpenDevice,
    within limit: Duration
  ) async throws(ModemError) -> UInt32? {
    let message = QMIRequest(0x20)
      .with(0x14, request.apn.map { Array($0.utf8) })
      .with(0x16, request.authentication.qmi.map { [$0] })
      .with(0x17, request.user.map { Array($0.utf8) })
      .with(0x18, request.password.map { Array($0.revealed.utf8) })
      .with(0x19, byte: family.rawValue)
    let reply = try await send("connect", message, as: client, to: opened, in: commands, within: limit)
    let refusal = try reply.refusal
    if let refusal, refusal != QMI_PROTOCOL_ERROR_NO_EFFECT {
      guard let cause = try reply.callEnd() else { throw ModemError(refusal, during: "connect") }
      throw refused(cause)
    }
    let handle = try reply.read(0x01) { field throws(FieldReader.Short) in try field.u32() }
    guard refusal != nil || handle != nil else {
      throw ModemError(.badReply, "connect: the modem gave the session no handle")
    }
    return handle
  }

  /// Leaves out the sessions that have ended since they were started.
  private func confirmed(_ started: [StartedSession]) -> (sessions: [DataSession], settings: [CurrentSettings]) {
    let ended = started.filter { reports.endedSessions.keys.contains($0.session.client) }
    let left = started.filter { !reports.endedSessions.keys.contains($0.session.client) }
    if !left.isEmpty { abandon(ended.map(\.session)) }
    return (left.map(\.session), left.map(\.settings))
  }

  private func interrupted(_ started: [QMIClient]) -> ModemError {
    guard case .open = port else { return port.unusable(during: "connect") }
    guard case .connecting = bearer else {
      return ModemError(.failed, "connect: the modem was reset meanwhile; open it again")
    }
    return refused(started.lazy.compactMap { self.reports.endedSessions[$0] ?? nil }.first)
  }

  /// Ends sessions by releasing their client ids, even if the caller gives up.
  private func endSessions(_ sessions: [DataSession], in opened: OpenDevice) async {
    await Task {
      for session in sessions where clients.held.contains(session.client) {
        await release(session.client, in: opened, within: configuration.limits.query)
      }
    }.value
  }

  /// Like `endSessions`, in the background for a caller that no longer needs them.
  func abandon(_ sessions: [DataSession]) {
    switch port {
    case .open(let opened): Task { await endSessions(sessions, in: opened) }
    // The code that closes the port releases all client ids.
    case .unopened, .opening, .closing, .closed, .removed: break
    }
  }

  package func disconnect() async throws(ModemError) {
    guard case .up(var sessions) = bearer else {
      if case .down = bearer { return }
      throw ModemError(.busy, "disconnect: the bearer is being connected or disconnected already; try again")
    }
    let opened = try openDevice(for: "disconnect")
    let end = clock.now + configuration.limits.disconnect
    bearer = .disconnecting
    do throws(ModemError) {
      while let session = sessions.first {
        try await stop(session, in: opened, queue: commands, within: max(end - clock.now, .zero))
        sessions.removeFirst()
        await endSessions([session], in: opened)
      }
      bearer = .down
    } catch {
      // It may still exist, so the caller can try again.
      if case .disconnecting = bearer, case .open = port { bearer = .up(sessions) } else { bearer = .down }
      throw error
    }
  }

  /// Ends a data session (WDS Stop Network). One that the modem does not know has already ended.
  func stop(
    _ session: DataSession, in opened: OpenDevice, queue: GLibCallQueue?, within limit: Duration
  ) async throws(ModemError) {
    guard let handle = session.handle else { return }
    _ = try await send(
      "disconnect", QMIRequest(0x21).with(0x01, word: handle), as: session.client, to: opened, in: queue, within: limit)
  }

  private func refused(_ cause: NetworkCause?) -> ModemError {
    ModemError(
      .refused, "connect: the network refused the bearer; check access point name, user and password",
      networkCause: cause, cause: cause?.description)
  }
}

extension ModemError {
  /// Whether another address family may come up although this one did not.
  fileprivate var isOfOneFamily: Bool {
    switch code {
    case .cancelled, .removed, .deviceUnavailable, .busy, .noSession: false
    default: true
    }
  }
}

extension BearerRequest.IPType {
  fileprivate var families: [DataSession.Family] {
    switch self {
    case .ipv4: [.ipv4]
    case .ipv6: [.ipv6]
    case .ipv4v6: [.ipv4, .ipv6]
    }
  }
}

extension BearerRequest.Authentication {
  /// The bits of the authentication preference: 1 PAP, 2 CHAP. Nil leaves it to the modem's
  /// profile.
  fileprivate var qmi: UInt8? {
    switch self {
    case .none: nil
    case .pap: 1
    // MS-CHAP v2 uses CHAP's protocol number; QMI has no bit of its own for it.
    case .chap, .mschapv2: 2
    }
  }
}
