import Web

/// What passes through a hop and may be secret: tokens stand in URLs, fields and cookies. It prints redacted.
public struct HopSecrets: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What a hop held, in full.
  public struct Contents: Hashable, Sendable {
    public var url: String
    /// As they were sent; empty when nothing was.
    public var requestFields: [WebHeader]
    /// As they came; empty when no answer did.
    public var answerFields: [WebHeader]

    public init(
      url: String, requestFields: [WebHeader] = [], answerFields: [WebHeader] = []
    ) {
      self.url = url
      self.requestFields = requestFields
      self.answerFields = answerFields
    }
  }

  /// In full: for those alone who may see it.
  public var revealed: Contents

  public init(_ contents: Contents) { revealed = contents }

  // What a field of this name holds says nothing of a subscriber.
  private static let harmless: Set<String> = [
    "host", "user-agent", "accept", "accept-encoding", "connection", "content-length", "content-type",
    "content-encoding", "transfer-encoding", "date", "server", "via", "age", "cache-control", "vary", "retry-after",
  ]

  /// Whether a field of this name is shown to everybody with its value.
  public static func isHarmless(_ name: String) -> Bool { harmless.contains(name.lowercased()) }

  public var description: String { "(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
