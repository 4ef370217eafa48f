import ClockTestSupport
import Glibc
import LimitClock
import ModemAPI
import Synchronization
import Testing
import Varlink

@testable import ModemctlCore

/// What modemctl waits for, in a time of the test's own.
@Suite("The time that modemctl gives to others", .timeLimit(.minutes(1)))
struct BoundedTimeTests {
  /// Later by the same time whenever somebody looks.
  private static func clock(stepping step: Duration) -> LimitClock {
    let looks = Mutex(0)
    return LimitClock(
      now: {
        looks.withLock { looks in
          looks += 1
          return LimitClock.Instant(step * looks)
        }
      }, sleep: { _ in })
  }

  @Test("A program that neither ends nor writes is killed when its time is over")
  func silent() throws {
    let command = BoundedCommand(
      "/bin/sleep", ["3600"], seconds: 600, maximumOutput: 100, clock: Self.clock(stepping: .seconds(601)))
    #expect(try command.output().end == .tooLong)
  }

  @Test("So is one that closes its output and goes on")
  func closed() throws {
    let command = BoundedCommand(
      "/bin/sh", ["-c", "exec >&- 2>&-; exec sleep 3600"], seconds: 600, maximumOutput: 100,
      clock: Self.clock(stepping: .seconds(250)))
    #expect(try command.output().end == .tooLong)
  }

  @Test("One that ends within its time is not")
  func ended() throws {
    let command = BoundedCommand(
      "/bin/sh", ["-c", "echo a; exit 3"], seconds: 600, maximumOutput: 100, clock: Self.clock(stepping: .zero))
    let (bytes, end) = try command.output()
    #expect(bytes == Array("a\n".utf8) && end == .exited(3))
  }

  @Test("A modemd that takes a call and does not answer is left after the call's time")
  func unanswered() async throws {
    let path = "/tmp/modemd-test-\(UInt64.random(in: .min ... .max))"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(listener)
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8) + [0]) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listener, 4) == 0)
    let time = DrivenClock()
    var options = CommonOptions()
    options.socket = path
    let session = Session(options: options, console: RecordingConsole().console(), clock: time.clock)
    let call = Task { try await session.call(ModemInterface.List.self, .init(), within: .answer) }
    #expect(await time.asleep() == [.seconds(10)])
    time.advance(by: .seconds(10))
    let error = await #expect(throws: ModemctlError.self) { try await call.value }
    #expect(error?.message.contains("gave no answer within 10 seconds") == true)
  }
}
