/// What keeps the network behind a bearer, and the machine's other users, from using the bearer against the machine.
public enum BearerGuard: Hashable, Sendable {
  /// The bearer is in a VRF of its own: nothing comes in over it, no address of the network's changes the way of the machine's packets, and
  /// only sockets that modemd made leave by it. The text says what is not covered; nil for nothing.
  case vrf(String?)
  /// A table of the packet filter: nothing comes in, and only sockets that modemd made leave.
  case nftables
  /// None, with the reason in one sentence.
  case none(String)

  /// The name on the wire.
  public var word: String {
    switch self {
    case .vrf: "vrf"
    case .nftables: "nftables"
    case .none: "none"
    }
  }

  /// What is not covered, or why there is none, in one sentence.
  public var text: String? {
    switch self {
    case .vrf(let gap): gap
    case .nftables: nil
    case .none(let reason): reason
    }
  }

  /// Reads what the wire has; nil for an unknown word.
  public init?(word: String, text: String?) {
    switch word {
    case "vrf": self = .vrf(text)
    case "nftables": self = .nftables
    case "none": self = .none(text ?? "the port does not say why")
    default: return nil
    }
  }
}
