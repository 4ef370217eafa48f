/// Cuts the host's byte stream into messages and joins their fragments.
struct MBIMFramer: Sendable {
  /// A message, or what is wrong with one.
  enum Output: Hashable, Sendable {
    case request(MBIMRequest)
    case error(transaction: UInt32, MBIMFunctionError)
  }

  private struct Assembly {
    var transaction: UInt32
    var total: UInt32
    var next: UInt32
    var payload: [UInt8]
  }

  private static let longestMessage = 65_536
  private static let longestCommand = 1 << 20

  private var buffer: [UInt8] = []
  private var assembly: Assembly?

  /// Takes bytes, and gives the messages that are now complete.
  mutating func receive(_ bytes: [UInt8]) -> [Output] {
    buffer += bytes
    var outputs: [Output] = []
    while let message = nextMessage() { if let output = read(message) { outputs.append(output) } }
    return outputs
  }

  private mutating func nextMessage() -> [UInt8]? {
    var reader = ByteReader(buffer)
    guard reader.u32() != nil, let length = reader.u32(), buffer.count >= 12 else { return nil }
    guard (12...UInt32(Self.longestMessage)).contains(length) else {
      // The next message's start is unknown: a transport with message boundaries would drop this
      // one.
      buffer = []
      return nil
    }
    guard buffer.count >= Int(length) else { return nil }
    defer { buffer.removeFirst(Int(length)) }
    return Array(buffer[..<Int(length)])
  }

  private mutating func read(_ message: [UInt8]) -> Output? {
    var reader = ByteReader(message)
    guard let type = reader.u32(), reader.u32() != nil, let transaction = reader.u32() else { return nil }
    switch type {
    case 1:
      guard let size = reader.u32() else { return .error(transaction: transaction, .lengthMismatch) }
      return .request(.open(transaction: transaction, maxTransfer: size))
    case 2: return .request(.close(transaction: transaction))
    case 3: return readFragment(&reader, transaction)
    case 4: return .request(.hostError(transaction: transaction))
    default: return .error(transaction: transaction, .unknown)
    }
  }

  private mutating func readFragment(_ reader: inout ByteReader, _ transaction: UInt32) -> Output? {
    guard let total = reader.u32(), let current = reader.u32(), total > current else {
      return .error(transaction: transaction, .lengthMismatch)
    }
    if current == 0 {
      assembly = Assembly(transaction: transaction, total: total, next: 0, payload: [])
    }
    guard var whole = assembly, whole.transaction == transaction, whole.next == current, whole.total == total,
      whole.payload.count < Self.longestCommand
    else {
      assembly = nil
      return .error(transaction: transaction, .fragmentOutOfSequence)
    }
    whole.payload += reader.rest()
    whole.next += 1
    assembly = whole.next < total ? whole : nil
    return whole.next < total ? nil : command(whole)
  }

  private func command(_ assembly: Assembly) -> Output {
    var reader = ByteReader(assembly.payload)
    guard let service = reader.take(16), let cid = reader.u32(), let type = reader.u32(), let length = reader.u32(),
      let body = reader.take(Int(length))
    else { return .error(transaction: assembly.transaction, .lengthMismatch) }
    return .request(
      .command(
        MBIMCommand(
          transaction: assembly.transaction, service: MBIMService(service), cid: cid, isSet: type == 1,
          body: Array(body))))
  }
}
