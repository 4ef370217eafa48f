import NetworkAddress

/// Masks personal and secret values in a report. The same value has the same name everywhere, as in
/// `imsi#1`.
///
/// Values learned from modemd and from settings are found everywhere. Values that only look like an
/// identifier, an address or a token are found by their form.
struct ReportMask {
  /// A value's kind, and its name in the report.
  enum Kind: String, Sendable {
    case msisdn, imsi, iccid, imei, number, mac, ipv4, ipv6, serial, user, host, secret, token

    /// Whether it belongs to the subscriber or the modem: such values can be revealed on request.
    var isPersonal: Bool {
      switch self {
      case .msisdn, .imsi, .iccid, .imei, .number, .mac, .ipv4, .ipv6: true
      case .serial, .user, .host, .secret, .token: false
      }
    }
  }

  struct Known: Hashable {
    let bytes: [UInt8]
    let label: String
    /// Whether it only counts without a letter or digit next to it.
    let isWord: Bool
  }

  /// Whether to show the subscriber's and the modem's numbers and addresses.
  let reveals: Bool
  private var labels: [String: String] = [:]
  private var counts: [Kind: Int] = [:]
  private(set) var known: [UInt8: [Known]] = [:]
  private(set) var kept: Set<String> = []
  /// Names of numbers by their last digits, because a number may be written with or without its
  /// country code.
  private var nationals: [String: String] = [:]

  init(reveals: Bool = false) { self.reveals = reveals }

  /// How many values have a name.
  var count: Int { labels.count }

  /// Masks a value everywhere.
  ///
  /// - Parameter value: ignored below 3 characters, or below 5 for a serial number, because it
  ///   would be found everywhere.
  mutating func learn(_ value: String?, as kind: Kind) {
    guard let value = value?.trimmingSpace(), value.utf8.count >= (kind == .serial ? 5 : 3),
      !(reveals && kind.isPersonal)
    else { return }
    let digits = value.filter { $0.isASCII && $0.isNumber }
    guard [.msisdn, .imsi, .iccid, .imei].contains(kind), digits.count >= 5 else {
      guard !Self.common.contains(value.lowercased()) else { return }
      // A short secret would be found within other words.
      let isWord = kind == .user || kind == .host || kind == .secret && value.utf8.count < 6
      return add(value, label(of: value, kind), isWord: isWord)
    }
    let label = label(of: digits, kind)
    add(digits, label)
    // The same number without its country's code.
    if kind == .msisdn, digits.count >= 10 {
      add(String(digits.suffix(9)), label)
      nationals[String(digits.suffix(9))] = label
    }
  }

