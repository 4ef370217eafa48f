import Crypto
import JSONTree
import OperatorSimulator

/// Makes ID tokens (OpenID Connect Core, 2, with Mobile Connect's claims), and faulty ones if an
/// application has a fault.
struct IDTokenMaker {
  let environment: MobileConnectEnvironment
  let grant: MobileConnectStore.Grant
  let accessToken: String

  private var authorization: MobileConnectAuthorization { grant.authorization }
  private var application: SimulatedMobileConnectApplication { authorization.application }
  private func has(_ fault: SimulatedMobileConnectApplication.Fault) -> Bool { application.has(fault) }

  /// The token; nil if the application gets none.
  func token() -> String? {
    if has(.missingIDToken) { return nil }
    guard let token = try? signed(.object(claims)) else { return nil }
    environment.provider.issued(token, as: "ID token")
    return token
  }

  private func signed(_ claims: JSONValue) throws -> String {
    if has(.algorithmNone) {
      let header = JSONValue.object(["alg": .string("none")])
      return [header, claims].map { Base64URL.encode($0.text.utf8) }.joined(separator: ".") + "."
    }
    if has(.sharedKey) { return SimulatedToken.sign(self.claims, secret: application.secret) }
    let keyID = has(.unknownKey) ? "another" : environment.keyID
    let token = try environment.keys.sign(claims, keyID: keyID, isForged: has(.signature))
    return has(.malformedIDToken) ? token.split(separator: ".").prefix(2).joined(separator: ".") : token
  }

  // MARK: Claims

  private var claims: [String: JSONValue] {
    var claims: [String: JSONValue] = [
      "iss": .string(has(.iss) ? "https://another.example" : "https://\(environment.hosts.operator)"),
      "sub": .string(environment.reference(of: grant.number, for: application)),
    ]
    claims["nonce"] = has(.missingNonce) ? nil : .string(has(.nonce) ? "another" : authorization.nonce)
    claims["displayed_data"] = authorization.context.map { .string($0) }
    return claims.merging(audience) { $1 }.merging(times) { $1 }.merging(authentication) { $1 }
  }

  private var audience: [String: JSONValue] {
    let own = JSONValue.string(application.id)
    let another = JSONValue.string("another")
    let both = JSONValue.array([another, own])
    if has(.aud) { return ["aud": another, "azp": another] }
    if has(.azp) { return ["aud": both, "azp": another] }
    if has(.missingAzp) { return ["aud": both] }
    return ["aud": has(.severalAudiences) ? both : own, "azp": own]
  }

  private var times: [String: JSONValue] {
    let now = environment.seconds
    let issued = has(.iat) ? now - 400 * 86_400 : has(.futureIat) ? now + 86_400 : now
    var claims: [String: JSONValue] = ["iat": .int(issued), "auth_time": .int(issued)]
    if !has(.missingExp) { claims["exp"] = .int(has(.exp) ? now - 3600 : max(issued, now) + 300) }
    return claims
  }

  /// How the user was authenticated. Versions before 2.3 have fewer claims.
  private var authentication: [String: JSONValue] {
    var claims: [String: JSONValue] = [:]
    if !has(.missingAcr) { claims["acr"] = .string(String(has(.acr) ? authorization.level - 1 : authorization.level)) }
    if !has(.amr) { claims["amr"] = .array([.string(grant.method)]) }
    guard authorization.wantsAllClaims else { return claims }
    if !has(.missingAtHash) {
      claims["at_hash"] = .string(Self.accessHash(has(.atHash) ? "another" : accessToken))
    }
    if authorization.hint != nil, !has(.missingHashedLoginHint) {
      let number = grant.number.filter { $0 != "+" }
      let hint = has(.hashedLoginHint) ? "MSISDN:1" : "MSISDN:\(hintedNumber ?? number)"
      claims["hashed_login_hint"] = .string(MobileConnectKeys.hash(hint))
    }
    return claims
  }

  /// The hinted number, which may differ from the user's own.
  private var hintedNumber: String? {
    guard case .number(let digits)? = authorization.hint else { return nil }
    return digits
  }

  /// `at_hash`: the left half of the token's SHA-256 (OpenID Connect Core, 3.1.3.6).
  static func accessHash(_ token: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8))).prefix(16))
  }
}
