import AuthCore
import JSONTree

/// Values that the operator compares with its data about the subscriber (GSMA KYC Match, Attribute
/// Match). They are personal and print only their names.
package struct KYCClaims: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private static let addressParts = ["houseno_or_housename", "postal_code", "town", "country"]
  private static let matched = ["name", "given_name", "family_name", "address", "birthdate"] + addressParts
  /// For Attribute Match; no hash of them is defined.
  private static let attributes = ["is_lost_stolen", "billing_segment", "account_state"]
  private static let hashSuffix = "_hashed"

  private let values: [String: Secret]

  /// - Parameter values: by their names in the specification, with `_hashed` for hashes that the
  ///   caller made.
  /// - Throws: `AuthError` `invalidArgument` for an unknown name, and for an incomplete name or
  ///   address.
  package init(_ values: [String: Secret]) throws(AuthError) {
    self.values = values
    let known = Set(Self.matched + Self.matched.map { $0 + Self.hashSuffix } + Self.attributes)
    if let other = values.keys.sorted().first(where: { !known.contains($0) }) {
      let isName = other.utf8.count <= 64 && other.isName(and: "_")
      throw .invalid("kyc", "names of KYC Match or Attribute Match\(isName ? ", and not \(other)" : "")")
    }
    guard !values.isEmpty, values.values.allSatisfy({ !$0.revealed.isEmpty }) else {
      throw .invalid("kyc", "values that are not empty")
    }
    let plain = Self.matched.filter { values[$0] != nil }
    let hashed = Self.matched.filter { values[$0 + Self.hashSuffix] != nil }
    guard plain.isEmpty || hashed.isEmpty else { throw .invalid("kyc", "all values in clear, or all hashed") }
    try Self.check(Set(plain + hashed))
  }

  private static func check(_ names: Set<String>) throws(AuthError) {
    guard !names.isEmpty else { return }
    let isNamed = names.contains("name") || names.isSuperset(of: ["given_name", "family_name"])
    let hasNameParts = names.contains("given_name") || names.contains("family_name")
    guard isNamed, !(names.contains("name") && hasNameParts) else {
      throw .invalid("kyc", "name, or given_name with family_name")
    }
    let isPlaced = names.contains("address") || names.isSuperset(of: addressParts)
    let hasAddressParts = addressParts.contains { names.contains($0) }
    guard isPlaced, !(names.contains("address") && hasAddressParts) else {
      throw .invalid("kyc", "beside the name address, or all of \(addressParts.joined(separator: ", "))")
    }
  }

  /// As `claims` carries them.
  var json: JSONValue { .object(values.mapValues { .object(["value": .string($0.revealed)]) }) }

  package var description: String { "(\(values.keys.sorted().joined(separator: ", ")))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
