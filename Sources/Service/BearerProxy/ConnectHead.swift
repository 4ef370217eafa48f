/// What a client says by HTTP before its connection is open: the head of one CONNECT request (RFC
/// 9110, section 9.3.6). A value without I/O.
struct ConnectHead: Sendable {
  /// Bytes whose lines have been looked at, so that a client that sends single bytes costs no more
  /// than others.
  private var seen = 0

  /// Reads the request's head at the front of `bytes`, and removes it from there.
  mutating func next(_ bytes: inout ArraySlice<UInt8>) -> ProxyDialogue.Step {
    // Another protocol is recognised before its client waits for an answer.
    guard let first = bytes.first, first >= 0x41, first <= 0x5a else {
      return .refuse(
        ProxyRefusal(.malformed, "This is neither SOCKS 5 nor HTTP. The proxy takes SOCKS 5 and HTTP CONNECT."))
    }
    guard let end = end(of: bytes) else { return .wait }
    let head = String(validating: bytes[..<end], as: UTF8.self)
    bytes = bytes[end...]
    guard let head else { return .refuse(ProxyRefusal(.malformed, "The request's head is not UTF-8.")) }
    do throws(ProxyRefusal) {
      return .open(try Self.read(head))
    } catch {
      return .refuse(error)
    }
  }

  /// Where the empty line ends.
  private mutating func end(of bytes: ArraySlice<UInt8>) -> Int? {
    for index in bytes.indices.dropFirst(seen) where bytes[index] == 0x0a {
      let line = bytes[..<index].suffix(2)
      if line.last == 0x0a || line.elementsEqual([0x0a, 0x0d]) { return index + 1 }
    }
    seen = bytes.count
    return nil
  }

  private static func read(_ head: String) throws(ProxyRefusal) -> ProxyRequest {
    // Swift takes CR LF for one character.
    let lines = head.split(whereSeparator: { $0 == "\r\n" || $0 == "\n" })
    let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
      throw ProxyRefusal(.malformed, "The first line is not a request of HTTP/1.1.")
    }
    guard words[0] == "CONNECT" else {
      throw ProxyRefusal(
        .methodNotAllowed, "The proxy knows the method CONNECT alone. Have your program use it for http too.")
    }
    guard let target = target(words[1]) else {
      throw ProxyRefusal(.malformed, "The target of CONNECT is not HOST:PORT.")
    }
    return ProxyRequest(modem: try modem(lines.dropFirst()), host: target.host, port: target.port)
  }

  private static func target(_ text: Substring) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), (1...65535).contains(port)
    else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { return nil }
    } else if host.contains(":") {
      return nil
    }
    return ProxyRequest.isHost(String(host)) ? (String(host), port) : nil
  }

  /// The user name of `Proxy-Authorization: Basic` names the modem. It proves nothing, so that any
  /// password will do.
  private static func modem(_ fields: ArraySlice<Substring>) throws(ProxyRefusal) -> String? {
    for field in fields {
      guard let colon = field.firstIndex(of: ":"), field[..<colon].lowercased() == "proxy-authorization" else {
        continue
      }
      let words = field[field.index(after: colon)...].split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.count == 2, words[0].lowercased() == "basic", let bytes = Base64.decode(words[1]),
        let text = String(validating: bytes, as: UTF8.self)
      else { throw ProxyRefusal(.malformed, "Proxy-Authorization is not of the scheme Basic.") }
      let name = String(text.prefix { $0 != ":" })
      guard ModemName.isName(name) else {
        throw ProxyRefusal(.malformed, "The user name in Proxy-Authorization is not a modem's name.")
      }
      return name.isEmpty ? nil : name
    }
    return nil
  }
}

/// RFC 4648, section 4.
enum Base64 {
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for character in text.utf8 {
      let value: UInt8
      switch character {
      case 0x41...0x5a: value = character - 0x41
      case 0x61...0x7a: value = character - 0x61 + 26
      case 0x30...0x39: value = character - 0x30 + 52
      case 0x2b: value = 62
      case 0x2f: value = 63
      case 0x3d:
        padding += 1
        continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xffffff
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return padding <= 2 && count < 6 ? bytes : nil
  }
}
