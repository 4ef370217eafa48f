import NetworkAddress

/// What a client says by SOCKS 5 before its connection is open (RFC 1928, RFC 1929). A value
/// without I/O.
///
/// The user name names the modem. It proves nothing, so that any password will do.
struct SOCKSDialogue: Sendable {
  private enum Phase {
    case greeting, userName, request, done
  }

  private static let version: UInt8 = 5
  private var phase = Phase.greeting
  private var modem: String?

  /// Reads the next message at the front of `bytes`, and removes it from there.
  mutating func next(_ bytes: inout ArraySlice<UInt8>) -> ProxyDialogue.Step {
    var reader = ByteReader(bytes)
    let step: ProxyDialogue.Step? =
      switch phase {
      case .greeting: greeting(&reader)
      case .userName: userName(&reader)
      case .request: request(&reader)
      case .done: nil
      }
    guard let step else { return .wait }
    bytes = reader.rest
    return step
  }

  private mutating func greeting(_ reader: inout ByteReader) -> ProxyDialogue.Step? {
    guard reader.byte() != nil, let count = reader.byte(), let methods = reader.take(Int(count)) else { return nil }
    // A client that has a user name offers both.
    if methods.contains(2) {
      phase = .userName
      return .send([Self.version, 2])
    }
    guard methods.contains(0) else {
      phase = .done
      return .hangUp([Self.version, 0xff])
    }
    phase = .request
    return .send([Self.version, 0])
  }

  private mutating func userName(_ reader: inout ByteReader) -> ProxyDialogue.Step? {
    guard let version = reader.byte() else { return nil }
    guard version == 1 else {
      phase = .done
      return .hangUp([1, 1])
    }
    guard let length = reader.byte(), let name = reader.take(Int(length)), let passwordLength = reader.byte(),
      reader.take(Int(passwordLength)) != nil
    else { return nil }
    guard let text = String(validating: name, as: UTF8.self), ModemName.isName(text) else {
      phase = .done
      return .hangUp([1, 1])
    }
    modem = text.isEmpty ? nil : text
    phase = .request
    return .send([1, 0])
  }

  private mutating func request(_ reader: inout ByteReader) -> ProxyDialogue.Step? {
    guard let version = reader.byte() else { return nil }
    guard version == Self.version else { return refuse(.malformed, "The request is not one of SOCKS 5.") }
    guard let command = reader.byte() else { return nil }
    guard command == 1 else {
      return refuse(.commandNotSupported, "The proxy knows the command CONNECT alone.")
    }
    guard reader.byte() != nil, let kind = reader.byte() else { return nil }
    let host: String?
    switch kind {
    case 1:
      guard let address = reader.take(4) else { return nil }
      host = IPv4Address(bytes: address)?.description
    case 3:
      guard let length = reader.byte(), let name = reader.take(Int(length)) else { return nil }
      host = String(validating: name, as: UTF8.self).flatMap { ProxyRequest.isHost($0) ? $0 : nil }
    case 4:
      guard let address = reader.take(16) else { return nil }
      host = IPv6Address(bytes: address)?.description
    default: return refuse(.addressTypeNotSupported, "The address is of no type that RFC 1928 has.")
    }
    guard let high = reader.byte(), let low = reader.byte() else { return nil }
    let port = Int(high) << 8 | Int(low)
    guard let host, port > 0 else {
      return refuse(.malformed, "The request names no host that can be resolved, or port 0.")
    }
    phase = .done
    return .open(ProxyRequest(modem: modem, host: host, port: port))
  }

  private mutating func refuse(_ kind: ProxyRefusal.Kind, _ text: String) -> ProxyDialogue.Step {
    phase = .done
    return .refuse(ProxyRefusal(kind, text))
  }

  /// A reply without the address of this end, which clients of a proxy do not need.
  static func reply(_ code: UInt8) -> [UInt8] { [version, code, 0, 1, 0, 0, 0, 0, 0, 0] }
}

/// What may name a modem: an id, a device or an interface.
enum ModemName {
  static func isName(_ text: String) -> Bool {
    text.utf8.count <= 128 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  }
}

/// Takes bytes from the front, if there are enough.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest.removeFirst(count) }
    return rest.prefix(count)
  }
}
