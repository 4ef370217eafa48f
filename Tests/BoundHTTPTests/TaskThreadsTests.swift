import Glibc
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: TestNamespace.isAvailable, "needs root and network namespaces"))
struct `The threads of tasks` {
  @Test func `stay in the network of this process when a thread in another one makes a task ready`() async throws {
    let home = Self.network()
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    let away = await withCheckedContinuation { continuation in
      pool.submit { _ in
        let hasLeft = TestNamespace.leaveNamespace()
        let away = Self.network()
        // The threads that wait for tasks end after five seconds, so that the next task needs a new
        // one.
        sleep(6)
        continuation.resume(returning: hasLeft ? away : nil)
      }
    }
    let here = await Self.networkOfTask()
    try await pool.shutdownGracefully()
    #expect(away != nil && away != home)
    #expect(here == home)
  }

  @concurrent private static func networkOfTask() async -> String? { network() }

  private static func network() -> String? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = readlink("/proc/thread-self/ns/net", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
