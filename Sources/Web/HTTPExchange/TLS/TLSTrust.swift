import NIOConcurrencyHelpers
import NIOPosix
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
  /// Not a dictionary, whose type alone costs a start more instructions than both contexts' use.
  private let contexts = NIOLockedValueBox<[(newest: TLSTrust.Version, context: TLSClientContext)]>([])

  /// Held while a context is made, so that whoever asks for another one, or whether there is one,
  /// does not wait.
  private let making = NIOLock()

  package init(_ trust: TLSTrust) { self.trust = trust }

  /// Returns the same context for every version.
  package init(_ context: TLSClientContext) {
    trust = TLSTrust(usesSystemRoots: false)
    contexts.withLockedValue { contexts in
      contexts = TLSTrust.Version.allCases.map { ($0, context) }
    }
  }

  /// The context; it blocks while the roots are read for the first time.
  ///
  /// - Throws: `ExchangeError` `badTrust`.
  package func get(_ newest: TLSTrust.Version = .tls13) throws -> TLSClientContext {
    let newest = min(newest, trust.newestVersion)
    if let known = known(newest) { return known }
    return try making.withLock {
      if let known = known(newest) { return known }
      let made = try make(newest)
      contexts.withLockedValue { $0.append((newest, made)) }
      return made
    }
  }

  private func known(_ newest: TLSTrust.Version) -> TLSClientContext? {
    contexts.withLockedValue { contexts in contexts.first { $0.newest == newest }?.context }
  }

  /// Makes the context if there is none yet, on a thread that may block.
  ///
  /// - Throws: `ExchangeError` `badTrust`.
  package func prepare(_ newest: TLSTrust.Version = .tls13) async throws {
    if known(min(newest, trust.newestVersion)) != nil { return }
    try await NIOThreadPool.singleton.runIfActive { _ = try self.get(newest) }
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
