import AuthCore
import AuthFlows
import FlowService
import MobileConnectAPI
import ModemAPI
import MobileConnectFlows

/// org.modemd.MobileConnect.
package struct MobileConnectMethods: FlowMethods {
  private typealias Wire = MobileConnectInterface

  package static let rights = [
    InterfaceRights([
      .groups: [
        Wire.Discover.self, Wire.Authorize.self, Wire.Login.self, Wire.Validate.self, Wire.AskAtHandset.self,
        Wire.Exchange.self, Wire.Refresh.self, Wire.Revoke.self, Wire.UserInfo.self, Wire.Identity.self,
      ]
    ])
  ]

  package init() {}

  package func add(to flows: inout FlowRouter) {
    flows.add(Wire.self)
    addAuthorizations(to: &flows)
    addLogins(to: &flows)
    addCallsWithToken(to: &flows)
  }

  private func addAuthorizations(to flows: inout FlowRouter) {
    flows.method(Wire.Discover.self, of: .settings(MobileConnectSettings.self)) { parameters in
      try OperatorQuery(parameters.whose)
    } run: { asked, call in
      try await MobileConnectFlow(call).discover(asked)
    } reply: { reply, end in
      reply.discovery = end.answer?.discovered.flatMap { Wire.Discovery($0) }
      reply.page = end.answer?.page?.revealed
    }
    flows.method(Wire.Authorize.self, of: .settings(MobileConnectSettings.self)) { parameters in
      (try OperatorQuery(parameters.whose), try MobileConnectRequest(parameters.request))
    } run: { asked, call in
      try await MobileConnectFlow(call).authorize(asked.1, asked.0)
    } reply: { reply, end in
      reply.authorization = end.answer?.code.map { Wire.Authorization($0) }
      reply.page = end.answer?.page?.revealed
    }
    flows.method(Wire.Validate.self, of: .settings(MobileConnectSettings.self)) { parameters in
      let number = try SubscriberNumber(argument: parameters.number)
      let form = parameters.form.map { $0 == .plain ? MobileConnectValidation.plain : .plus }
      return (number, form, try OperatorQuery(parameters.whose))
    } run: { asked, call in
      try await MobileConnectFlow(call).validate(asked.0, asked.1, asked.2)
    } reply: { reply, end in
      reply.page = end.answer?.page?.revealed
    }
  }

  private func addLogins(to flows: inout FlowRouter) {
    flows.method(Wire.Login.self, of: .settings(MobileConnectSettings.self)) { parameters in
      (try OperatorQuery(parameters.whose), try MobileConnectRequest(parameters.request), parameters)
    } flow: { asked, call in
      let (query, request, parameters) = asked
      let information = parameters.information.map {
        $0 == .userinfo ? MobileConnectInformation.Kind.userinfo : .premiuminfo
      }
      return (query, request, try Self.server(parameters, call.provider), information)
    } run: { asked, call in
      let (query, request, server, information) = asked
      if let server { return try await MobileConnectFlow(call).press(server, query) }
      return try await MobileConnectFlow(call).login(request, query, information: information)
    } reply: { reply, end in
      reply.tokens = end.answer?.tokens.map { Wire.Tokens($0) }
      reply.information = end.answer?.information.map { Wire.Information($0) }
      reply.page = end.answer?.page?.revealed
      reply.serverAnswer = end.answer?.serverAnswer
    }
    flows.method(Wire.Exchange.self, of: .settings(MobileConnectSettings.self)) { parameters in
      (try OperatorQuery(parameters.whose), try MobileConnectRequest(parameters.request), try Self.code(parameters))
    } run: { asked, call in
      let (query, request, code) = asked
      return try await MobileConnectFlow(call).exchange(
        code.code, nonce: code.nonce, request, query, information: code.information)
    } reply: { reply, end in
      reply.tokens = end.answer?.tokens.map { Wire.Tokens($0) }
      reply.information = end.answer?.information.map { Wire.Information($0) }
    }
    flows.method(Wire.AskAtHandset.self, of: .settings(MobileConnectSettings.self)) { parameters in
      (try OperatorQuery(parameters.whose), try MobileConnectRequest(parameters.request))
    } run: { asked, call in
      try await MobileConnectFlow(call).askAtHandset(asked.1, asked.0)
    } reply: { reply, end in
      reply.tokens = end.answer?.tokens.map { Wire.Tokens($0) }
    }
  }

  private func addCallsWithToken(to flows: inout FlowRouter) {
    flows.method(Wire.Refresh.self, of: .settings(MobileConnectSettings.self)) { parameters in
      (try OperatorQuery(parameters.whose), try Self.token(parameters.refreshToken, "refreshToken"), parameters)
    } run: { asked, call in
      let (query, token, parameters) = asked
      return try await MobileConnectFlow(call).refresh(
        token, scope: parameters.scope, subject: parameters.subject.map { Secret($0) }, query)
    } reply: { reply, end in
      reply.tokens = end.answer?.tokens.map { Wire.Tokens($0) }
    }
    flows.method(Wire.Revoke.self, of: .settings(MobileConnectSettings.self)) { parameters in
      (try OperatorQuery(parameters.whose), try Self.token(parameters.token, "token"), parameters.kind)
    } run: { asked, call in
      let (query, token, kind) = asked
      return try await MobileConnectFlow(call).revoke(token, kind == .access ? .access : .refresh, query)
    }
    flows.method(Wire.UserInfo.self, of: .settings(MobileConnectSettings.self)) { parameters in
      (
        try OperatorQuery(parameters.whose), try Self.token(parameters.accessToken, "accessToken"),
        parameters.subject.map { Secret($0) }
      )
    } run: { asked, call in
      let (query, token, subject) = asked
      return try await MobileConnectFlow(call).information(.userinfo, token, subject: subject, query)
    } reply: { reply, end in
      reply.information = end.answer?.information.map { Wire.Information($0) }
    }
    flows.method(Wire.Identity.self, of: .settings(MobileConnectSettings.self)) { parameters in
      (
        try OperatorQuery(parameters.whose), try Self.token(parameters.accessToken, "accessToken"),
        parameters.subject.map { Secret($0) }
      )
    } run: { asked, call in
      let (query, token, subject) = asked
      return try await MobileConnectFlow(call).information(.premiuminfo, token, subject: subject, query)
    } reply: { reply, end in
      reply.information = end.answer?.information.map { Wire.Information($0) }
    }
  }

  // MARK: Arguments

  /// The app's server that receives a login; nil for a login at the operator.
  private static func server(
    _ parameters: MobileConnectInterface.Login.Parameters, _ settings: MobileConnectSettings
  ) throws -> MobileConnectAppServer? {
    let server = parameters.appServer == false ? nil : settings.appServer
    if server == nil, parameters.appServer == true {
      throw AuthError.invalid("appServer", "left out: the provider's file names no app's server")
    }
    if server != nil, parameters.request != nil || parameters.information != nil {
      throw AuthError.invalid("request", "left out: the app's server makes its own; or appServer false")
    }
    return server
  }

  /// What an earlier authorization gave.
  private struct Code: Sendable {
    let code: Secret
    let nonce: Secret
    let information: MobileConnectInformation.Kind?
  }

  private static func code(_ parameters: MobileConnectInterface.Exchange.Parameters) throws -> Code {
    guard parameters.request?.nonce == nil || parameters.request?.nonce == parameters.nonce else {
      throw AuthError.invalid("request.nonce", "left out, or the same as nonce")
    }
    return Code(
      code: try token(parameters.code, "code"), nonce: try token(parameters.nonce, "nonce"),
      information: parameters.information.map { $0 == .userinfo ? .userinfo : .premiuminfo })
  }

  private static func token(_ text: String, _ argument: String) throws -> Secret {
    guard (1...8192).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw AuthError.invalid(argument, "a token as it was given, 1 to 8192 printable characters")
    }
    return Secret(text)
  }
}

extension MobileConnectFlow {
  fileprivate init(_ call: FlowCall<MobileConnectSettings>) { self.init(call.provider, of: call.subscriber, call.run) }
}
