import ModemModel

/// A token, an authorization code, a client's secret or a key: it prints redacted.
public struct Secret: PersonalData {
  private let text: WipedText

  public var revealed: String { text.revealed }

  public init(_ text: String) { self.text = WipedText(text) }
}
