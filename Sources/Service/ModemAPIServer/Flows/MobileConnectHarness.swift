import AuthCore
import AuthFlows
import ModemAPI
import ModemService
import Varlink
import MobileConnectFlows

/// org.modemd.MobileConnect.
struct MobileConnectHarness: Sendable {
  private typealias Wire = MobileConnectInterface

  private let call: FlowCall

  init(_ authentication: AuthenticationService) { call = FlowCall(authentication) }

  func add(to router: inout VarlinkRouter) {
    router.add(MobileConnectInterface.self)
    router.stream(MobileConnectInterface.Discover.self, discover)
    router.stream(MobileConnectInterface.Authorize.self, authorize)
    router.stream(MobileConnectInterface.Login.self, login)
    router.stream(MobileConnectInterface.Validate.self, validate)
    router.stream(MobileConnectInterface.AskAtHandset.self, askAtHandset)
    router.stream(MobileConnectInterface.Refresh.self, refresh)
    router.stream(MobileConnectInterface.Revoke.self, revoke)
    router.stream(MobileConnectInterface.UserInfo.self, userInfo)
    router.stream(MobileConnectInterface.Identity.self, identity)
  }

  // MARK: The operator, and authorizations

  @Sendable private func discover(
    _ parameters: MobileConnectInterface.Discover.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.Discover.Reply>
  ) async throws -> MobileConnectInterface.Discover.Reply {
    let query = try OperatorQuery(parameters.whose)
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let end = try await onWire { try await begun.flow.discover(query) }
    return .init(
      event: .outcome, outcome: begun.outcome(end), discovery: end.discovered.flatMap { Wire.Discovery($0) },
      page: end.page?.revealed)
  }

  @Sendable private func authorize(
    _ parameters: MobileConnectInterface.Authorize.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.Authorize.Reply>
  ) async throws -> MobileConnectInterface.Authorize.Reply {
    let query = try OperatorQuery(parameters.whose)
    let request = try MobileConnectRequest(parameters.request)
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let end = try await onWire { try await begun.flow.authorize(request, query) }
    return .init(
      event: .outcome, outcome: begun.outcome(end), authorization: end.code.map { Wire.Authorization($0) },
      page: end.page?.revealed)
  }

  @Sendable private func login(
    _ parameters: MobileConnectInterface.Login.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.Login.Reply>
  ) async throws -> MobileConnectInterface.Login.Reply {
    let query = try OperatorQuery(parameters.whose)
    let request = try MobileConnectRequest(parameters.request)
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    let server = parameters.appServer == false ? nil : begun.settings.appServer
    if server == nil, parameters.appServer == true {
      throw AuthError.invalid("appServer", "left out: the provider's file names no app's server").onWire
    }
    if server != nil, parameters.request != nil || parameters.information != nil {
      throw AuthError.invalid("request", "left out: the app's server makes its own; or appServer false").onWire
    }
    replies.send(.init(event: .ready))
    let end = try await onWire {
      if let server { return try await begun.flow.press(server, query) }
      return try await begun.flow.login(
        request, query, information: parameters.information.map { $0 == .userinfo ? .userinfo : .premiuminfo })
    }
    return .init(
      event: .outcome, outcome: begun.outcome(end), tokens: end.tokens.map { Wire.Tokens($0) },
      information: end.information.map { Wire.Information($0) }, page: end.page?.revealed)
  }

  @Sendable private func validate(
    _ parameters: MobileConnectInterface.Validate.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.Validate.Reply>
  ) async throws -> MobileConnectInterface.Validate.Reply {
    let number = try FlowCall.number(parameters.number)
    let query = try OperatorQuery(parameters.whose)
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let end = try await onWire {
      try await begun.flow.validate(number, parameters.form.map { $0 == .plain ? .plain : .plus }, query)
    }
    return .init(event: .outcome, outcome: begun.outcome(end), page: end.page?.revealed)
  }

  @Sendable private func askAtHandset(
    _ parameters: MobileConnectInterface.AskAtHandset.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.AskAtHandset.Reply>
  ) async throws -> MobileConnectInterface.AskAtHandset.Reply {
    let query = try OperatorQuery(parameters.whose)
    let request = try MobileConnectRequest(parameters.request)
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let end = try await onWire { try await begun.flow.askAtHandset(request, query) }
    return .init(event: .outcome, outcome: begun.outcome(end), tokens: end.tokens.map { Wire.Tokens($0) })
  }

