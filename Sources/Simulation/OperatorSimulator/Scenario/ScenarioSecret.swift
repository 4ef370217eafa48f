/// A text that must not be seen, and what it is.
package struct ScenarioSecret: Hashable, Sendable {
  package var kind: String
  package var value: String
  /// Whether it is digits that people write in several forms.
  package var isNumber: Bool

  package init(kind: String, value: String) {
    self.kind = kind
    self.value = value
    isNumber = false
  }

  /// - Parameter number: digits, with or without `+`.
  package init(number: String, kind: String) {
    self.kind = kind
    value = number
    isNumber = true
  }
}
