import AuthCore
import AuthFlows
import FlowService
import MobileConnectAPI
import ModemAPI
import ModemModel
import MobileConnectFlows

// Requests to org.modemd.MobileConnect in the form for flows.

extension OperatorQuery {
  /// - Throws: `AuthError` `invalidArgument`.
  init(_ whose: MobileConnectInterface.Whose?) throws {
    self.init()
    guard let whose else { return }
    switch whose.way {
    case .network?: way = .network
    case .number?: way = .number
    case .address?: way = .address
    case .page?: way = .page
    case .other?: throw AuthError.invalid("whose.way", "network, number, address or page")
    case nil: break
    }
    number = try whose.number.map { try SubscriberNumber(argument: $0, named: "whose.number") }
    if let text = whose.network {
      guard let codes = PLMN(text) else {
        throw AuthError.invalid("whose.network", "MCC and MNC in 5 or 6 digits, as in 26201")
      }
      network = codes
    }
    // Who names a number alone asks about that number, whatever the SIM's network is.
    if way == nil, number != nil, network == nil, whose.callback == nil { way = .number }
    selection = try whose.callback.map { try OperatorSelection(callback: Secret($0)) }
  }
}

extension MobileConnectRequest {
  /// - Throws: `AuthError` `invalidArgument`.
  init(_ request: MobileConnectInterface.Request?) throws {
    self.init()
    guard let request else { return }
    scope = request.scope
    acr = request.acr
    loginHint = try Self.hint(request)
    loginHintToken = request.loginHintToken.map { Secret($0) }
    state = request.state.map { Secret($0) }
    nonce = request.nonce.map { Secret($0) }
    display = request.display.flatMap { Display(rawValue: $0.rawValue) }
    prompt = (request.prompt ?? []).compactMap { Prompt(rawValue: $0.rawValue) }
    maximumAge = request.maximumAgeSeconds
    uiLocales = request.uiLocales
    claimsLocales = request.claimsLocales
    idTokenHint = request.idTokenHint.map { Secret($0) }
    dtbs = request.dtbs
    claims = request.claims
    kyc = try request.kyc.map { try KYCClaims($0.mapValues { Secret($0) }) }
    clientName = request.clientName
    context = request.context
    bindingMessage = request.bindingMessage
    if let text = request.version {
      guard let read = MobileConnectVersion(text) else {
        throw AuthError.invalid("version", "a version of the device-initiated mode, as in mc_di_r2_v2.3")
      }
      version = read
    }
    try check()
  }

  private static func hint(_ request: MobileConnectInterface.Request) throws -> LoginHint? {
    let hints: [LoginHint?] = [
      try request.hintNumber.map { .number(try SubscriberNumber(argument: $0, named: "hintNumber")) },
      request.hintEncrypted.map { .encrypted(Secret($0)) }, request.hintCustomer.map { .customer(Secret($0)) },
    ]
    let given = hints.compactMap(\.self)
    // Operators refuse more than one.
    guard given.count < 2 else {
      throw AuthError.invalid("hintNumber", "one hint of the three: number, encrypted, customer")
    }
    return given.first
  }
}
