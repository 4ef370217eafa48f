/// Colours, where they are wanted.
package struct Paint: Sendable {
  package enum Colour: String {
    case plain = ""
    case bold = "1"
    case good = "32"
    case attention = "33"
    case bad = "31"
  }

  package let isOn: Bool

  package init(isOn: Bool) { self.isOn = isOn }

  package func callAsFunction(_ text: String, _ colour: Colour) -> String {
    isOn && colour != .plain && !text.isEmpty ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
  }
}
