import CQMI
import GLibBridge
import ModemModel

/// A data call of one address family. It lives as long as its client id.
struct NetworkSession: Sendable {
  let client: QMIClient
  /// The modem's handle of the call.
  let handle: UInt32
  let connection: GLibSignalConnection
}

extension QMIBackend {
  /// Starts one session for each address family that is asked for (WDS Start Network). One that works is enough.
  public func connect(_ request: BearerRequest) async throws(ModemError) -> BearerSettings {
    let opened = try openDevice(for: "connect")
    switch bearer {
    case .down: break
    case .up: try await disconnect()
    case .connecting, .disconnecting:
      throw ModemError(.busy, "connect: the bearer is being connected or disconnected already; try again")
    }
    bearer = .connecting
    endedEarly = [:]
    do throws(ModemError) {
      try await startSessions(request, opened)
      let settings = try await firstSettings()
      guard case .open = port else { throw unusable(during: "connect") }
      guard case .connecting = bearer else {
        throw ModemError(.failed, "connect: the modem was reset meanwhile; open it anew")
      }
      guard !sessions.isEmpty else { throw Self.refused(endedEarly.values.compactMap { $0 }.first) }
      bearer = .up
      return settings
    } catch {
      await endSessions(within: configuration.limits.close)
      if case .connecting = bearer { bearer = .down }
      throw error
    }
  }

  private func startSessions(_ request: BearerRequest, _ opened: OpenDevice) async throws(ModemError) {
    var refusal: ModemError?
    for family in request.ipType.families {
      do throws(ModemError) {
        let session = try await start(family, request, opened)
        guard case .connecting = bearer else { return }
        sessions.append(session)
        // The network may have ended it before its start was taken up here.
        if case .some(let cause) = endedEarly[session.client.id] {
          sessions.removeLast()
          await release(session.client, on: opened.device, within: configuration.limits.close)
          throw Self.refused(cause)
        }
      } catch {
        switch error.code {
        case .removed, .cancelled, .deviceUnavailable: throw error
        default: refusal = refusal ?? error
        }
      }
    }
    if sessions.isEmpty, let refusal { throw refusal }
  }

  private func start(
    _ family: QmiWdsIpFamily, _ request: BearerRequest, _ opened: OpenDevice
  ) async throws(ModemError) -> NetworkSession {
    let client = try await allocate(QMI_SERVICE_WDS, on: opened.device, within: configuration.limits.query)
    let connection = connectSignals(wds: client)
    do throws(ModemError) {
      let preference = input(qmi_message_wds_set_ip_family_input_new, qmi_message_wds_set_ip_family_input_unref) {
        qmi_message_wds_set_ip_family_input_set_preference($0, family, nil)
      }
      // Modems that do not know it take the family from the request itself.
      _ = try await askIfKnown("IP family", .setIPFamily, to: client, preference)
      let handle = try await startNetwork(family, request, client)
      return NetworkSession(client: client, handle: handle, connection: connection)
    } catch {
      connection.disconnect()
      // It ends a call that the modem may still be setting up.
      await release(client, on: opened.device, within: configuration.limits.close)
      throw error
    }
  }

  private func startNetwork(
    _ family: QmiWdsIpFamily, _ request: BearerRequest, _ client: QMIClient
  ) async throws(ModemError) -> UInt32 {
    let order = input(qmi_message_wds_start_network_input_new, qmi_message_wds_start_network_input_unref) {
      if let apn = request.apn { qmi_message_wds_start_network_input_set_apn($0, apn, nil) }
      if let user = request.user { qmi_message_wds_start_network_input_set_username($0, user, nil) }
      if let password = request.password {
        qmi_message_wds_start_network_input_set_password($0, password.revealed, nil)
      }
      qmi_message_wds_start_network_input_set_authentication_preference($0, request.authentication.qmi, nil)
      qmi_message_wds_start_network_input_set_ip_family_preference($0, family, nil)
    }
    let reply = try await send("connect", .startNetwork, to: client, order, within: configuration.limits.connect)
    if let refusal = reply.refusal {
      // The call is there already; the handle that stands for any call ends it.
      if reply.refused(with: QMI_PROTOCOL_ERROR_NO_EFFECT) { return Self.anyCall }
      guard reply.refused(with: QMI_PROTOCOL_ERROR_CALL_FAILED) else {
        throw ModemError(refusal, during: "connect", removed: isRemoved)
      }
      throw Self.refused(Self.cause(reply))
    }
    var handle: UInt32 = 0
    guard qmi_message_wds_start_network_output_get_packet_data_handle(reply.pointer, &handle, nil) != 0 else {
      throw ModemError(.badReply, "connect: the modem gave the bearer no handle")
    }
    return handle
  }

