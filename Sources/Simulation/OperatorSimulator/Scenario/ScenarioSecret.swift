/// A text that must not be seen, and what it is.
struct ScenarioSecret: Hashable, Sendable {
  var kind: String
  var value: String
  /// Whether it is digits that people write in several forms.
  var isNumber: Bool

  init(kind: String, value: String) {
    self.kind = kind
    self.value = value
    isNumber = false
  }

  /// - Parameter number: digits, with or without `+`.
  init(number: String, kind: String) {
    self.kind = kind
    value = number
    isNumber = true
  }
}
