import AuthCore
import JSONTree
import ModemModel
import OutsideNumber
import AuthFlows

/// The requirements for an ID token (OpenID Connect Core, 3.1.3.7; Mobile Connect profile).
struct IDTokenExpectation: Hashable, Sendable {
  var issuer: String?
  var clientID: String
  /// Nil if none was sent, as with a refreshed token.
  var nonce: Secret?
  /// The token that came with it; nil if none did.
  var accessToken: Secret?
  /// Seconds; nil for any age.
  var maximumAge: Int?
  /// The requested levels; the lowest of them is enough. If empty, any will do.
  var acr: [String] = []
  /// As it was sent; nil for none.
  var loginHint: LoginHint?
  /// The required subject; nil accepts any.
  var subject: Secret?
  /// Depending on the version, some claims are mandatory.
  var version: MobileConnectVersion
  /// The allowed difference between clocks in seconds.
  var skew = 0

  /// Checks the claims of a token with a valid signature.
  ///
  /// - Throws: the first check that fails.
  func check(_ claims: JSONValue, at now: Timestamp, _ tools: OpenIDTools) throws(TokenFault) {
    try checkParties(claims)
    try checkTimes(claims, OutsideSeconds(now.seconds))
    try checkAccessToken(claims, tools)
    try checkAssurance(claims)
    try checkLoginHint(claims, tools)
  }

  /// From 2.3 on, these are mandatory: at_hash, acr, amr, hashed_login_hint.
  private var isStrict: Bool { version >= .v2_3 }

  private func checkParties(_ claims: JSONValue) throws(TokenFault) {
    guard let issuer else {
      throw TokenFault(.iss, "it is not known who its issuer must be; configure `issuer`, or the operator's metadata")
    }
    guard claims["iss"]?.string == issuer else {
      throw TokenFault(
        .iss, "it is of another issuer than the operator; compare the issuer with the operator's metadata")
    }
    let audience = [claims["aud"]?.string].compactMap(\.self) + (claims["aud"]?.items.compactMap(\.string) ?? [])
    guard audience.contains(clientID) else { throw TokenFault(.aud, "it is for another client; check the client id") }
    let party = claims["azp"]
    guard party == nil || party?.string == clientID, audience.count == 1 || party != nil else {
      throw TokenFault(.azp, "it was given to another client of several; check the client id")
    }
    if let nonce, claims["nonce"]?.string != nonce.revealed {
      throw TokenFault(.nonce, "it answers another request; begin anew")
    }
    guard let subject = claims["sub"]?.string else { throw TokenFault(.sub, "it names no subject; ask the operator") }
    if let expected = self.subject, subject != expected.revealed {
      throw TokenFault(.sub, "it is about another user than the tokens before it; sign in anew")
    }
  }

  private func checkTimes(_ claims: JSONValue, _ now: OutsideSeconds) throws(TokenFault) {
    let skew = OutsideSeconds(skew)
    // A time that cannot be written as a date is not a valid end.
    guard let end = claims["exp"]?.seconds, Timestamp(end) < .latest, now < end + skew else {
      throw TokenFault(.exp, "it is over; check this machine's clock, then begin anew")
    }
    guard let issued = claims["iat"]?.seconds, issued <= now + skew else {
      throw TokenFault(.iat, "it is of the future, or does not say when it was made; check this machine's clock")
    }
    guard let maximumAge else { return }
    let oldest = now - OutsideSeconds(maximumAge) - skew
    guard issued >= oldest else { throw TokenFault(.iat, "it is older than was asked for; begin anew") }
    if let time = claims["auth_time"]?.seconds, time < oldest {
      throw TokenFault(
        .authTime, "the user was authenticated longer ago than was asked for; begin anew with the prompt login")
    }
  }

  /// The left half of the access token's SHA-256 (OpenID Connect Core, 3.1.3.6).
  private func checkAccessToken(_ claims: JSONValue, _ tools: OpenIDTools) throws(TokenFault) {
    guard let accessToken else { return }
    guard let hash = claims["at_hash"] else {
      guard isStrict else { return }
      throw TokenFault(.atHash, "it is not tied to the access token; ask the operator for at_hash")
    }
    let expected = Base64.encodeURL(Array(tools.sha256(Array(accessToken.revealed.utf8)).prefix(16)))
    guard hash.string?.filter({ $0 != "=" }) == expected else {
      throw TokenFault(.atHash, "it belongs to another access token; begin anew")
    }
  }

  private func checkAssurance(_ claims: JSONValue) throws(TokenFault) {
    guard let reached = claims["acr"] else {
      guard isStrict else { return }
      throw TokenFault(.acr, "it does not say how the user was authenticated; ask the operator for acr")
    }
    let text = reached.string ?? reached.integer.map { "\($0)" } ?? ""
    let least = acr.compactMap { Int($0) }.min()
    guard acr.isEmpty || acr.contains(text) || (least.flatMap { least in Int(text).map { $0 >= least } } ?? false)
    else {
      throw TokenFault(
        .acr, "the user was authenticated at a lower level than was asked for; ask for a lower acr, or begin anew")
    }
    guard isStrict else { return }
    let methods = claims["amr"]?.items.compactMap(\.string) ?? [claims["amr"]?.string].compactMap(\.self)
    guard !methods.isEmpty || claims["amr"]?.string != nil else {
      throw TokenFault(.amr, "it does not say by which means the user was authenticated; ask the operator for amr")
    }
  }

  /// SHA-256 of the sent hint, in lower-case hex. No document defines what the operator hashes for
  /// an encrypted number or a reference, so in these cases the claim must only be present.
  private func checkLoginHint(_ claims: JSONValue, _ tools: OpenIDTools) throws(TokenFault) {
    guard let loginHint else { return }
    guard let hash = claims["hashed_login_hint"] else {
      guard isStrict else { return }
      throw TokenFault(.hashedLoginHint, "it is not tied to the login hint; ask the operator for hashed_login_hint")
    }
    guard case .number = loginHint else { return }
    guard hash.string == tools.hexDigest(loginHint.text) else {
      throw TokenFault(.hashedLoginHint, "it is about another login hint than was sent; check the number")
    }
  }
}
