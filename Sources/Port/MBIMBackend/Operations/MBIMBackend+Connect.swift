import CMBIM
import ControlChannel
import GLibBridge
import LimitClock
import ModemModel

extension MBIMBackend {
  /// MBIM always carries bare IP packets, so nothing needs to be agreed on.
  package func negotiateLinkFormat() async throws(ModemError) -> LinkFormat {
    _ = try openDevice(for: "link format")
    return .rawIP
  }

  /// Activates the session (MBIM_CID_CONNECT) and asks for its addresses
  /// (MBIM_CID_IP_CONFIGURATION).
  package func connect(_ request: BearerRequest) async throws(ModemError) -> BearerSettings {
    let wasUp: Bool
    switch bearer {
    case .down: wasUp = false
    case .up: wasUp = true
    case .connecting, .disconnecting:
      throw ModemError(.busy, "connect: the bearer is being connected or disconnected already; try again")
    }
    bearer = .connecting
    // The old session's deactivation must not come after this activation.
    await ending?.value
    do throws(ModemError) {
      try await freeSession(isOurs: wasUp || lingers || configuration.ownsLeftSession)
      lingers = false
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

  /// Makes sure that the session still exists, if an indication has since reported the end of one.
  private func confirm() async throws(ModemError) {
    if let last = reports.session.last, last.state == MBIM_ACTIVATION_STATE_DEACTIVATED {
      let isActive: Bool
      do throws(ModemError) {
        isActive = try await queriedSession()?.isActive == true
      } catch {
        abandonSession()
        throw error
      }
      guard isActive else { throw refused(last.cause) }
    }
    guard case .open = port else { throw port.unusable(during: "connect") }
    guard case .connecting = bearer else {
      throw ModemError(.failed, "connect: the modem was reset meanwhile; open it again")
    }
  }

  /// Ends a session that this program left behind. Another program's session is not touched.
  private func freeSession(isOurs: Bool) async throws(ModemError) {
    guard try await queriedSession()?.isActive == true else { return }
    guard isOurs || ledger?.isOurs == true else {
      throw ModemError(
        .busy,
        "connect: the modem's data session is active and another program (ModemManager?) began it; end it there, or use it "
          + "(`sharing` set to follow)")
    }
    try await deactivate(within: configuration.limits.disconnect)
  }

  /// Asks for the session's state; nil if the modem refuses, as some do before the first session.
  private func queriedSession() async throws(ModemError) -> SessionReport? {
    let number = configuration.session
    let reply = try await send("session state", within: configuration.limits.query) { opened, error in
      opened.speaksExtensionsV3
        ? mbim_message_ms_basic_connect_v3_connect_query_new(number, error)
        : mbim_message_connect_query_new(
          number, MBIM_ACTIVATION_STATE_UNKNOWN, MBIM_VOICE_CALL_STATE_NONE, MBIM_CONTEXT_IP_TYPE_DEFAULT,
          mbim_uuid_from_context_type(MBIM_CONTEXT_TYPE_INTERNET), 0, error)
    }
    return reply.status == MBIM_STATUS_ERROR_NONE ? try session(reply) : nil
  }

  private func activate(_ request: BearerRequest) async throws(ModemError) {
    let end = clock.now + configuration.limits.connect
    reports.session.forget()
    reports.addresses.forget()
    ledger?.begin()
    do throws(ModemError) {
      let reply = try await send("connect", within: configuration.limits.connect) { opened, error in
        opened.makeConnectSet(MBIM_ACTIVATION_COMMAND_ACTIVATE, session: configuration.session, request, error)
      }
      guard reply.status == MBIM_STATUS_ERROR_NONE else {
        if let refusal = try? session(reply), let cause = refusal.cause { throw refused(cause) }
        return try check(reply)
      }
      var result = try session(reply)
      if !result.isSettled {
        result = try await report(of: \.session, for: "connect", within: end - clock.now) { $0.isSettled }
      }
      // A cause with an active session is information: 50 and 51 mean that only one address family
      // was given.
      guard result.state == MBIM_ACTIVATION_STATE_ACTIVATED else { throw refused(result.cause) }
      granted = GrantedFamilies(result, asked: request.ipType)
    } catch {
      // A command without a readable answer may still have been executed.
      if [.timeout, .cancelled, .badReply].contains(error.code) { abandonSession() }
      throw error
    }
  }

  /// Throws the meaning of a refusal. Some refusals mean that the modem has no session with this
  /// number.
  private func check(_ reply: MBIMReply) throws(ModemError) {
    do throws(ModemError) {
      try reply.check()
    } catch {
      guard configuration.session > 0, let status = reply.status, status.refusesSession else { throw error }
      throw .noSession(Int(configuration.session), during: "connect", "MBIM status \(status.rawValue)")
    }
  }

  /// The settings of the new session. Some networks accept the bearer first and give its addresses
  /// a moment later. The link is asked for what the modem does not get. A link-local address alone
  /// shows at once that this is the case.
  private func firstSettings() async throws(ModemError) -> BearerSettings {
    let end = clock.now + configuration.limits.addresses
    do throws(ModemError) {
      while true {
        let settings = try await queriedSettings()
        if settings.hasAddress || settings.onLink.interfaceID != nil { return settings }
        do throws(ModemError) {
          try await report(of: \.addresses, for: "connect", within: end - clock.now)
          reports.addresses.forget()
        } catch {
          guard error.code == .timeout else { throw error }
          return settings
        }
      }
    } catch {
      abandonSession()
      throw error
    }
  }

  /// Ends a session that is or may become active, in the background, because its caller has gone.
  private func abandonSession() {
    guard case .open = port else { return }
    lingers = true
    ending = Task {
      guard (try? await deactivate(within: configuration.limits.query)) != nil else { return }
      lingers = false
      if case .down = bearer { ledger?.end() }
    }
  }

  package func disconnect() async throws(ModemError) {
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
      // It may still exist, so the caller can try again.
      if case .disconnecting = bearer, case .open = port { bearer = .up } else { bearer = .down }
      throw error
    }
  }

  private func deactivate(within limit: Duration) async throws(ModemError) {
    let end = clock.now + limit
    reports.session.forget()
    let reply = try await send("disconnect", within: limit) { opened, error in
      opened.makeConnectSet(MBIM_ACTIVATION_COMMAND_DEACTIVATE, session: configuration.session, BearerRequest(), error)
    }
    if reply.status == MBIM_STATUS_ERROR_CONTEXT_NOT_ACTIVATED { return }
    try reply.check()
    if try session(reply).state == MBIM_ACTIVATION_STATE_DEACTIVATING {
      _ = try await report(of: \.session, for: "disconnect", within: end - clock.now) { $0.isSettled }
    }
  }

  private func session(_ reply: MBIMReply) throws(ModemError) -> SessionReport { try SessionReport(reply) }

  private func refused(_ cause: NetworkCause?) -> ModemError {
    ModemError(
      .refused, "connect: the network refused the bearer; check access point name, user and password",
      networkCause: cause, cause: cause?.description)
  }
}

extension OpenDevice {
  /// Makes a Connect set command for a session and the Internet context (MBIM_CID_CONNECT; MBIMEx
  /// 3.0 has its own field order).
  func makeConnectSet(
    _ command: MbimActivationCommand, session: UInt32, _ request: BearerRequest, _ error: GErrorPlace
  ) -> OpaquePointer? {
    let isActivation = command == MBIM_ACTIVATION_COMMAND_ACTIVATE
    let authentication = isActivation ? request.authentication.mbim : MBIM_AUTH_PROTOCOL_NONE
    let type = isActivation ? request.ipType.mbim : MBIM_CONTEXT_IP_TYPE_DEFAULT
    let context = mbim_uuid_from_context_type(MBIM_CONTEXT_TYPE_INTERNET)
    guard speaksExtensionsV3 else {
      return mbim_message_connect_set_new(
        session, command, request.apn, request.user, request.password?.revealed, MBIM_COMPRESSION_NONE, authentication,
        type,
        context, error)
    }
    return mbim_message_ms_basic_connect_v3_connect_set_new(
      session, command, MBIM_COMPRESSION_NONE, authentication, type, context, MBIM_ACCESS_MEDIA_TYPE_3GPP, request.apn,
      request.user, request.password?.revealed, nil, error)
  }
}

extension MbimStatusError {
  /// Whether the modem refuses a session that it does not have. Most modems answer that no context
  /// is free, others that the number is invalid.
  fileprivate var refusesSession: Bool {
    [
      MBIM_STATUS_ERROR_MAX_ACTIVATED_CONTEXTS, MBIM_STATUS_ERROR_INVALID_PARAMETERS,
      MBIM_STATUS_ERROR_NO_DEVICE_SUPPORT, MBIM_STATUS_ERROR_CONTEXT_NOT_SUPPORTED,
    ].contains(self)
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
