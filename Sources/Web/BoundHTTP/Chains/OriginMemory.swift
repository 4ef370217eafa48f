import NIOConcurrencyHelpers
import RedirectChain
import Web

/// The origins that the chains of a first host used, so that the next chain can open connections to
/// them ahead. A new bearer starts with none.
final class OriginMemory: Sendable {
  private struct Key: Hashable {
    let interface: BoundInterface
    let first: WebURL.Origin
  }

  /// For one owner of chains.
  private static let maximumChains = 64
  /// More than an operator's chain uses. A chain that wanders must not make the next one open
  /// dozens of sockets.
  static let maximumOrigins = 6
  private let chains = NIOLockedValueBox<[Key: [WebURL]]>([:])

  /// One URL for each origin after the first, in the order in which the last chain reached them.
  func origins(behind url: WebURL, on interface: BoundInterface) -> [WebURL] {
    chains.withLockedValue { $0[Key(interface: interface, first: url.origin)] ?? [] }
  }

  /// Forgets the chains over an interface.
  func forget(interface index: Int32) {
    chains.withLockedValue { chains in chains = chains.filter { $0.key.interface.index != index } }
  }

  /// Remembers a finished chain. Only the scheme, host and port of its URLs are kept.
  func remember(_ urls: [WebURL], from url: WebURL, on interface: BoundInterface) {
    var seen: Set<WebURL.Origin> = [url.origin]
    let roots = urls.filter { seen.insert($0.origin).inserted }.prefix(Self.maximumOrigins).compactMap(\.root)
    chains.withLockedValue { chains in
      if chains.count >= Self.maximumChains { chains = [:] }
      chains[Key(interface: interface, first: url.origin)] = roots
    }
  }
}

extension WebURL {
  /// The origin's own URL, without path and query.
  fileprivate var root: WebURL? { try? WebURL("\(scheme.rawValue)://\(hostField)/") }
}
