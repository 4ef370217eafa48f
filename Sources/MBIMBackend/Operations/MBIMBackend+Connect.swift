import CMBIM
import GLibBridge
import ModemModel

extension MBIMBackend {
  /// MBIM carries bare IP packets always; there is nothing to agree on.
  public func negotiateLinkFormat() async throws(ModemError) -> LinkFormat {
    _ = try openDevice(for: "link format")
    return .rawIP
  }

  /// Activates session 0 (MBIM_CID_CONNECT) and asks for its addresses (MBIM_CID_IP_CONFIGURATION).
  public func connect(_ request: BearerRequest) async throws(ModemError) -> BearerSettings {
    let wasUp: Bool
    switch bearer {
    case .down: wasUp = false
    case .up: wasUp = true
    case .connecting, .disconnecting:
      throw ModemError(.busy, "connect: the bearer is being connected or disconnected already; try again")
    }
    bearer = .connecting
    do throws(ModemError) {
      try await freeSession(isOurs: wasUp)
      try await activate(request)
      let settings = try await firstSettings()
      try await confirm()
      bearer = .up
      return settings
    } catch {
      if case .connecting = bearer { bearer = .down }
      throw error
    }
  }

  /// Makes sure that the session is still there, when an indication since says that one ended.
  private func confirm() async throws(ModemError) {
    if let last = reports.session.last, last.state == MBIM_ACTIVATION_STATE_DEACTIVATED {
      guard try await queriedSession()?.isActive == true else { throw refused(last.cause) }
    }
    guard case .open = port else { throw unusable(during: "connect") }
    guard case .connecting = bearer else {
      throw ModemError(.failed, "connect: the modem was reset meanwhile; open it anew")
    }
  }

  /// Ends a session 0 that was left behind. Behind mbim-proxy it may be another program's, whose it stays.
  private func freeSession(isOurs: Bool) async throws(ModemError) {
    guard try await queriedSession()?.isActive == true else { return }
    guard isOurs || !configuration.usesProxy else {
      throw ModemError(
        .busy, "connect: another program (ModemManager?) has the modem's data session; end it there or use its bearer")
    }
    try await deactivate(within: configuration.limits.disconnect)
  }

  /// Asks for the state of session 0; nil where the modem refuses, as some do before the first session.
  private func queriedSession() async throws(ModemError) -> SessionReport? {
    let reply = try await send("session state", within: configuration.limits.query) { opened, error in
      opened.speaksExtensionsV3
        ? mbim_message_ms_basic_connect_v3_connect_query_new(0, error)
        : mbim_message_connect_query_new(
          0, MBIM_ACTIVATION_STATE_UNKNOWN, MBIM_VOICE_CALL_STATE_NONE, MBIM_CONTEXT_IP_TYPE_DEFAULT,
          mbim_uuid_from_context_type(MBIM_CONTEXT_TYPE_INTERNET), 0, error)
    }
    return reply.status == MBIM_STATUS_ERROR_NONE ? try session(reply) : nil
  }

  private func activate(_ request: BearerRequest) async throws(ModemError) {
    let end = SuspendingClock.now + configuration.limits.connect
    reports.session.forget()
    reports.addresses.forget()
    do throws(ModemError) {
      let reply = try await send("connect", within: configuration.limits.connect) { opened, error in
        opened.makeConnectSet(MBIM_ACTIVATION_COMMAND_ACTIVATE, request, error)
      }
      guard reply.status == MBIM_STATUS_ERROR_NONE else {
        if let refusal = try? session(reply), let cause = refusal.cause { throw refused(cause) }
        return try reply.check()
      }
      var result = try session(reply)
      if !result.isSettled {
        result = try await report(of: \.session, for: "connect", within: end - .now) { $0.isSettled }
      }
      // A cause beside an active session is information: 50 and 51 say that only one address family was given.
      guard result.state == MBIM_ACTIVATION_STATE_ACTIVATED else { throw refused(result.cause) }
    } catch {
      if error.code == .timeout || error.code == .cancelled { abandonSession() }
      throw error
    }
  }

  /// The settings of the new session. Some networks accept the bearer first and give its addresses a moment later.
  private func firstSettings() async throws(ModemError) -> BearerSettings {
    let end = SuspendingClock.now + configuration.limits.addresses
    do throws(ModemError) {
      while true {
        let settings = try await queriedSettings()
        if settings.hasAddress { return settings }
        do throws(ModemError) {
          try await report(of: \.addresses, for: "connect", within: end - .now)
          reports.addresses.forget()
        } catch {
          guard error.code == .timeout else { throw error }
          throw ModemError(.noAddress, "connect: the network accepted the bearer and gave it no address")
        }
      }
    } catch {
      abandonSession()
      throw error
    }
  }

