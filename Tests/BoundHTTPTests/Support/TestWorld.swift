import BoundHTTP
import Glibc
import HTTPExchange
import HTTPTestSupport
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import NetworkAddress
import RedirectChain
import Web

extension DNSTiming {
  /// For tests whose servers answer: a busy machine asks nothing twice, and takes no family for
  /// missing.
  static var patient: DNSTiming {
    var timing = DNSTiming()
    (timing.attempt, timing.otherFamily, timing.total) = (.seconds(30), .seconds(30), .seconds(50))
    return timing
  }
}

extension ConnectionTiming {
  /// For tests whose servers answer: a busy machine tries no second address, and opens no second
  /// connection.
  static var patient: ConnectionTiming {
    var timing = ConnectionTiming()
    (timing.nextAddress, timing.reuse) = (.seconds(30), .seconds(30))
    return timing
  }
}

/// The loopback device as a bearer: a DNS server that knows some names, and a client bound to the
/// device.
struct TestWorld: Sendable {
  static let loopback = Int(if_nametoindex("lo"))
  static let everyName = Dictionary(uniqueKeysWithValues: TestCertificates.names.map { ($0, ["127.0.0.1"]) })

  let dns: TestDNS
  let client: ChainClient
  let interface: BoundInterface
  let certificates: TestCertificates

  static func make(
    sources: [String] = ["127.0.0.1"], servers: [String] = ["127.0.0.1"], timing: DNSTiming = .patient,
    connecting: ConnectionTiming = ConnectionTiming(), newestTLS: TLSTrust.Version = .tls13,
    learnsOrigins: Bool = false, rootFile: String? = nil,
    options given: ChainClient.Options = ChainClient.Options(),
    _ answering: @escaping TestDNS.Answering = TestDNS.table(everyName)
  ) async throws -> TestWorld {
    let certificates = try TestCertificates.shared.get()
    let dns = try await TestDNS.start(answering)
    var options = given
    options.trust = TLSTrust(extraRootsFile: rootFile ?? certificates.rootFile, usesSystemRoots: false)
    options.dns = timing
    options.connecting = connecting
    options.trust.newestVersion = newestTLS
    options.learnsOrigins = learnsOrigins
    let interface = try BoundInterface(
      name: "lo", index: loopback, dnsServers: servers.compactMap { IPAddress($0) },
      sources: sources.compactMap { IPAddress($0) }, dnsPort: dns.port)
    let client = ChainClient(
      group: MultiThreadedEventLoopGroup.singleton, options: options,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return TestWorld(dns: dns, client: client, interface: interface, certificates: certificates)
  }

  func secureServer(
    _ kind: TestCertificates.Kind = .good, on host: String = "127.0.0.1", _ answering: @escaping TestServer.Answering
  ) async throws -> TestServer {
    try await TestServer.start(on: host, tls: certificates.serverContext(kind), answering)
  }

  /// Policy for a world on this machine.
  static func policy(_ change: (inout ChainPolicy) -> Void = { _ in }) -> ChainPolicy {
    var policy = ChainPolicy()
    policy.allowedAddresses = Set(["127.0.0.1", "127.0.0.2", "::1"].compactMap { IPAddress($0) })
    change(&policy)
    return policy
  }

  struct Walk: Sendable {
    let result: ChainResult
    let hops: [ChainHop]

    var cause: ChainFailure.Cause? {
      if case .failed(let failure) = result { failure.cause } else { nil }
    }
    var text: String {
      if case .failed(let failure) = result { failure.text } else { "" }
    }
    /// Whether the chain failed before the last request left.
    var isUnsent: Bool {
      if case .failed(let failure) = result { failure.isUnsent } else { false }
    }
    var answer: ChainAnswer? {
      if case .answer(let answer) = result { answer } else { nil }
    }
  }

  /// Whose chains they are where a test does not care.
  static let owner = ChainRequest.Owner(userID: 1000)

  func walk(
    _ url: String, redirectURI: String? = nil, state: String? = nil, headers: [WebHeader] = [],
    policy: ChainPolicy = TestWorld.policy(), owner: ChainRequest.Owner? = TestWorld.owner, kind: ChainKind? = nil,
    bearerSince: Int64? = nil, client: ChainClient? = nil, onBytes: ByteReport? = nil
  ) async throws -> Walk {
    var request = ChainRequest(
      url: try WebURL(url), redirectURI: try redirectURI.map { try RedirectURI($0) }, state: state, headers: headers,
      policy: policy)
    request.owner = owner
    (request.kind, request.bearerSince) = (kind, bearerSince)
    let hops = NIOLockedValueBox<[ChainHop]>([])
    let result = await (client ?? self.client).run(
      request, over: interface, onHop: { hop in hops.withLockedValue { $0.append(hop) } }, onBytes: onBytes)
    return Walk(result: result, hops: hops.withLockedValue { $0 })
  }
}
