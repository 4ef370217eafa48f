import DNSWire
import NIOCore
import NIOPosix
import NetworkAddress

/// The data of a simulated name server.
package struct NameTable: Hashable, Sendable {
  /// What is said of one name.
  package enum Entry: Hashable, Sendable {
    case addresses([IPAddress])
    /// SERVFAIL, as from a server that cannot reach its own.
    case failure
    /// No answer at all.
    case silence
  }

  /// By name in lower case, without a dot at the end.
  package var entries: [String: Entry]
  /// The answer for every other name; nil for NXDOMAIN.
  package var otherwise: [IPAddress]?

  package init(_ entries: [String: Entry], otherwise: [IPAddress]? = nil) {
    self.entries = entries
    self.otherwise = otherwise
  }

  /// The same, but for some names.
  func contradicted(by lies: [String: [IPAddress]]) -> NameTable {
    NameTable(entries.merging(lies.mapValues(Entry.addresses)) { $1 }, otherwise: otherwise)
  }

  /// The answer to a query; nil when none is given.
  func answer(to query: DNSMessage) -> DNSMessage? {
    guard !query.isResponse, query.questions.count == 1, let question = query.questions.first else {
      return query.response(.formatError)
    }
    let name = question.name.description.lowercased()
    let key = name.hasSuffix(".") ? String(name.dropLast()) : name
    switch entries[key] ?? otherwise.map(Entry.addresses) {
    case .addresses(let addresses):
      return query.response(answers: addresses.compactMap { Self.record($0, for: question) })
    case .failure: return query.response(.serverFailure)
    case .silence: return nil
    case nil: return query.response(.nameError)
    }
  }

  private static func record(_ address: IPAddress, for question: DNSQuestion) -> DNSRecord? {
    switch (address, question.type) {
    case (.v4(let v4), .a): DNSRecord(question.name, .a(v4), ttl: 60)
    case (.v6(let v6), .aaaa): DNSRecord(question.name, .aaaa(v6), ttl: 60)
    default: nil
    }
  }
}

/// A DNS server over UDP.
package final class NameServer: Sendable {
  private let channel: any Channel
  /// The port it listens on.
  package let port: Int

  private init(channel: any Channel) {
    self.channel = channel
    port = channel.localAddress?.port ?? 0
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: 1 to 65535, or 0 for any free one.
  ///   - behaviour: asked before each answer.
  /// - Throws: `IOError` when the address or port cannot be had.
  package static func start(
    at address: IPAddress, port: Int = 53, table: NameTable,
    behaviour: @escaping @Sendable () -> NameServerBehaviour = { .honest }, on group: any EventLoopGroup
  ) async throws -> NameServer {
    let channel = try await DatagramBootstrap(group: group)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(QueryHandler(table, behaviour))
        }
      }
      .bind(to: SocketAddress(ipAddress: address.description, port: port)).get()
    return NameServer(channel: channel)
  }

  package func stop() async { try? await channel.close() }
}

private final class QueryHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>
  private let table: NameTable
  private let behaviour: @Sendable () -> NameServerBehaviour

  init(_ table: NameTable, _ behaviour: @escaping @Sendable () -> NameServerBehaviour) {
    self.table = table
    self.behaviour = behaviour
  }

  private func answer(to query: DNSMessage) -> DNSMessage? {
    switch behaviour() {
    case .honest: table.answer(to: query)
    case .silent: nil
    case .lying(let addresses): NameTable([:], otherwise: addresses).answer(to: query)
    case .lyingAbout(let lies): table.contradicted(by: lies).answer(to: query)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let datagram = unwrapInboundIn(data)
    guard let query = try? DNSMessage(decoding: Array(datagram.data.readableBytesView)),
      let answer = try? answer(to: query)?.encoded()
    else { return }
    let reply = AddressedEnvelope(remoteAddress: datagram.remoteAddress, data: ByteBuffer(bytes: answer))
    context.writeAndFlush(wrapOutboundOut(reply), promise: nil)
  }
}
