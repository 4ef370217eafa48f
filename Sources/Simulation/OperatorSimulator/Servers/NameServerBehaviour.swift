import NetworkAddress

/// How a name server answers at the moment, whatever it knows.
package enum NameServerBehaviour: Hashable, Sendable {
  /// From its table.
  case honest
  /// Not at all.
  case silent
  /// Every name has these addresses.
  case lying([IPAddress])
  /// These names have these addresses, and the others are answered from the table.
  case lyingAbout([String: [IPAddress]])

  /// Reads `honest`, `silent`, addresses with blanks between them, or names as in
  /// `a.example=192.0.2.1,2001:db8::1`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let words = text.split { $0.isWhitespace }
    switch words.first {
    case "honest" where words.count == 1: self = .honest
    case "silent" where words.count == 1: self = .silent
    case let first? where first.contains("="):
      guard let lies = Self.lies(words) else { return nil }
      self = .lyingAbout(lies)
    default:
      let addresses = words.compactMap { IPAddress($0) }
      guard !addresses.isEmpty, addresses.count == words.count else { return nil }
      self = .lying(addresses)
    }
  }

  private static func lies(_ words: [some StringProtocol]) -> [String: [IPAddress]]? {
    var lies: [String: [IPAddress]] = [:]
    for word in words {
      let halves = word.split(separator: "=", omittingEmptySubsequences: false)
      guard halves.count == 2, !halves[0].isEmpty else { return nil }
      let texts = halves[1].split(separator: ",")
      let addresses = texts.compactMap { IPAddress($0) }
      guard !addresses.isEmpty, addresses.count == texts.count else { return nil }
      lies[halves[0].lowercased()] = addresses
    }
    return lies
  }
}
