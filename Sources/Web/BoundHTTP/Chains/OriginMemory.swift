import NIOConcurrencyHelpers
import RedirectChain
import Web

/// The origins that chains went through, so that connections to them can be opened before the next
/// such chain needs them. Chains are alike if they begin at the same origin, or are of one kind. A
/// new bearer starts with none.
final class OriginMemory: Sendable {
  /// What is known of the last chain of a kind.
  struct Way: Hashable, Sendable {
    /// One URL for each origin, in the order in which the chain reached them. The first is the
    /// chain's own.
    let origins: [WebURL]
    /// What it could not have connected otherwise.
    let fit: ConnectionFit
  }

  private enum Start: Hashable {
    case origin(WebURL.Origin)
    case kind(ChainKind)
  }

  private struct Key: Hashable {
    let interface: BoundInterface
    let start: Start
  }

  /// For one owner of chains.
  private static let maximumChains = 64
  /// More than an operator's chain uses. A chain that wanders must not make the next one open
  /// dozens of sockets.
  static let maximumOrigins = 6
  private let chains = NIOLockedValueBox<[Key: Way]>([:])

  /// One URL for each origin after the first, in the order in which the last chain reached them.
  func origins(behind url: WebURL, kind: ChainKind? = nil, on interface: BoundInterface) -> [WebURL] {
    let known = kind.flatMap { way(of: $0, on: interface) } ?? way(from: url, on: interface)
    return known?.origins.filter { $0.origin != url.origin } ?? []
  }

  /// The way of the last chain of a kind; nil if there was none.
  func way(of kind: ChainKind, on interface: BoundInterface) -> Way? { way(.kind(kind), on: interface) }

  /// The way of the last chain that began at a URL's origin; nil if there was none.
  func way(from url: WebURL, on interface: BoundInterface) -> Way? { way(.origin(url.origin), on: interface) }

  private func way(_ start: Start, on interface: BoundInterface) -> Way? {
    chains.withLockedValue { $0[Key(interface: interface, start: start)] }
  }

  /// Forgets the chains over an interface.
  func forget(interface index: Int32) {
    chains.withLockedValue { chains in chains = chains.filter { $0.key.interface.index != index } }
  }

  /// Remembers a finished chain. Only the scheme, host and port of its URLs are kept.
  func remember(_ urls: [WebURL], of request: ChainRequest, on interface: BoundInterface) {
    let url = request.url
    var seen: Set<WebURL.Origin> = [url.origin]
    let others = urls.filter { seen.insert($0.origin).inserted }.prefix(Self.maximumOrigins)
    let way = Way(origins: ([url] + others).compactMap(\.root), fit: ConnectionFit(request.policy))
    let starts = [.origin(url.origin)] + (request.kind.map { [Start.kind($0)] } ?? [])
    chains.withLockedValue { chains in
      if chains.count + starts.count > Self.maximumChains { chains = [:] }
      for start in starts { chains[Key(interface: interface, start: start)] = way }
    }
  }
}

extension WebURL {
  /// The origin's own URL, without path and query.
  var root: WebURL? { try? WebURL("\(scheme.rawValue)://\(hostField)/") }
}
