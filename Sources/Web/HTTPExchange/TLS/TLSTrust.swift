import NIOConcurrencyHelpers
import NIOSSL
import RedirectChain

/// Which certificates a client trusts. Names are always verified.
package struct TLSTrust: Hashable, Sendable {
  package typealias Version = ChainPolicy.TLSVersion

  /// Whether the system's own roots count.
  package var usesSystemRoots = true
  /// A PEM file with more roots; nil for none.
  package var extraRootsFile: String?
  /// The newest version that is offered; a chain's policy may lower it.
  package var newestVersion = Version.tls13

  package init(extraRootsFile: String? = nil, usesSystemRoots: Bool = true) {
    self.extraRootsFile = extraRootsFile
    self.usesSystemRoots = usesSystemRoots
  }
}

/// The TLS contexts of a client, one for each newest version. Each is made on first use, because
/// reading the system's roots takes some milliseconds.
package final class TLSContextBox: Sendable {
  private let trust: TLSTrust
  private let contexts = NIOLockedValueBox<[TLSTrust.Version: TLSClientContext]>([:])

  package init(_ trust: TLSTrust) { self.trust = trust }

  /// Returns the same context for every version.
  package init(_ context: TLSClientContext) {
    trust = TLSTrust(usesSystemRoots: false)
    contexts.withLockedValue { contexts in
      for version in TLSTrust.Version.allCases { contexts[version] = context }
    }
  }

  /// The context; it blocks while the roots are read for the first time.
  ///
  /// - Throws: `ExchangeError` `badTrust`.
  package func get(_ newest: TLSTrust.Version = .tls13) throws -> TLSClientContext {
    let newest = min(newest, trust.newestVersion)
    return try contexts.withLockedValue { contexts in
      if let context = contexts[newest] { return context }
      let made = try make(newest)
      contexts[newest] = made
      return made
    }
  }

  private func make(_ newest: TLSTrust.Version) throws -> TLSClientContext {
    var configuration = TLSConfiguration.exchange(newest)
    configuration.trustRoots = trust.usesSystemRoots ? .default : .certificates([])
    if let file = trust.extraRootsFile {
      do {
        configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(file))]
      } catch {
        throw ExchangeError(
          .badTrust, "the extra roots in \(file) cannot be read; expected certificates in PEM form", cause: "\(error)")
      }
    }
    do {
      return try TLSClientContext(configuration)
    } catch {
      throw ExchangeError(
        .badTrust, "the system's roots of trust cannot be read; install ca-certificates", cause: "\(error)")
    }
  }
}