  private static func cause(_ reply: QMIReply) -> NetworkCause? {
    var type = QmiWdsVerboseCallEndReasonType(rawValue: 0)
    var reason: Int16 = 0
    if qmi_message_wds_start_network_output_get_verbose_call_end_reason(reply.pointer, &type, &reason, nil) != 0 {
      return NetworkCause(type, reason)
    }
    var end = QmiWdsCallEndReason(rawValue: 0)
    guard qmi_message_wds_start_network_output_get_call_end_reason(reply.pointer, &end, nil) != 0 else { return nil }
    let words = qmi_wds_call_end_reason_get_string(end).map { String(cString: $0) }
    return NetworkCause(code: nil, text: words ?? "the modem's reason \(end.rawValue)")
  }

  /// The settings of the new bearer. Some networks accept it first and give its addresses a moment later.
  private func firstSettings() async throws(ModemError) -> BearerSettings {
    let end = SuspendingClock.now + configuration.limits.addresses
    while true {
      let settings = try await queriedSettings()
      if settings.hasAddress { return settings }
      guard !sessions.isEmpty else { throw Self.refused(endedEarly.values.compactMap { $0 }.first) }
      do throws(GLibBridgeError) {
        try await glib.expect(of: commands, within: end - .now) { packetServiceWaits.append($0) }
      } catch {
        guard error.code == .deadline else { throw ModemError(error, during: "connect", removed: isRemoved) }
        throw ModemError(.noAddress, "connect: the network accepted the bearer and gave it no address")
      }
    }
  }

  public func disconnect() async throws(ModemError) {
    switch bearer {
    case .down: return
    case .connecting, .disconnecting:
      throw ModemError(.busy, "disconnect: the bearer is being connected or disconnected already; try again")
    case .up: break
    }
    bearer = .disconnecting
    await endSessions(within: configuration.limits.disconnect)
    if case .disconnecting = bearer { bearer = .down }
    guard !isRemoved else { throw unusable(during: "disconnect") }
  }

  /// Stops all sessions and gives their client ids back, whatever happens to the caller.
  private func endSessions(within limit: Duration) async {
    guard case .open(let opened) = port, !sessions.isEmpty else { return }
    let ended = sessions
    sessions = []
    await Task {
      for session in ended {
        session.connection.disconnect()
        _ = try? await stop(session, within: limit)
        await release(session.client, on: opened.device, within: configuration.limits.close)
      }
    }.value
  }

  func stop(_ session: NetworkSession, within limit: Duration, isQueued: Bool = true) async throws(ModemError) {
    let order = input(qmi_message_wds_stop_network_input_new, qmi_message_wds_stop_network_input_unref) {
      qmi_message_wds_stop_network_input_set_packet_data_handle($0, session.handle, nil)
    }
    _ = try await send(
      "disconnect", .stopNetwork, to: session.client, order, within: limit, isQueued: isQueued)
  }

  private static func refused(_ cause: NetworkCause?) -> ModemError {
    ModemError(
      .refused, "connect: the network refused the bearer; check access point name, user and password",
      networkCause: cause, cause: cause?.description)
  }

  /// The global packet data handle.
  private static let anyCall: UInt32 = 0xffff_ffff
}

extension BearerRequest.IPType {
  fileprivate var families: [QmiWdsIpFamily] {
    switch self {
    case .ipv4: [QMI_WDS_IP_FAMILY_IPV4]
    case .ipv6: [QMI_WDS_IP_FAMILY_IPV6]
    case .ipv4v6: [QMI_WDS_IP_FAMILY_IPV4, QMI_WDS_IP_FAMILY_IPV6]
    }
  }
}

extension BearerRequest.Authentication {
  /// QMI has no number for MSCHAPv2; CHAP is the nearest.
  fileprivate var qmi: QmiWdsAuthentication {
    switch self {
    case .none: QMI_WDS_AUTHENTICATION_NONE
    case .pap: QMI_WDS_AUTHENTICATION_PAP
    case .chap, .mschapv2: QMI_WDS_AUTHENTICATION_CHAP
    }
  }
}
