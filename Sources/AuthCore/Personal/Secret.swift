import ModemModel

/// A token, an authorization code, a client's secret or a key: it prints redacted.
public struct Secret: PersonalData {
  public let revealed: String

  public init(_ text: String) { revealed = text }
}
