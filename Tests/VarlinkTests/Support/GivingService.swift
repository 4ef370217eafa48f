import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Varlink

/// An interface with a method that hands a descriptor over, and one that is called with `upgrade`.
enum GivingInterface: VarlinkInterface {
  static let name = "org.example.Giving"
  static let text = """
    # Descriptors and streams.
    interface org.example.Giving

    # Hands a pipe over.
    method Give(bytes: ?int) -> (pipeFileDescriptor: int, padding: string)

    # Becomes a stream.
    method Open(fails: ?bool) -> (greeting: string)

    """

  enum Give: VarlinkMethod {
    static let name = "org.example.Giving.Give"
    struct Parameters: VarlinkParameters {
      static let fieldNames: Set<String> = ["bytes"]
      var bytes: Int?
    }
    struct Reply: Codable, Sendable {
      var pipeFileDescriptor: Int
      var padding: String
    }
  }

  enum Open: VarlinkMethod {
    static let name = "org.example.Giving.Open"
    struct Parameters: VarlinkParameters {
      static let fieldNames: Set<String> = ["fails"]
      var fails: Bool?
    }
    struct Reply: Codable, Sendable, Hashable { var greeting: String }
  }
}

/// A pipe whose writing end is handed over.
struct Pipe: Sendable {
  let reading: OwnedDescriptor
  let writing: OwnedDescriptor

  init() throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw RawClient.Failure(description: "pipe: errno \(errno)") }
    (reading, writing) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
  }
}

/// What a descriptor is of, as /proc has it: `pipe:[4711]`.
func identity(of descriptor: CInt) -> String? {
  var text = [UInt8](repeating: 0, count: 256)
  let count = text.withUnsafeMutableBytes { bytes in
    bytes.baseAddress.map { readlink("/proc/self/fd/\(descriptor)", $0, bytes.count) } ?? -1
  }
  return count > 0 ? String(decoding: text.prefix(count), as: UTF8.self) : nil
}

/// How many descriptors of this process are of the same thing.
func copies(of thing: String) -> Int {
  guard let folder = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if let number = CInt(name), identity(of: number) == thing { count += 1 }
  }
  return count
}

/// A service with these methods and Echo, and what the test is told of it.
struct GivingService: Sendable {
  /// What came of a call.
  enum Event: Hashable, Sendable {
    /// A handler has made its pipe: what /proc calls it.
    case made(String)
    case sent(Bool)
    case begun
    case abandoned
  }

  let path: String
  let server: VarlinkServer
  let events: AsyncStream<Event>
  /// Lets a handler go on; each waits for one.
  let release: @Sendable () -> Void
  /// The channels of streams that have begun.
  let channels: Mutexed<[any Channel]>

  /// - Parameters:
  ///   - waits: handlers wait for `release`.
  ///   - mode: permissions of the socket.
  ///   - give: what is handed over; nil for a pipe.
  ///   - begin: what a stream does; by default it sends everything back.
  static func run(
    limits: VarlinkServer.Limits = VarlinkServer.Limits(), waits: Bool = false, mode: mode_t = 0o600,
    give: (@Sendable () async throws -> OwnedDescriptor)? = nil,
    begin: @escaping @Sendable (any Channel, ByteBuffer) -> Void = { EchoHandler.begin($0, $1) },
    _ body: (GivingService) async throws -> Void
  ) async throws {
    let folder = try ScratchFolder()
    let service = try await GivingService(at: "\(folder.path)/socket", limits, waits, mode, give, begin)
    do {
      try await body(service)
    } catch {
      await service.server.close()
      throw error
    }
    await service.server.close()
  }

  private init(
    at path: String, _ limits: VarlinkServer.Limits, _ waits: Bool, _ mode: mode_t,
    _ give: (@Sendable () async throws -> OwnedDescriptor)?,
    _ begin: @escaping @Sendable (any Channel, ByteBuffer) -> Void
  ) async throws {
    let (events, telling) = AsyncStream.makeStream(of: Event.self)
    let (releases, releasing) = AsyncStream.makeStream(of: Void.self)
    let channels = Mutexed<[any Channel]>([])
    var router = VarlinkRouter(
      ServiceInformation(vendor: "Example", product: "test", version: "1", url: "https://example.org")
    ) { _, _ in true }
    router.add(GivingInterface.self)
    router.add(TestInterface.self)
    router.answer(TestInterface.Echo.self) { parameters, _ in EncodedReply(.init(text: parameters.text, tone: nil)) }
    router.handOver(GivingInterface.Give.self) { parameters, _ in
      let given = if let give { try await give() } else { try Pipe().writing }
      telling.yield(.made(identity(of: given.number) ?? ""))
      if waits { for await _ in releases { break } }
      return HandedOver(.init(pipeFileDescriptor: 0, padding: text(bytes: parameters.bytes ?? 0)), given) {
        telling.yield(.sent($0))
      }
    }
    router.upgrade(GivingInterface.Open.self) { parameters, _ in
      if waits { for await _ in releases { break } }
      if parameters.fails == true { throw VarlinkError(TestInterface.Declared(why: "asked for")) }
      return Upgrade(
        .init(greeting: "hello"),
        begin: { channel, early in
          channels.update { $0.append(channel) }
          begin(channel, early)
          telling.yield(.begun)
        }, abandon: { telling.yield(.abandoned) })
    }
    self.path = path
    self.events = events
    self.channels = channels
    release = { releasing.yield() }
    server = try await VarlinkServer.start(
      router, at: .path(path, mode: mode), limits: limits, on: MultiThreadedEventLoopGroup.singleton, logger: .quiet)
  }

  /// Whether a new client is served; the server's loop has done by then what it had to do before.
  func isServing() async throws -> Bool {
    let client = try await VarlinkClient.connect(to: path)
    return try await client.call(TestInterface.Echo.self, .init(text: "here")).text == "here"
  }
}

/// A value behind a lock that can be shared.
final class Mutexed<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock { $0 } }

  func update(_ body: (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}

/// Sends back what comes, one read after each write, and ends its half after the client's and after
/// its own writes: NIO would close the whole channel, and drop what it has not written.
final class EchoHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var writes = 0
  private var isAtEnd = false

  static func begin(_ channel: any Channel, _ early: ByteBuffer) {
    try? channel.pipeline.syncOperations.addHandler(EchoHandler())
    channel.writeAndFlush(early, promise: nil)
    channel.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = context.channel
    writes += 1
    channel.writeAndFlush(unwrapInboundIn(data)).here.whenComplete { [self] _ in
      writes -= 1
      channel.read()
      endAfterWrites(channel)
    }
  }

  private func endAfterWrites(_ channel: any Channel) {
    if isAtEnd, writes == 0 { channel.close(mode: .output, promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .some(.inputClosed) = event as? ChannelEvent else { return }
    isAtEnd = true
    endAfterWrites(context.channel)
  }
}
