import ClockTestSupport
import Glibc
import ModemModel
import Testing

@testable import ModemPort

/// A proxy as a port meets it: sockets of this process stand in for the proxy's.
@Suite(.timeLimit(.minutes(1))) struct ProxyUseTests {
  /// Something that listens under an abstract name, until it is closed.
  private struct Listener {
    let descriptor: Int32

    init(_ name: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = [0] + Array(name.utf8)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
      let descriptor = descriptor
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
      }
      try #require(isBound && listen(descriptor, 16) == 0)
    }
  }

  private let proxy = ProxySocket(name: "modemd-test-\(UInt64.random(in: .min ... .max))")

  @Test func `a device counts as the proxy's while the proxy has it open, by whatever name it is asked for`() throws {
    let link = "/tmp/modemd-test-\(UInt64.random(in: .min ... .max))"
    symlink("/dev/full", link)
    defer { unlink(link) }
    #expect(!proxy.mayHaveOpen(link), "nobody listens")
    let listener = try Listener(proxy.name)
    defer { close(listener.descriptor) }
    #expect(!proxy.mayHaveOpen(link))
    let device = open("/dev/full", O_RDWR | O_CLOEXEC)
    #expect(proxy.mayHaveOpen(link))
    #expect(proxy.mayHaveOpen("/dev/full"))
    #expect(!proxy.mayHaveOpen("/dev/zero"))
    close(device)
    #expect(!proxy.mayHaveOpen(link))
  }

  @Test func `where none may be started one is waited for, and its lack says what to do`() async throws {
    let time = DrivenClock(movesWhenAsleep: 1)
    let error = await #expect(throws: ModemError.self) {
      try await proxy.ready(mayStartOne: false, within: .seconds(10), clock: time.clock)
    }
    #expect(time.elapsed == .seconds(10))
    #expect(error?.code == .deviceUnavailable)
    #expect(error?.message.contains("systemctl status modemd-\(proxy.name)") == true)
    try await proxy.ready(mayStartOne: true, within: .milliseconds(1))
    async let isReady: Void = proxy.ready(mayStartOne: false, within: .seconds(50))
    let listener = try Listener(proxy.name)
    defer { close(listener.descriptor) }
    try await isReady
  }

  @Test func `a port that is stopped does not wait on`() async throws {
    let proxy = proxy
    let waiting = Task { try await proxy.ready(mayStartOne: false, within: .seconds(3600)) }
    waiting.cancel()
    let error = await #expect(throws: ModemError.self) { try await waiting.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `root is not blamed for a proxy that cannot open the device`() {
    let root = ModemError.notOpened(.timeout, through: "mbim-proxy", device: "/dev/x", "no answer", isRoot: true)
    #expect(root.cause?.contains("root") == false && root.cause?.contains("systemctl status modemd-mbim-proxy") == true)
    let other = ModemError.notOpened(.timeout, through: "mbim-proxy", device: "/dev/x", "no answer", isRoot: false)
    #expect(other.cause?.contains("run as root") == true)
  }
}
