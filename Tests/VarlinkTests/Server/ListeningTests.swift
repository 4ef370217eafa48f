import Glibc
import NIOPosix
import Testing
import Varlink

@Suite("Where a server listens", .timeLimit(.minutes(1)))
struct ListeningTests {
  private static func start(_ endpoint: VarlinkEndpoint) async throws -> VarlinkServer {
    var router = VarlinkRouter(ServiceInformation(vendor: "", product: "", version: "", url: "")) { _, _ in true }
    router.add(TestInterface.self)
    router.answer(TestInterface.Echo.self) { parameters, _ in EncodedReply(.init(text: parameters.text)) }
    return try await VarlinkServer.start(
      router, at: endpoint, on: MultiThreadedEventLoopGroup.singleton, logger: .quiet)
  }

  private static func echo(_ path: String) async throws -> String {
    try await VarlinkClient.connect(to: path).call(TestInterface.Echo.self, .init(text: "a")).text
  }

  @Test(
    "The socket file has the given permissions, and is gone after the server",
    arguments: [0o600, 0o660, 0o666] as [mode_t])
  func permissions(mode: mode_t) async throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/socket"
    let server = try await Self.start(.path(path, mode: mode))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode && status.st_mode & S_IFMT == S_IFSOCK)
    await server.close()
    #expect(access(path, F_OK) != 0)
  }

  @Test("The socket file of a server that was killed is replaced")
  func staleSocket() async throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/socket"
    close(try Self.listen(path))
    let server = try await Self.start(.path(path, mode: 0o600))
    #expect(try await Self.echo(path) == "a")
    await server.close()
  }

  @Test("A server that still listens keeps its socket")
  func takenSocket() async throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/socket"
    let first = try await Self.start(.path(path, mode: 0o600))
    let error = await #expect(throws: VarlinkListenError.self) { try await Self.start(.path(path, mode: 0o600)) }
    #expect(error?.description.contains("another process listens") == true)
    #expect(try await Self.echo(path) == "a")
    await first.close()
  }

  @Test("What is no socket is left alone")
  func regularFile() async throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/file"
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    let error = await #expect(throws: VarlinkListenError.self) { try await Self.start(.path(path, mode: 0o600)) }
    #expect(error?.description.contains("is not a socket") == true)
    #expect(access(path, F_OK) == 0)
  }

  @Test("A socket that was passed is served, and its file is left to who made it")
  func passedSocket() async throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/socket"
    let server = try await Self.start(.descriptor(try Self.listen(path)))
    #expect(try await Self.echo(path) == "a")
    await server.close()
    #expect(access(path, F_OK) == 0)
  }

  @Test("Stopping ends the connections and cancels what runs")
  func stop() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Forever","more":true}"#)
      #expect(try await client.receive() != nil)
      await service.server.close()
      #expect(try await client.receive() == nil)
      var cancelled = service.cancelled.makeAsyncIterator()
      await cancelled.next()
    }
  }

  /// A listening socket made without the server.
  private static func listen(_ path: String) throws -> CInt {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafeBytes(of: &address) {
      bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    try #require(bound == 0 && Glibc.listen(descriptor, 16) == 0)
    return descriptor
  }
}
