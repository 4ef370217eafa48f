import HTTPTestSupport
import ModemAPI
import ModemAPIClient
import NIOPosix
import NetworkAddress
import Testing

@testable import OperatorSimulator
@testable import ScenarioRunner

/// What who sits behind the bearer has: servers that send any bytes, names that lead anywhere, and
/// what listens on the machine to be reached.
struct HostileNetwork: Sendable {
  /// Who is asked first. Its certificate is good.
  static let host = "check.aggregator.example"

  let world: World
  /// In the operator's namespace.
  private let group: MultiThreadedEventLoopGroup
  /// In the machine's.
  private let ownGroup: MultiThreadedEventLoopGroup

  /// Runs `body` in the suite's world; its names are true again behind it, and nothing has left by
  /// the other uplink.
  static func attack(_ body: (HostileNetwork) async throws -> Void) async throws {
    let world = try SharedWorld.current()
    // Threads stay in the namespace of the one that starts them.
    let group = try await world.links.network.run { MultiThreadedEventLoopGroup(numberOfThreads: 1) }
    let ownGroup = try await world.links.host.run { MultiThreadedEventLoopGroup(numberOfThreads: 1) }
    let network = HostileNetwork(world: world, group: group, ownGroup: ownGroup)
    do {
      try await network.renew()
      try await body(network)
    } catch {
      await network.end()
      throw error
    }
    #expect(world.leaks.packets == 0, "\(world.leaks)")
    await network.end()
  }

  private func end() async {
    _ = try? await world.perform("names honest")
    try? await group.shutdownGracefully()
    try? await ownGroup.shutdownGracefully()
  }

  /// Has the bearer come anew, with nothing remembered of it.
  func renew() async throws {
    _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
    _ = try await world.client().call(BearerInterface.Connect.self, .init())
  }

  /// What the operator's DNS says of some names.
  func say(_ names: [(String, String)]) async throws {
    _ = try await world.perform("names " + names.map { "\($0)=\($1)" }.joined(separator: " "))
  }

  /// A server behind the bearer, at all addresses of it.
  ///
  /// - Parameter certificate: the host that its certificate is for; nil for cleartext.
  func server(
    _ certificate: String? = HostileNetwork.host, _ answering: @escaping TestServer.Answering
  ) async throws -> TestServer {
    let tls = try certificate.map { host in
      try WorldCertificates(in: world.folder.file("certificates")).identity(of: host).tlsContext()
    }
    return try await TestServer.start(on: "::", tls: tls, group: group, answering)
  }

  /// Has the world's authority issue a certificate, for an address too.
  func issue(for host: String) throws {
    _ = try PrivateAuthority(madeIn: world.folder.file("certificates"), name: "authority").issue(for: host)
  }

  /// Gives the operator's side an address.
  func own(_ address: String) async throws {
    let prefix = try #require(IPPrefix(text: "\(address)/128"))
    try await world.links.network.run { try Kernel().bringUp("lo", [prefix]) }
  }

  /// A service of the machine's own, which listens on all its addresses as many do. Nobody behind
  /// the bearer may reach it.
  func victim() async throws -> TestServer {
    try await TestServer.start(on: "::", group: ownGroup) { _ in TestServer.json(#"{"own":true}"#) }
  }

  /// Opens a URL at `host`.
  func open(_ port: Int, _ path: String = "/", _ redirectURI: String? = nil) async throws -> Walk {
    var walk = Walk()
    let stream = try await world.client().stream(
      CheckInterface.Open.self,
      .init(url: "https://\(Self.host):\(port)\(path)", redirectURI: redirectURI, timeoutMilliseconds: 20_000))
    for try await reply in stream {
      if let hop = reply.hop { walk.hops.append(hop) }
      if let outcome = reply.outcome { walk.outcome = outcome }
    }
    return walk
  }

  /// Opens one URL after another that redirects to each of these.
  func follow(_ locations: [String]) async throws -> [(location: String, walk: Walk)] {
    let server = try await server { request in
      TestServer.redirect(Int(request.target.dropFirst()).map { locations[$0] } ?? "/")
    }
    var walks: [(String, Walk)] = []
    for (position, location) in locations.enumerated() {
      walks.append((location, try await open(server.port, "/\(position)")))
    }
    await server.stop()
    return walks
  }
}
