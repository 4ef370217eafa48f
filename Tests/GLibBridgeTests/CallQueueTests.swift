import CGLib
import GLibBridge
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A call queue` {
  /// A bench with a pipe that nobody writes to, and a queue that lets one call through and one
  /// wait.
  private actor Line {
    nonisolated let glib = GLibExecutor(name: "line")
    nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }
    private lazy var queue = GLibCallQueue(on: glib, limit: 1, waitingLimit: 1)
    private lazy var pipe = SilentPipe(on: glib)

    func read(within limit: Duration? = nil, whenBegun: @Sendable () -> Void = {}) async throws(GLibBridgeError) -> Int
    {
      try await pipe.read(in: queue, within: limit, whenBegun: whenBegun)
    }

    func write(_ bytes: [UInt8]) { pipe.write(bytes) }
    func abandon() { queue.abandon("the device is gone") }
    func close() { pipe.close() }
  }

  @Test func `starts the next call when one ends`() async throws {
    let line = Line()
    let (begun, next) = (Occasion(), Occasion())
    async let first = line.read { begun.happen() }
    await begun.wait()
    async let second = line.read { next.happen() }
    await line.write([1])
    #expect(try await first == 1)
    await next.wait()
    await line.write([1, 2])
    #expect(try await second == 2)
    await line.close()
  }

  @Test func `is busy when too many wait, and free again afterwards`() async throws {
    let line = Line()
    let begun = Occasion()
    async let first = line.read { begun.happen() }
    await begun.wait()
    let ends = await withTaskGroup(of: GLibBridgeError.Code?.self) { group in
      for _ in 0..<2 {
        group.addTask { await failure { () async throws(GLibBridgeError) in try await line.read() } }
      }
      let first = await group.next()
      group.cancelAll()
      return [first, await group.next()]
    }
    // Whichever came second was not let in; the other one waited until it was cancelled.
    #expect(ends == [.busy, .cancelled])
    await line.write([1])
    #expect(try await first == 1)
    await line.write([1])
    #expect(try await line.read() == 1)
    await line.close()
  }

  @Test func `counts the wait for a turn as part of the time limit`() async throws {
    let line = Line()
    let begun = Occasion()
    async let first = failure { () async throws(GLibBridgeError) in
      try await line.read(within: .milliseconds(80)) { begun.happen() }
    }
    await begun.wait()
    let start = ContinuousClock.now
    #expect(
      await failure { () async throws(GLibBridgeError) in try await line.read(within: .milliseconds(120)) } == .deadline
    )
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(await first == .deadline)
    await line.close()
  }

  @Test func `forgets a waiting call whose task is cancelled`() async throws {
    let line = Line()
    let begun = Occasion()
    async let first = line.read { begun.happen() }
    await begun.wait()
    let waiting = Task { await failure { () async throws(GLibBridgeError) in try await line.read() } }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    await line.write([1])
    #expect(try await first == 1)
    await line.write([1])
    #expect(try await line.read() == 1)
    await line.close()
  }

  @Test func `that is abandoned ends calls under way, calls that wait and later calls`() async {
    let line = Line()
    let begun = Occasion()
    let abandoned = GLibBridgeError.Code.abandoned
    async let first = failure { () async throws(GLibBridgeError) in try await line.read { begun.happen() } }
    await begun.wait()
    async let second = failure { () async throws(GLibBridgeError) in try await line.read() }
    await line.abandon()
    #expect(await first == abandoned)
    #expect(await second == abandoned)
    #expect(await failure { () async throws(GLibBridgeError) in try await line.read() } == abandoned)
    await line.close()
  }
}
