import Glibc
import Logging
import NIOPosix
import Testing
import Varlink

/// The test service on a socket of its own.
struct TestService: Sendable {
  let path: String
  let server: VarlinkServer
  /// One element for each handler of Forever that was cancelled.
  let cancelled: AsyncStream<Void>
  /// One element for each call of Wait that has begun.
  let waiting: AsyncStream<Void>
  /// Lets one call of Wait be answered, with this text.
  let answer: @Sendable (String) -> Void
  /// Texts that Echo was called with, also by calls that get no answer.
  let echoed: AsyncStream<String>
  /// Numbers of Count's replies that were made, but for the last of each call.
  let counted: AsyncStream<Int>

  /// Runs `body` with a service, and takes it down afterwards.
  static func run(
    limits: VarlinkServer.Limits = VarlinkServer.Limits(),
    isAllowed: @escaping VarlinkRouter.Authorization = { _, _ in true },
    _ body: (TestService) async throws -> Void
  ) async throws {
    let folder = try ScratchFolder()
    let service = try await TestService(at: "\(folder.path)/socket", limits: limits, isAllowed: isAllowed)
    do {
      try await body(service)
    } catch {
      await service.server.close()
      throw error
    }
    await service.server.close()
  }

  private init(
    at path: String, limits: VarlinkServer.Limits, isAllowed: @escaping VarlinkRouter.Authorization
  ) async throws {
    let (cancelled, cancellation) = AsyncStream.makeStream(of: Void.self)
    let (waiting, beginning) = AsyncStream.makeStream(of: Void.self)
    let (answers, answering) = AsyncStream.makeStream(of: String.self)
    let (echoed, echoing) = AsyncStream.makeStream(of: String.self)
    let (counted, making) = AsyncStream.makeStream(of: Int.self)
    var router = VarlinkRouter(
      ServiceInformation(vendor: "Example", product: "test", version: "1", url: "https://example.org"),
      isAllowed: isAllowed)
    router.add(TestInterface.self)
    router.answer(TestInterface.Echo.self) { parameters, _ in
      echoing.yield(parameters.text)
      return EncodedReply(.init(text: parameters.text, tone: parameters.tone))
    }
    router.handle(TestInterface.Wait.self) { _, _ in
      beginning.yield()
      for await answer in answers { return .init(text: answer) }
      throw CancellationError()
    }
    let made = { @Sendable (number: Int) in
      making.yield(number)
      return number
    }
    router.stream(TestInterface.Count.self) { parameters, _, replies in
      for number in 1..<parameters.to { replies.send(.init(number: made(number))) }
      return .init(number: parameters.to)
    }
    router.stream(TestInterface.Forever.self) { _, _, replies in
      replies.send(.init(number: 1))
      for await _ in AsyncStream<Void>.makeStream().stream {}
      cancellation.yield()
      throw CancellationError()
    }
    router.stream(TestInterface.Flood.self) { parameters, _, replies in
      let reply = TestInterface.Text(text: text(bytes: 65_536))
      for _ in 1..<parameters.replies {
        replies.send(reply)
        await Task.yield()
        try Task.checkCancellation()
      }
      return reply
    }
    router.handle(TestInterface.Who.self) { _, context in
      .init(
        user: Int(context.peer.userID), process: Int(context.peer.processID),
        groups: context.peer.groupIDs.map { Int($0) })
    }
    router.handle(TestInterface.Fail.self) { parameters, _ in
      switch parameters.how {
      case .declared: throw VarlinkError(TestInterface.Declared(why: "asked for"))
      case .undeclared: throw CancellationError()
      }
    }
    self.path = path
    self.cancelled = cancelled
    self.waiting = waiting
    self.answer = { answering.yield($0) }
    (self.echoed, self.counted) = (echoed, counted)
    server = try await VarlinkServer.start(
      router, at: .path(path, mode: 0o600), limits: limits, on: MultiThreadedEventLoopGroup.singleton, logger: .quiet)
  }

  /// Whether a new client is served.
  func isServing() async throws -> Bool {
    let client = try await VarlinkClient.connect(to: path)
    return try await client.call(TestInterface.Echo.self, .init(text: "here")).text == "here"
  }
}

extension Logger {
  static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

/// A folder under /tmp that is gone with its last user.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/varlink-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    path = String(cString: try #require(made))
  }

  deinit {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        unlink("\(path)/\(name)")
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
