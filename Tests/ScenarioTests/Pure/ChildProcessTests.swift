import Glibc
import Testing

@testable import ScenarioRunner

@Suite(.timeLimit(.minutes(1))) struct ChildProcessTests {
  /// As a socket of SwiftNIO, which a service would take for a client that is still there.
  @Test func `a program gets no open file of the process that starts it`() async throws {
    var ends: [Int32] = [-1, -1]
    let made = pipe(&ends)
    try #require(made == 0)
    defer { close(ends[0]) }
    var streams = ChildProcess.Streams()
    (streams.output, streams.error) = ("/dev/null", "/dev/null")
    let process = try ChildProcess.start(
      "sleep", ["sleep", "60"], environment: Programs.environment, streams: streams)
    close(ends[1])
    // Nobody has the other end any more.
    var end = pollfd(fd: ends[0], events: 0, revents: 0)
    let count = poll(&end, 1, 0)
    await process.stop()
    #expect(count == 1 && end.revents & Int16(POLLHUP) != 0)
  }
}
