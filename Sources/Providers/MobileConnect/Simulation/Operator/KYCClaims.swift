import JSONTree
import OperatorSimulator

/// The `claims` of an authorization request, and the rules that Mobile Connect has for those that know a customer.
enum KYCClaims {
  /// Parts of an address that go together.
  private static let address = ["houseno_or_housename", "postal_code", "town", "country"]

  /// - Throws: for text that is no object, and for values that are not whole.
  static func read(_ text: String?, scope: [String]) throws(MobileConnectRefusal) -> JSONValue? {
    guard let text else { return nil }
    guard let claims = JSONValue(parsing: Array(text.utf8)), case .object = claims else {
      throw .invalid("claims are no object in JSON")
    }
    for (kind, suffix) in [("mc_kyc_plain", ""), ("mc_kyc_hashed", "_hashed")] where scope.contains(kind) {
      try check(asked(claims), suffix)
    }
    return claims
  }

  /// The names with their values that premiuminfo is asked for.
  static func asked(_ claims: JSONValue?) -> [String: JSONValue] {
    guard case .object(let members)? = claims?["premiuminfo"] else { return [:] }
    return members
  }

  private static func check(_ asked: [String: JSONValue], _ suffix: String) throws(MobileConnectRefusal) {
    let has = { (name: String) in asked[name + suffix]?["value"]?.string?.isEmpty == false }
    let hasName = has("name")
    let hasParts = has("given_name") && has("family_name")
    guard hasName != hasParts else { throw .invalid("claims want name, or given_name with family_name") }
    guard has("address") != address.allSatisfy(has) else { throw .invalid("claims want address, or its four parts") }
  }
}