  /// Shows a value that looks like a token, such as some names of firmware.
  mutating func keep(_ value: String?) {
    for word in (value ?? "").split(whereSeparator: { !Self.isWordCharacter($0) }) { kept.insert(String(word)) }
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "_-+~".contains(character))
  }

  private mutating func add(_ value: String, _ label: String, isWord: Bool = false) {
    let bytes = Array(value.utf8)
    let entry = Known(bytes: bytes, label: label, isWord: isWord)
    guard let first = bytes.first, known[first]?.contains(entry) != true else { return }
    // The longest first, because one value may be part of another.
    known[first, default: []].append(entry)
    known[first]?.sort { $0.bytes.count > $1.bytes.count }
  }

  /// The name of a value.
  mutating func label(of value: String, _ kind: Kind) -> String {
    if let label = labels[value] { return label }
    let number = counts[kind, default: 0] + 1
    counts[kind] = number
    let label = "\(kind.rawValue)#\(number)"
    labels[value] = label
    return label
  }

  /// Names of users and hosts that reveal nothing, and would be found in every second line.
  private static let common: Set<String> = [
    "root", "modemd", "modem", "modemctl", "debian", "ubuntu", "raspberrypi", "raspbian", "fedora", "linux",
    "localhost", "user", "admin",
    "host", "system", "systemd", "nobody", "daemon", "the", "and", "www-data", "pi", "none", "null", "true", "false",
  ]

  /// A text with everything masked.
  mutating func callAsFunction(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var scan = ReportScan(bytes, showsPersonal: reveals)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    while let (found, label) = next(in: &scan, &output) {
      output += Array(label.utf8)
      scan.position = found
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Copies text up to the next value to mask.
  ///
  /// - Returns: the end of the value and its replacement; nil at the end of the text.
  private mutating func next(in scan: inout ReportScan, _ output: inout [UInt8]) -> (Int, String)? {
    while !scan.isAtEnd {
      if let match = scan.known(in: known) {
        // A number's sign belongs to it.
        if output.last == UInt8(ascii: "+") { output.removeLast() }
        return match
      }
      if scan.isAtBoundary, let (end, shown) = form(at: scan) { return (end, shown) }
      output.append(scan.byte)
      scan.position += 1
    }
    return nil
  }

  /// The value at a position, if its form is one to mask.
  private mutating func form(at scan: ReportScan) -> (Int, String)? {
    if let (end, value) = scan.secretOfKey() { return (end, label(of: value, .secret)) }
    if let (end, value) = scan.hiddenPartOfURL() { return (end, label(of: value, .secret)) }
    if let (end, value) = scan.macAddress() {
      let plain = value.lowercased().filter { $0 != ":" && $0 != "-" }
      guard plain.contains(where: { $0 != "0" && $0 != "f" }), !reveals else { return (end, value) }
      return (end, label(of: plain, .mac))
    }
    if let (end, address, prefix) = scan.address() { return (end, shown(address, prefix)) }
    guard let (end, word) = scan.word() else { return nil }
    return shown(word).map { (end, $0) }
  }

  /// An address as its first part and a name; unchanged if it is not public.
  private mutating func shown(_ address: IPAddress, _ prefix: Int?) -> String {
    let text = "\(address)"
    switch address {
    case .v4:
      // Halves of the Internet, as in routes of VPNs.
      guard address.isPublic, (prefix ?? 32) > 8, !reveals else { return text }
      return "\(label(of: text, .ipv4))(\(address.bytes[0]).…)"
    case .v6:
      guard !address.isUnspecified, !address.isLoopback, !address.isMulticast, (prefix ?? 128) > 16, !reveals else {
        return text
      }
      let first = String(UInt16(address.bytes[0]) << 8 | UInt16(address.bytes[1]), radix: 16)
      return "\(label(of: text, .ipv6))(\(first):…)"
    }
  }

  /// The replacement of a word that looks like an identifier; nil for others.
  private mutating func shown(_ word: String) -> String? {
    let isSigned = word.first == "+"
    let digits = isSigned ? word.dropFirst() : word[...]
    if digits.utf8.count >= 7, digits.utf8.allSatisfy(ReportScan.isDigit) {
      let kind = Self.kind(ofDigits: digits, isSigned: isSigned)
      if let label = nationals[String(digits.suffix(9))] { return label }
      // modemd's own routing tables.
      if !isSigned, digits.utf8.count == 7, digits.hasPrefix("7700") { return word }
      if reveals, kind.isPersonal { return word }
      return label(of: String(digits), kind)
    }
    if let mac = Self.macOfName(word) { return reveals ? word : word.prefix(3) + label(of: mac, .mac) }
    guard !kept.contains(word), !Self.isModemID(word), Self.looksSecret(word) else { return nil }
    return label(of: word, .token)
  }

  private static func kind(ofDigits digits: Substring, isSigned: Bool) -> Kind {
    switch digits.utf8.count {
    case _ where isSigned: .msisdn
    case 15: isIMEI(digits) ? .imei : .imsi
    case 16: .imei
    case 18...20 where digits.hasPrefix("89"): .iccid
    default: .number
    }
  }

  /// Whether the last digit is the check digit of the others (3GPP TS 23.003, annex B).
  private static func isIMEI(_ digits: Substring) -> Bool {
    let sum = digits.utf8.enumerated().reduce(0) { sum, digit in
      let value = Int(digit.element) - 0x30
      guard digit.offset % 2 == 1 else { return sum + value }
      return sum + (value > 4 ? value * 2 - 9 : value * 2)
    }
    return sum % 10 == 0
  }

  /// The MAC address in the name of an interface, as in `wwx0a1b2c3d4e5f`.
  private static func macOfName(_ word: String) -> String? {
    guard word.utf8.count == 15, ["enx", "wlx", "wwx", "ibx"].contains(String(word.prefix(3))) else { return nil }
    let mac = word.dropFirst(3)
    return mac.utf8.allSatisfy(ReportScan.isHexDigit) ? String(mac) : nil
  }

  /// A modem's id is made with a key of the machine and reveals nothing.
  private static func isModemID(_ word: String) -> Bool {
    word.utf8.count == 22 && word.hasPrefix("modem-") && word.dropFirst(6).utf8.allSatisfy(ReportScan.isHexDigit)
  }

  /// 20 characters and more with letters and digits, or 10 digits in a row among letters.
  private static func looksSecret(_ word: String) -> Bool {
    var (run, longest, letters) = (0, 0, 0)
    for byte in word.utf8 {
      run = ReportScan.isDigit(byte) ? run + 1 : 0
      longest = max(longest, run)
      if ReportScan.isLetter(byte) { letters += 1 }
    }
    guard letters > 0 else { return false }
    return longest >= 10 || word.utf8.count >= 20 && longest > 0
  }
}
