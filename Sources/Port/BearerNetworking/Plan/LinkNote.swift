import Rtnetlink

/// A link's state before the bearer, kept in the link's alias. It lives as long as the link,
/// survives a crash of the program, and is visible to an administrator in `ip link`.
struct LinkNote: Hashable, Sendable {
  var wasUp: Bool
  /// Bytes.
  var mtu: Int
  /// IPv6 address generation mode; nil if the link had none.
  var addressGeneration: UInt8?
  /// `accept_ra` of the link; nil if it could not be read.
  var acceptsAdvertisements: UInt8?
  /// The alias that the link had.
  var alias: String

  private static let mark = "modemd was:"
  /// Bytes that the kernel accepts (IFALIASZ less the zero).
  private static let room = 255

  init(of link: Link, acceptsAdvertisements: UInt8?) {
    wasUp = link.isUp
    mtu = link.mtu
    addressGeneration = link.addressGeneration
    self.acceptsAdvertisements = acceptsAdvertisements
    alias = link.alias ?? ""
  }

  /// Reads a note from an alias; nil if it has none.
  init?(alias text: String) {
    guard let (before, note) = Self.split(text) else { return nil }
    var values: [Substring: Int] = [:]
    for word in note.split(separator: " ") {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let value = Int(parts[1]) else { return nil }
      values[parts[0]] = value
    }
    guard let up = values["up"], let mtu = values["mtu"], mtu > 0 else { return nil }
    wasUp = up != 0
    self.mtu = mtu
    addressGeneration = values["addrgen"].flatMap { UInt8(exactly: $0) }
    acceptsAdvertisements = values["ra"].flatMap { UInt8(exactly: $0) }
    alias = String(before)
  }

  /// The alias followed by the note; nil if it is too long for the kernel.
  var text: String? {
    var note = "\(Self.mark) up=\(wasUp ? 1 : 0) mtu=\(mtu)"
    if let addressGeneration { note += " addrgen=\(addressGeneration)" }
    if let acceptsAdvertisements { note += " ra=\(acceptsAdvertisements)" }
    let whole = alias.isEmpty ? note : "\(alias) \(note)"
    return whole.utf8.count <= Self.room ? whole : nil
  }

  private static func split(_ text: String) -> (Substring, Substring)? {
    var start = text.endIndex
    while start > text.startIndex {
      start = text.index(before: start)
      guard text[start...].hasPrefix(mark) else { continue }
      var before = text[..<start]
      if before.last == " " { before.removeLast() }
      return (before, text[start...].dropFirst(mark.count))
    }
    return nil
  }
}
