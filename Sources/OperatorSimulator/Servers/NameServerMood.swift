import NetworkAddress

/// How a name server answers at the moment, whatever it knows.
public enum NameServerMood: Hashable, Sendable {
  /// From its table.
  case honest
  /// Not at all.
  case silent
  /// Every name has these addresses.
  case lying([IPAddress])

  /// Reads `honest`, `silent`, or addresses with blanks between them; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let words = text.split { $0.isWhitespace }
    switch words.first {
    case "honest" where words.count == 1: self = .honest
    case "silent" where words.count == 1: self = .silent
    default:
      let addresses = words.compactMap { IPAddress($0) }
      guard !addresses.isEmpty, addresses.count == words.count else { return nil }
      self = .lying(addresses)
    }
  }
}
