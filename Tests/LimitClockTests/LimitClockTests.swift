import Glibc
import Synchronization
import Testing

@testable import LimitClock

@Suite("The clock of limits", .serialized, .timeLimit(.minutes(1)))
struct LimitClockTests {
  /// Pages of this process that are in memory (proc(5), statm).
  private static func residentPages() -> Int? {
    guard let file = fopen("/proc/self/statm", "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  @Test("One lasts as long as it was asked to", arguments: [.seconds(-5), .zero, .milliseconds(20)] as [Duration])
  func lasts(_ duration: Duration) async throws {
    let start = SuspendingClock.now
    try await LimitClock.machine.pause(for: duration)
    #expect(SuspendingClock.now - start >= duration)
  }

  @Test(
    "Cancellation ends one at once, of whatever length", arguments: [.seconds(3600), .seconds(Int64.max)] as [Duration])
  func isCancelled(_ duration: Duration) async {
    for _ in 0..<100 {
      let task = Task { try await LimitClock.machine.pause(for: duration) }
      await Task.yield()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("A task that was cancelled before does not wait")
  func wasCancelled() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await LimitClock.machine.pause(for: .seconds(3600))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Cancelled ones leave nothing in memory until their time is over")
  func leavesNothing() async throws {
    func cancelMany(_ count: Int) async {
      for _ in 0..<count {
        let task = Task { try? await LimitClock.machine.pause(for: .seconds(3600)) }
        await Task.yield()
        task.cancel()
        await task.value
      }
    }
    await cancelMany(1000)
    let before = try #require(Self.residentPages())
    await cancelMany(40_000)
    // With Task.sleep 20 MB and more.
    let grown = (try #require(Self.residentPages()) - before) * Int(getpagesize())
    #expect(grown < 8 << 20, "\(grown) bytes")
  }

  @Test("Of many at once, each ends, and none before its time")
  func order() async throws {
    let queue = PauseQueue()
    let times = (0..<200).map { ($0 * 73 % 200) * 2 }
    let ended = await withTaskGroup(of: (time: Int, late: Duration)?.self) { group in
      for time in times {
        group.addTask {
          let start = SuspendingClock.now
          try? await Pause.wait(for: .milliseconds(time), in: queue)
          return (time, SuspendingClock.now - start - .milliseconds(time))
        }
        // As many leave before their time, from anywhere in the queue.
        group.addTask {
          let left = Task { try await Pause.wait(for: .milliseconds(1000 - time), in: queue) }
          await Task.yield()
          left.cancel()
          await #expect(throws: CancellationError.self) { try await left.value }
          return nil
        }
      }
      return await group.reduce(into: [(time: Int, late: Duration)]()) { all, one in
        if let one { all.append(one) }
      }
    }
    #expect(ended.map(\.time).sorted() == times.sorted() && ended.allSatisfy { $0.late >= .zero })
    #expect(queue.count == 0)
  }

  @Test("A short one does not wait for a long one that began before it")
  func shorter() async throws {
    let queue = PauseQueue()
    let long = Task { try await Pause.wait(for: .seconds(3600), in: queue) }
    while queue.count == 0 { await Task.yield() }
    try await Pause.wait(for: .milliseconds(5), in: queue)
    #expect(queue.count == 1)
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
    #expect(queue.count == 0)
  }
}
