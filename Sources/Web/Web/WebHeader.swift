/// A field of a request or an answer.
public struct WebHeader: Hashable, Sendable {
  public let name: String
  public let value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension WebHeader {
  /// Whether the name is a token (RFC 9110, 5.6.2).
  public var hasValidName: Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether the value has no control characters: one could end the field and begin another (RFC
  /// 9110, 5.5).
  public var hasValidValue: Bool { value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }

  /// Whether the field belongs to the connection, or is set by the sender of the request, like a
  /// chain's cookies.
  public var isReserved: Bool { isOfConnection || name.lowercased() == "cookie" }

  /// Whether the field belongs to the connection, or changes the exchange on it. A client that
  /// waits for `100 Continue` sends no body, and an upgrade ends HTTP (RFC 9110, 7.6.1, 7.8 and
  /// 10.1.1). All proxy fields are included.
  public var isOfConnection: Bool {
    let name = self.name.lowercased()
    return Self.ofConnection.contains(name) || name.hasPrefix("proxy-")
  }

  private static let ofConnection: Set<String> = [
    "host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "keep-alive", "expect",
    "http2-settings", "early-data",
  ]
}
