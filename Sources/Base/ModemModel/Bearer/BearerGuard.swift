/// What prevents the network behind a bearer, and the machine's other users, from using the bearer
/// against the machine.
public enum BearerGuard: Hashable, Sendable {
  /// The bearer has its own VRF. Nothing comes in over it, no address from the network changes the
  /// path of the machine's packets, and only modemd's sockets leave by it. The text names what is
  /// not covered; nil for nothing.
  case vrf(String?)
  /// A table of the packet filter: nothing comes in, and only modemd's sockets leave.
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

  /// What is not covered, or why there is no guard, in one sentence.
  public var text: String? {
    switch self {
    case .vrf(let gap): gap
    case .nftables: nil
    case .none(let reason): reason
    }
  }

  /// Reads the values from the wire; nil for an unknown word.
  public init?(word: String, text: String?) {
    switch word {
    case "vrf": self = .vrf(text)
    case "nftables": self = .nftables
    case "none": self = .none(text ?? "the port does not say why")
    default: return nil
    }
  }
}