  /// Ends a session that may be active or become so, behind the back of a caller who has gone.
  private func abandonSession() {
    guard case .open = port else { return }
    Task { try? await deactivate(within: configuration.limits.disconnect) }
  }

  public func disconnect() async throws(ModemError) {
    switch bearer {
    case .down: return
    case .connecting, .disconnecting:
      throw ModemError(.busy, "disconnect: the bearer is being connected or disconnected already; try again")
    case .up: break
    }
    bearer = .disconnecting
    do throws(ModemError) {
      try await deactivate(within: configuration.limits.disconnect)
      bearer = .down
    } catch {
      // It may still be there: the caller can try again.
      if case .disconnecting = bearer, case .open = port { bearer = .up } else { bearer = .down }
      throw error
    }
  }

  private func deactivate(within limit: Duration) async throws(ModemError) {
    let end = SuspendingClock.now + limit
    reports.session.forget()
    let reply = try await send("disconnect", within: limit) { opened, error in
      opened.makeConnectSet(MBIM_ACTIVATION_COMMAND_DEACTIVATE, BearerRequest(), error)
    }
    if reply.status == MBIM_STATUS_ERROR_CONTEXT_NOT_ACTIVATED { return }
    try reply.check()
    if try session(reply).state == MBIM_ACTIVATION_STATE_DEACTIVATING {
      _ = try await report(of: \.session, for: "disconnect", within: end - .now) { $0.isSettled }
    }
  }

  /// The fields read here are the same in every version of Microsoft's extensions; later versions append to them.
  private func session(_ reply: MBIMReply) throws(ModemError) -> SessionReport {
    var report = SessionReport()
    try reply.read {
      mbim_message_connect_response_parse($0, &report.session, &report.state, nil, nil, nil, &report.networkError, $1)
    }
    return report
  }

  private func refused(_ cause: NetworkCause?) -> ModemError {
    ModemError(
      .refused, "connect: the network refused the bearer; check access point name, user and password",
      networkCause: cause, cause: cause?.description)
  }
}

extension OpenDevice {
  /// Makes a Connect set for session 0 and the Internet context (MBIM_CID_CONNECT; MBIMEx 3.0 has its own order).
  func makeConnectSet(
    _ command: MbimActivationCommand, _ request: BearerRequest, _ error: GErrorPlace
  ) -> OpaquePointer? {
    let isActivation = command == MBIM_ACTIVATION_COMMAND_ACTIVATE
    let authentication = isActivation ? request.authentication.mbim : MBIM_AUTH_PROTOCOL_NONE
    let type = isActivation ? request.ipType.mbim : MBIM_CONTEXT_IP_TYPE_DEFAULT
    let context = mbim_uuid_from_context_type(MBIM_CONTEXT_TYPE_INTERNET)
    guard speaksExtensionsV3 else {
      return mbim_message_connect_set_new(
        0, command, request.apn, request.user, request.password?.revealed, MBIM_COMPRESSION_NONE, authentication, type,
        context, error)
    }
    return mbim_message_ms_basic_connect_v3_connect_set_new(
      0, command, MBIM_COMPRESSION_NONE, authentication, type, context, MBIM_ACCESS_MEDIA_TYPE_3GPP, request.apn,
      request.user, request.password?.revealed, nil, error)
  }
}

extension BearerRequest.Authentication {
  fileprivate var mbim: MbimAuthProtocol {
    switch self {
    case .none: MBIM_AUTH_PROTOCOL_NONE
    case .pap: MBIM_AUTH_PROTOCOL_PAP
    case .chap: MBIM_AUTH_PROTOCOL_CHAP
    case .mschapv2: MBIM_AUTH_PROTOCOL_MSCHAPV2
    }
  }
}

extension BearerRequest.IPType {
  fileprivate var mbim: MbimContextIpType {
    switch self {
    case .ipv4: MBIM_CONTEXT_IP_TYPE_IPV4
    case .ipv6: MBIM_CONTEXT_IP_TYPE_IPV6
    case .ipv4v6: MBIM_CONTEXT_IP_TYPE_IPV4V6
    }
  }
}
