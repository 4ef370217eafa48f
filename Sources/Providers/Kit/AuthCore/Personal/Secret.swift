import ModemModel

/// A token, an authorization code, a client's secret or a key: it prints redacted.
package struct Secret: PersonalData {
  private let text: WipedText

  package var revealed: String { text.revealed }

  package init(_ text: String) { self.text = WipedText(text) }
}
