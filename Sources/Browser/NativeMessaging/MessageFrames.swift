/// Messages of native messaging: JSON behind its length, a number of 32 bits in the machine's own
/// byte order (Chrome for Developers, "Native messaging"; MDN, "Native messaging").
package struct MessageReader: Sendable {
  /// Bytes of a message from the browser. Browsers allow 64 MB and more; no call here is that long.
  package static let mostBytes = 65_536

  /// A message is longer than `mostBytes`. What follows it cannot be told from its content.
  package struct TooLong: Error, Hashable, Sendable {
    package let bytes: Int
  }

  private var bytes: [UInt8] = []

  package init() {}

  /// Takes what came, in pieces of any size.
  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Takes out the next message.
  ///
  /// - Returns: its JSON; nil while it is not complete.
  /// - Throws: `TooLong`, before its content has come.
  package mutating func next() throws(TooLong) -> [UInt8]? {
    let head = MemoryLayout<UInt32>.size
    guard bytes.count >= head else { return nil }
    let length = Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
    guard length <= Self.mostBytes else { throw TooLong(bytes: length) }
    guard bytes.count - head >= length else { return nil }
    let message = Array(bytes[head..<(head + length)])
    bytes.removeFirst(head + length)
    return message
  }

  /// Whether the sender left in the middle of a message.
  package var isBetweenMessages: Bool { bytes.isEmpty }
}

/// A message for the browser.
package enum MessageFrame {
  /// What a browser takes of a host in one message.
  package static let mostBytes = 1_048_576

  /// - Returns: length and JSON; nil if it is longer than a browser takes.
  package static func bytes(_ json: [UInt8]) -> [UInt8]? {
    guard json.count <= mostBytes else { return nil }
    return withUnsafeBytes(of: UInt32(json.count)) { Array($0) } + json
  }
}
