import HTTPTestSupport
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import NetworkAddress
import RedirectChain
import Web

@testable import BoundHTTP

/// What became of the sets of a client, as it tells.
final class Tallies: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: WarmTally.self)

  @Sendable func note(_ tally: WarmTally) { continuation.yield(tally) }

  /// The next set's.
  func next() async -> WarmTally? {
    for await tally in stream { return tally }
    return nil
  }
}

/// What sockets moved, as a report hears of it.
final class Moved: Sendable {
  private let sum = NIOLockedValueBox((bytes: 0, connections: 0))

  @Sendable func note(_ sent: Int, _ received: Int, _ connections: Int) {
    sum.withLockedValue { $0 = ($0.bytes + sent + received, $0.connections + connections) }
  }

  var bytes: Int { sum.withLockedValue(\.bytes) }
  var connections: Int { sum.withLockedValue(\.connections) }
}

/// A server that takes connections, and does with them what a test says.
final class HeldServer: Sendable {
  let port: Int
  private let listener: any Channel
  private let held: NIOLockedValueBox<[any Channel]>

  static func start(tls: NIOSSLContext? = nil) async throws -> HeldServer {
    let held = NIOLockedValueBox<[any Channel]>([])
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        held.withLockedValue { $0.append(channel) }
        return channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return HeldServer(listener, held)
  }

  private init(_ listener: any Channel, _ held: NIOLockedValueBox<[any Channel]>) {
    (self.listener, self.held) = (listener, held)
    port = listener.localAddress?.port ?? 0
  }

  var count: Int { held.withLockedValue(\.count) }

  /// Closes every connection, and waits until the client has closed it as well.
  func closeAll() async throws {
    for channel in held.withLockedValue(\.self) { try? await channel.close().get() }
  }

  /// Says something that nobody asked for.
  func sayToAll(_ text: String) async throws {
    for channel in held.withLockedValue(\.self) { try await channel.writeAndFlush(ByteBuffer(string: text)).get() }
  }

  func stop() async {
    try? await closeAll()
    try? await listener.close()
  }
}

extension ChainClient.Options {
  /// - Parameter change: what differs from the usual ones.
  static func with(_ change: (inout ChainClient.Options) -> Void) -> ChainClient.Options {
    var options = ChainClient.Options()
    change(&options)
    return options
  }
}

extension TestWorld {
  static let kind = ChainKind("test/check")

  /// An expected chain of this world.
  static func expected(
    _ kind: ChainKind? = TestWorld.kind, first: String? = nil, owner: ChainRequest.Owner = TestWorld.owner,
    since: Int64? = nil, policy: ChainPolicy = TestWorld.policy()
  ) throws -> ExpectedChain {
    ExpectedChain(
      owner: owner, kind: kind, first: try first.map { try WebURL($0) }, policy: policy, bearerSince: since)
  }

  /// Makes connections ready, and says how many are; nil if none are made.
  func warm(_ chain: ExpectedChain, client: ChainClient? = nil, onBytes: ByteReport? = nil) async -> Int? {
    guard let count = (client ?? self.client).warm(chain, over: interface, onBytes: onBytes) else { return nil }
    return await count()
  }
}
