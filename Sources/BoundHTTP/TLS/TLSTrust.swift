import NIOConcurrencyHelpers
import NIOSSL

/// Whose certificates a client believes. Names are always verified.
public struct TLSTrust: Hashable, Sendable {
  /// The newest version that is offered.
  public enum Version: Hashable, Sendable, CaseIterable {
    case tls12, tls13
  }

  /// Whether the system's own roots count.
  public var usesSystemRoots = true
  /// A PEM file with more roots; nil for none.
  public var extraRootsFile: String?
  /// TLS 1.2 is for old operators that break off when they see 1.3.
  public var newestVersion = Version.tls13

  public init(extraRootsFile: String? = nil, usesSystemRoots: Bool = true) {
    self.extraRootsFile = extraRootsFile
    self.usesSystemRoots = usesSystemRoots
  }
}

/// The TLS context of a client, made when it is first needed: reading the system's roots takes some milliseconds.
final class TLSContextBox: Sendable {
  private let trust: TLSTrust
  private let context = NIOLockedValueBox<NIOSSLContext?>(nil)

  init(_ trust: TLSTrust) { self.trust = trust }

  /// The context; it blocks while the roots are read for the first time.
  ///
  /// - Throws: `BoundHTTPError` `badTrust`.
  func get() throws -> NIOSSLContext {
    try context.withLockedValue { context in
      if let context { return context }
      let made = try make()
      context = made
      return made
    }
  }

  private func make() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.maximumTLSVersion = trust.newestVersion == .tls12 ? .tlsv12 : nil
    configuration.certificateVerification = .fullVerification
    configuration.shutdownTimeout = .milliseconds(200)
    configuration.applicationProtocols = ["http/1.1"]
    configuration.trustRoots = trust.usesSystemRoots ? .default : .certificates([])
    if let file = trust.extraRootsFile {
      do {
        configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(file))]
      } catch {
        throw BoundHTTPError(
          .badTrust, "the extra roots in \(file) cannot be read; expected certificates in PEM form", cause: "\(error)")
      }
    }
    do {
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw BoundHTTPError(
        .badTrust, "the system's roots of trust cannot be read; install ca-certificates", cause: "\(error)")
    }
  }
}