  // MARK: With a token

  @Sendable private func refresh(
    _ parameters: MobileConnectInterface.Refresh.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.Refresh.Reply>
  ) async throws -> MobileConnectInterface.Refresh.Reply {
    let query = try OperatorQuery(parameters.whose)
    let token = try Self.token(parameters.refreshToken, "refreshToken")
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let end = try await onWire {
      try await begun.flow.refresh(
        token, scope: parameters.scope, subject: parameters.subject.map { Secret($0) }, query)
    }
    return .init(event: .outcome, outcome: begun.outcome(end), tokens: end.tokens.map { Wire.Tokens($0) })
  }

  @Sendable private func revoke(
    _ parameters: MobileConnectInterface.Revoke.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.Revoke.Reply>
  ) async throws -> MobileConnectInterface.Revoke.Reply {
    let query = try OperatorQuery(parameters.whose)
    let token = try Self.token(parameters.token, "token")
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let end = try await onWire {
      try await begun.flow.revoke(token, parameters.kind == .access ? .access : .refresh, query)
    }
    return .init(event: .outcome, outcome: begun.outcome(end))
  }

  @Sendable private func userInfo(
    _ parameters: MobileConnectInterface.UserInfo.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.UserInfo.Reply>
  ) async throws -> MobileConnectInterface.UserInfo.Reply {
    let query = try OperatorQuery(parameters.whose)
    let token = try Self.token(parameters.accessToken, "accessToken")
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let end = try await onWire {
      try await begun.flow.information(.userinfo, token, subject: parameters.subject.map { Secret($0) }, query)
    }
    return .init(
      event: .outcome, outcome: begun.outcome(end), information: end.information.map { Wire.Information($0) })
  }

  @Sendable private func identity(
    _ parameters: MobileConnectInterface.Identity.Parameters, _ context: CallContext,
    _ replies: ReplySink<MobileConnectInterface.Identity.Reply>
  ) async throws -> MobileConnectInterface.Identity.Reply {
    let query = try OperatorQuery(parameters.whose)
    let token = try Self.token(parameters.accessToken, "accessToken")
    let begun = try begin(parameters.modem, parameters.provider, context, replies) {
      .init(event: $0, step: $1, hop: $2)
    }
    replies.send(.init(event: .ready))
    let end = try await onWire {
      try await begun.flow.information(.premiuminfo, token, subject: parameters.subject.map { Secret($0) }, query)
    }
    return .init(
      event: .outcome, outcome: begun.outcome(end), information: end.information.map { Wire.Information($0) })
  }

  // MARK: Every call

  /// A flow that has begun, with its provider.
  private struct Begun {
    let call: FlowCall.Begun
    let provider: NamedProvider<MobileConnectSettings>
    let settings: MobileConnectSettings
    let flow: MobileConnectFlow

    func outcome(_ end: MobileConnectEnd) -> MobileConnectInterface.Outcome { call.outcome(end.outcome, provider) }
  }

  /// Finds modem, provider and settings of a call.
  private func begin<Reply>(
    _ modem: String?, _ name: String?, _ context: CallContext, _ replies: ReplySink<Reply>,
    _ reply:
      @escaping @Sendable (
        MobileConnectInterface.Event, MobileConnectInterface.Step?, MobileConnectInterface.Hop?
      ) -> Reply
  ) throws -> Begun {
    let begun = try call.begin(
      on: modem, for: context.peer, replies, step: { reply(.step, $0, nil) }, hop: { reply(.hop, nil, $0) })
    let home = begun.subscriber.home
    let provider = try onWire {
      try call.authentication.providers.find(MobileConnectSettings.self, named: name, for: home)
    }
    let settings = provider.settings(for: home)
    return Begun(
      call: begun, provider: provider, settings: settings,
      flow: MobileConnectFlow(settings, of: begun.subscriber, begun.run))
  }

  private static func token(_ text: String, _ argument: String) throws -> Secret {
    guard (1...8192).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw AuthError.invalid(argument, "a token as it was given, 1 to 8192 printable characters").onWire
    }
    return Secret(text)
  }
}
