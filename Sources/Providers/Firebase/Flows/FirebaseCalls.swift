import AuthCore
import JSONTree
import RedirectChain
import Web

/// The requests of Firebase Authentication's REST API (Identity Platform v1).
struct FirebaseCalls: Sendable {
  private enum Method: String {
    case sendVerificationCode, signInWithPhoneNumber

    var legacyName: String { self == .signInWithPhoneNumber ? "verifyPhoneNumber" : rawValue }
  }

  let settings: FirebaseSettings

  /// `accounts:sendVerificationCode`: sends a message with a code to the number.
  func sendCode(to number: SubscriberNumber, _ verification: AppVerification?) -> BackendCall {
    var body = verification?.fields ?? [:]
    body["phoneNumber"] = .string(number.revealed)
    var headers: [WebHeader] = []
    if case .ios = verification, let bundle = settings.iosBundle {
      headers.append(.init(name: "x-ios-bundle-identifier", value: bundle))
    }
    return account(.sendVerificationCode, body, headers)
  }

  /// `accounts:signInWithPhoneNumber`.
  ///
  /// - Parameter proof: `sessionInfo` and `code`, or `phoneNumber` and `temporaryProof`.
  func signIn(_ proof: [String: JSONValue], _ account: SignInRequest.Account?) -> BackendCall {
    var body = proof
    if let account {
      body["idToken"] = .string(account.idToken.revealed)
      if let operation = account.operation { body["operation"] = .string(operation.rawValue) }
    }
    return self.account(.signInWithPhoneNumber, body, [])
  }

  /// `POST /v1/token` of the token service.
  func refresh(_ token: Secret) -> BackendCall {
    let form = FormFields(["grant_type": "refresh_token", "refresh_token": token.revealed])
    return BackendCall(
      "refreshToken", .post, settings.hosts.tokens.appending("/v1/token", key), headers: [.accept("application/json")],
      body: .form(form), route: settings.route)
  }

  private func account(
    _ method: Method, _ body: [String: JSONValue], _ more: [WebHeader]
  ) -> BackendCall {
    var body = body
    if let tenant = settings.tenant { body["tenantId"] = .string(tenant) }
    var headers = [WebHeader.accept("application/json")] + more
    if let locale = settings.locale { headers.append(.init(name: "X-Firebase-Locale", value: locale)) }
    return BackendCall(
      method.rawValue, .post, url(of: method), headers: headers, body: .json(.object(body)), route: settings.route)
  }

  private func url(of method: Method) -> WebURL {
    switch settings.version {
    case .v1: settings.hosts.identity.appending("/v1/accounts:\(method.rawValue)", key)
    case .v3: settings.hosts.legacy.appending("/identitytoolkit/v3/relyingparty/\(method.legacyName)", key)
    }
  }

  /// The emulator requires a key, but does not check it.
  private var key: FormFields { FormFields(["key": settings.apiKey?.revealed ?? "emulator"]) }
}
