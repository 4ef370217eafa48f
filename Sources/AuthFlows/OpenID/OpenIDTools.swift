/// What the flows need and must not make themselves: randomness and a hash.
public struct OpenIDTools: Sendable {
  /// So many bytes that nobody can guess.
  public var random: @Sendable (_ count: Int) -> [UInt8]
  /// SHA-256, 32 bytes.
  public var sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]

  public init(
    random: @escaping @Sendable (Int) -> [UInt8] = Self.systemRandom, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) {
    self.random = random
    self.sha256 = sha256
  }

  /// A random UUID (RFC 9562, 5.4), as ids of one request are.
  public func uuid() -> String {
    var bytes = random(16)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = hex(bytes)
    var rest = Substring(digits)
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  /// SHA-256 of a text, in lower-case hex.
  func hexDigest(_ text: String) -> String { hex(sha256(Array(text.utf8))) }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// From the kernel.
  @Sendable public static func systemRandom(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
  }
}
