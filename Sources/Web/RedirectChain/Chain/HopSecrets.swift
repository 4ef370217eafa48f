import Web

/// Data of a hop that may be secret: URLs, fields and cookies can hold tokens. It prints redacted.
public struct HopSecrets: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The full data of a hop.
  public struct Contents: Hashable, Sendable {
    public var url: String
    /// As they were sent; empty if nothing was sent.
    public var requestFields: [WebHeader]
    /// As they came; empty if no answer came.
    public var answerFields: [WebHeader]

    public init(
      url: String, requestFields: [WebHeader] = [], answerFields: [WebHeader] = []
    ) {
      self.url = url
      self.requestFields = requestFields
      self.answerFields = answerFields
    }
  }

  /// In full, only for authorised callers.
  public var revealed: Contents

  public init(_ contents: Contents) { revealed = contents }

  // Fields of these names reveal nothing about a subscriber.
  private static let harmless: Set<String> = [
    "host", "user-agent", "accept", "accept-encoding", "connection", "content-length", "content-type",
    "content-encoding", "transfer-encoding", "date", "server", "via", "age", "cache-control", "vary", "retry-after",
  ]

  /// Whether everybody may see the value of a field with this name.
  public static func isHarmless(_ name: String) -> Bool { harmless.contains(name.lowercased()) }

  public var description: String { "(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
