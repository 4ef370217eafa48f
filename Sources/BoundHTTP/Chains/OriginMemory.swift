import NIOConcurrencyHelpers
import RedirectChain

/// Which origins the chains of a first host went through, so that the next one can open connections to them ahead.
final class OriginMemory: Sendable {
  private struct Key: Hashable {
    let interface: String
    let first: WebURL.Origin
  }

  private static let maximumChains = 256
  /// More than a chain of an operator has; a chain that wanders must not make the next one open dozens of sockets.
  static let maximumOrigins = 6
  private let chains = NIOLockedValueBox<[Key: [WebURL]]>([:])

  /// One URL for each origin behind the first, in the order in which the last chain came to them.
  func origins(behind url: WebURL, on interface: BoundInterface) -> [WebURL] {
    chains.withLockedValue { $0[Key(interface: interface.name, first: url.origin)] ?? [] }
  }

  /// Remembers a chain that came to its end. Of the URLs only scheme, host and port are kept.
  func remember(_ urls: [WebURL], from url: WebURL, on interface: BoundInterface) {
    var seen: Set<WebURL.Origin> = [url.origin]
    let roots = urls.filter { seen.insert($0.origin).inserted }.prefix(Self.maximumOrigins).compactMap(\.root)
    chains.withLockedValue { chains in
      if chains.count >= Self.maximumChains { chains = [:] }
      chains[Key(interface: interface.name, first: url.origin)] = roots
    }
  }
}

extension WebURL {
  /// The origin's own URL, without path and query.
  fileprivate var root: WebURL? { try? WebURL("\(scheme.rawValue)://\(hostField)/") }
}
