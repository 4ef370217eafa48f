import DNSWire
import HTTPTestSupport
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NetworkAddress

/// A DNS server over UDP and TCP on one port, which answers as a test tells it.
final class TestDNS: Sendable {
  struct Query: Sendable {
    let message: DNSMessage
    let name: String
    let type: DNSRecordType
    let isTCP: Bool
    let sourcePort: Int
    /// Counts from 1, over both transports.
    let number: Int
  }

  /// One datagram or stream message to send back, perhaps later.
  struct Reply: Sendable {
    var bytes: [UInt8]
    var after = TimeAmount.zero
  }

  typealias Answering = @Sendable (Query) -> [Reply]

  let port: Int
  private let channels: [any Channel]
  private let record: NIOLockedValueBox<[Query]>

  var queries: [Query] { record.withLockedValue { $0 } }

  static func start(
    on host: String = "127.0.0.1", port: Int = 0, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
    _ answering: @escaping Answering
  ) async throws -> TestDNS {
    let record = NIOLockedValueBox<[Query]>([])
    let handle: @Sendable ([UInt8], Bool, Int) -> [Reply] = { bytes, isTCP, port in
      guard let message = try? DNSMessage(decoding: bytes), let question = message.questions.first else { return [] }
      let query = record.withLockedValue { queries in
        let query = Query(
          message: message, name: question.name.description, type: question.type, isTCP: isTCP, sourcePort: port,
          number: queries.count + 1)
        queries.append(query)
        return query
      }
      return answering(query)
    }
    for _ in 0..<20 {
      // On the loop: there the socket is made in the network namespace of the group's threads.
      let udp = try await group.next().flatSubmit {
        DatagramBootstrap(group: group)
          .channelInitializer { $0.pipeline.addHandler(UDPHandler(handle)) }
          .bind(host: host, port: port)
      }.get()
      let number = udp.localAddress?.port ?? 0
      let tcp = try? await group.next().flatSubmit {
        ServerBootstrap(group: group)
          .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
          .childChannelInitializer { $0.pipeline.addHandler(TCPHandler(handle)) }
          .bind(host: host, port: number)
      }.get()
      // The same port may be taken for TCP.
      guard let tcp else {
        try await udp.close()
        continue
      }
      return TestDNS([udp, tcp], number, record)
    }
    throw TestCertificates.Failure(description: "no port that is free for UDP and TCP")
  }

  private init(_ channels: [any Channel], _ port: Int, _ record: NIOLockedValueBox<[Query]>) {
    self.channels = channels
    self.port = port
    self.record = record
  }

  func stop() async {
    for channel in channels { try? await channel.close() }
  }

  /// Answers from a table; a name that is not in it does not exist.
  static func table(_ table: [String: [String]]) -> Answering {
    { query in [reply(query, table[query.name]?.compactMap { IPAddress($0) })] }
  }

  static func reply(_ query: Query, _ addresses: [IPAddress]?, ttl: UInt32 = 60) -> Reply {
    guard let addresses else { return Reply(bytes: encode(query.message.response(.nameError))) }
    let records = addresses.compactMap { address -> DNSRecord? in
      switch (address, query.type) {
      case (.v4(let v4), .a): DNSRecord(query.message.questions[0].name, .a(v4), ttl: ttl)
      case (.v6(let v6), .aaaa): DNSRecord(query.message.questions[0].name, .aaaa(v6), ttl: ttl)
      default: nil
      }
    }
    return Reply(bytes: encode(query.message.response(answers: records)))
  }

  static func failure(_ query: Query, _ code: DNSMessage.ResponseCode) -> Reply {
    Reply(bytes: encode(query.message.response(code)))
  }

  static func encode(_ message: DNSMessage) -> [UInt8] { (try? message.encoded()) ?? [] }
}

private final class UDPHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let handle: @Sendable ([UInt8], Bool, Int) -> [TestDNS.Reply]

  init(_ handle: @escaping @Sendable ([UInt8], Bool, Int) -> [TestDNS.Reply]) { self.handle = handle }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    let (channel, remote) = (context.channel, envelope.remoteAddress)
    for reply in handle(Array(envelope.data.readableBytesView), false, remote.port ?? 0) {
      context.eventLoop.scheduleTask(in: reply.after) {
        channel.writeAndFlush(
          AddressedEnvelope(remoteAddress: remote, data: ByteBuffer(bytes: reply.bytes)), promise: nil)
      }
    }
  }

  // A client that has its answer closes its socket; what comes later is refused.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

private final class TCPHandler: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer

  private let handle: @Sendable ([UInt8], Bool, Int) -> [TestDNS.Reply]
  private var buffer = ByteBuffer()

  init(_ handle: @escaping @Sendable ([UInt8], Bool, Int) -> [TestDNS.Reply]) { self.handle = handle }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var part = unwrapInboundIn(data)
    buffer.writeBuffer(&part)
    guard let bytes = buffer.readLengthPrefixedSlice(as: UInt16.self) else { return }
    let channel = context.channel
    for reply in handle(Array(bytes.readableBytesView), true, channel.remoteAddress?.port ?? 0) {
      var answer = ByteBuffer()
      answer.writeInteger(UInt16(reply.bytes.count))
      answer.writeBytes(reply.bytes)
      channel.writeAndFlush(answer, promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
