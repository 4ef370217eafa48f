import BoundHTTP
import HTTPExchange
import HTTPTestSupport
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import RedirectChain
import Testing
import Web

@Suite("When a caller is told of a hop", .serialized, .timeLimit(.minutes(1)))
struct ToldHopTests {
  private enum Event: Hashable {
    case asked
    case told(Int)
    case ended
  }

  @Test("The next hop's name is asked for before the caller is told of a hop, and all are told before the end")
  func order() async throws {
    let world = try await TestWorld.make()
    let last = try await world.secureServer { _ in TestServer.json("{}") }
    let first = try await world.secureServer { _ in TestServer.redirect("https://b.example:\(last.port)/end") }
    let events = NIOLockedValueBox<[Event]>([])
    let note: @Sendable (Event) -> Void = { event in events.withLockedValue { $0.append(event) } }
    var options = ChainClient.Options()
    options.trust = TLSTrust(extraRootsFile: world.certificates.rootFile, usesSystemRoots: false)
    options.dns = .patient
    options.connecting = .patient
    options.randomID = {
      note(.asked)
      return .random(in: .min ... .max)
    }
    let client = ChainClient(
      group: MultiThreadedEventLoopGroup.singleton, options: options,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let request = ChainRequest(url: try WebURL("https://a.example:\(first.port)/"), policy: TestWorld.policy())
    let result = await client.run(request, over: world.interface) { note(.told($0.index)) }
    note(.ended)
    guard case .answer = result else {
      Issue.record("the chain ended with \(result)")
      return
    }
    #expect(events.withLockedValue(\.self) == [.asked, .asked, .told(1), .told(2), .ended])
    for server in [first, last] { await server.stop() }
    await world.dns.stop()
  }

  @Test("A caller is told of the hop that fails before the chain ends")
  func failure() async throws {
    let world = try await TestWorld.make()
    let first = try await world.secureServer { _ in TestServer.redirect("http://unknown.example/") }
    let walk = try await world.walk("https://a.example:\(first.port)/")
    #expect(walk.cause == .dnsFailed)
    #expect(walk.hops.map(\.index) == [1, 2])
    await first.stop()
    await world.dns.stop()
  }
}
