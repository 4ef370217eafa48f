/// The body of a request. It prints its size and type, never its bytes.
public struct WebBody: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  public let bytes: [UInt8]
  /// Media type, as in `application/json`; nil for none.
  public let contentType: String?

  public init(_ bytes: [UInt8], contentType: String?) {
    self.bytes = bytes
    self.contentType = contentType
  }

  /// JSON, written already.
  public static func json(_ text: String) -> WebBody { WebBody(Array(text.utf8), contentType: "application/json") }

  public static func text(_ text: String) -> WebBody {
    WebBody(Array(text.utf8), contentType: "text/plain; charset=utf-8")
  }

  public var description: String { "(\(bytes.count) bytes, \(contentType ?? "no type"))" }
  public var debugDescription: String { description }
}
