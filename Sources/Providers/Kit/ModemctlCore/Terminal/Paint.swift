/// Colours, where they are wanted.
struct Paint: Sendable {
  enum Colour: String {
    case plain = ""
    case bold = "1"
    case good = "32"
    case attention = "33"
    case bad = "31"
  }

  let isOn: Bool

  func callAsFunction(_ text: String, _ colour: Colour) -> String {
    isOn && colour != .plain && !text.isEmpty ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
  }
}
