import NetworkAddress

/// A position in a text, and the values that start there by their form.
struct ReportScan {
  let bytes: [UInt8]
  /// Whether the subscriber's numbers stay unchanged.
  let showsPersonal: Bool
  var position = 0

  init(_ bytes: [UInt8], showsPersonal: Bool = false) {
    self.bytes = bytes
    self.showsPersonal = showsPersonal
  }

  var isAtEnd: Bool { position >= bytes.count }
  var byte: UInt8 { bytes[position] }

  /// Whether a word may begin here.
  var isAtBoundary: Bool { position == 0 || !Self.isWord(bytes[position - 1]) }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
  static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
  static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
  private static func isWord(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "_-+~".utf8.contains(byte) }
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The end of the matching bytes from a position on.
  private func end(from start: Int, limit: Int = 4096, while fits: (UInt8) -> Bool) -> Int {
    var end = start
    while end < bytes.count, end - start < limit, fits(bytes[end]) { end += 1 }
    return end
  }

  /// The known value that starts here: its end and its name.
  func known(in table: [UInt8: [ReportMask.Known]]) -> (Int, String)? {
    guard let candidates = table[byte] else { return nil }
    for candidate in candidates {
      let end = position + candidate.bytes.count
      guard end <= bytes.count, bytes[position..<end].elementsEqual(candidate.bytes) else { continue }
      if candidate.isWord {
        let before = position > 0 && Self.isAlphanumeric(bytes[position - 1])
        let after = end < bytes.count && Self.isAlphanumeric(bytes[end])
        if before || after { continue }
      }
      return (end, candidate.label)
    }
    return nil
  }

  /// The word that begins here.
  func word() -> (Int, String)? {
    let end = end(from: position, while: Self.isWord)
    return end > position ? (end, text(position..<end)) : nil
  }

  /// Six pairs of hexadecimal digits with colons or dashes between them, not followed by more of
  /// them.
  func macAddress() -> (Int, String)? {
    let end = position + 17
    guard end <= bytes.count else { return nil }
    let separator = bytes[position + 2]
    guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: "-") else { return nil }
    for offset in 0..<17 {
      let byte = bytes[position + offset]
      guard offset % 3 == 2 ? byte == separator : Self.isHexDigit(byte) else { return nil }
    }
    return end == bytes.count || !Self.isAlphanumeric(bytes[end]) ? (end, text(position..<end)) : nil
  }

  /// An IP address, and the length of a prefix after it.
  func address() -> (end: Int, address: IPAddress, prefix: Int?)? {
    guard Self.isHexDigit(byte) || byte == UInt8(ascii: ":") else { return nil }
    var end = end(from: position, limit: 64) {
      Self.isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
    }
    // The end of a sentence, or of a label before a value; a port follows an IPv4 address.
    while end > position {
      if end == bytes.count || !Self.isAlphanumeric(bytes[end]), let address = IPAddress(text(position..<end)) {
        return (end, address, prefix(at: end))
      }
      let last = bytes[position..<end].lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
      guard let last, last > position else { return nil }
      end = last
    }
    return nil
  }

  private func prefix(at start: Int) -> Int? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "/") else { return nil }
    return Int(text(start + 1..<end(from: start + 1, limit: 3, while: Self.isDigit)))
  }

  /// The value after the name of a secret, as in `password=…`, `"token": "…"` and
  /// `Authorization: …`. The position is at the value.
  func secretOfKey() -> (Int, String)? {
    guard !"\"'= \t\n:".utf8.contains(byte), let key = keyBefore() else { return nil }
    let ends: (UInt8) -> Bool =
      key.takesLine
      ? { $0 != 0x0a && $0 != 0x0d } : { !Self.isSpace($0) && !"\"'&,;})]".utf8.contains($0) }
    let end = end(from: position, while: ends)
    guard end > position else { return nil }
    let value = text(position..<end)
    // `code=exited` and `code: 33` are not secrets.
    guard !key.isCode || value.utf8.count >= 4 && value.utf8.contains(where: Self.isDigit) else { return nil }
    return ["null", "true", "false", "none", "nil"].contains(value) ? nil : (end, value)
  }

  private func keyBefore() -> (isCode: Bool, takesLine: Bool)? {
    var index = position - 1
    var separators = 0
    while index >= 0, position - index < 8, "\"'= \t:".utf8.contains(bytes[index]) {
      if bytes[index] == UInt8(ascii: "=") || bytes[index] == UInt8(ascii: ":") { separators += 1 }
      index -= 1
    }
    guard separators > 0, index >= 0 else { return nil }
    var start = index + 1
    while start > 0, index - start < 64, Self.isWord(bytes[start - 1]) { start -= 1 }
    let key = text(start..<index + 1).lowercased().filter { $0 != "_" && $0 != "-" }
    if ["authorization", "cookie", "setcookie", "proxyauthorization"].contains(key) { return (false, true) }
    if key == "code" { return (true, false) }
    if showsPersonal, SecretKey.isPersonal(key) { return nil }
    return SecretKey.isSecret(key) ? (false, false) : nil
  }

  /// The user, query or fragment of a URL that begins here.
  func hiddenPartOfURL() -> (Int, String)? {
    let isTail = position > 0 && (bytes[position - 1] == UInt8(ascii: "?") || bytes[position - 1] == UInt8(ascii: "#"))
    // Only these parts of a URL are masked.
    guard isTail || position >= 3 && bytes[position - 3..<position].elementsEqual("://".utf8) else { return nil }
    var start = position
    while start > 0, position - start < 512, !Self.isSpace(bytes[start - 1]), bytes[start - 1] != UInt8(ascii: "\"") {
      start -= 1
    }
    let before = bytes[start..<position]
    guard let scheme = Self.schemeEnd(before) else { return nil }
    let isPart: (UInt8) -> Bool = { !Self.isSpace($0) && !"\"'<>".utf8.contains($0) }
    if isTail {
      let end = end(from: position, while: isPart)
      return end > position ? (end, text(position..<end)) : nil
    }
    guard scheme == position else { return nil }
    let end = end(from: position) { isPart($0) && !"/?#@".utf8.contains($0) }
    return end > position && end < bytes.count && bytes[end] == UInt8(ascii: "@") ? (end, text(position..<end)) : nil
  }

  /// Where the authority of a URL begins; nil without `://`.
  private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 3 else { return nil }
    for index in bytes.startIndex...(bytes.endIndex - 3) where bytes[index] == UInt8(ascii: ":") {
      if bytes[index + 1] == UInt8(ascii: "/"), bytes[index + 2] == UInt8(ascii: "/") { return index + 3 }
    }
    return nil
  }
}

/// Names under which secrets stand.
enum SecretKey {
  private static let parts = [
    "token", "secret", "password", "passwd", "passphrase", "apikey", "privatekey", "credential", "authcode",
    "accesscode", "eaprelaypacket",
  ]
  private static let personal = ["msisdn", "imsi", "iccid", "imei", "phonenumber", "eapid", "terminalid", "simid"]
  private static let names: Set<String> = ["pin", "puk", "otp", "jwt", "nonce", "pass", "psk", "mk"]

  /// - Parameter key: in lower case, without dashes and underscores.
  static func isSecret(_ key: String) -> Bool {
    names.contains(key) || parts.contains { key.contains($0) } || isPersonal(key)
  }

  /// Whether its value is the subscriber's or the modem's number.
  static func isPersonal(_ key: String) -> Bool { personal.contains { key.contains($0) } }
}
