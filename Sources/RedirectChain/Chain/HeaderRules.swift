extension ChainRequest.Header {
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

  /// Whether the value has no control character: one could end the field and begin another (RFC 9110, 5.5).
  public var hasValidValue: Bool { value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }

  /// Whether the field belongs to the connection, or is made by who sends the request, as a chain's cookies are.
  public var isReserved: Bool { isOfConnection || name.lowercased() == "cookie" }

  /// Whether the field belongs to the connection.
  public var isOfConnection: Bool { Self.ofConnection.contains(name.lowercased()) }

  private static let ofConnection: Set<String> = [
    "host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "keep-alive",
    "proxy-authorization", "proxy-connection",
  ]
}
