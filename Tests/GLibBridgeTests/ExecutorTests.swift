import CGLib
import Dispatch
import GLibBridge
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A GLib executor` {
  @Test func `runs an actor on its own thread, where its context is the default`() async {
    let bench = Bench()
    #expect(!bench.glib.isCurrent)
    let isDefault = await bench.run { bench in
      bench.glib.isCurrent && g_main_context_get_thread_default() == bench.glib.context
    }
    #expect(isDefault)
    #expect(!bench.glib.isCurrent)
  }

  @Test func `runs work in the order in which it came`() async {
    let glib = GLibExecutor(name: "order")
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 0..<5000 { glib.invoke { continuation.yield(number) } }
    glib.invoke { continuation.finish() }
    var seen: [Int] = []
    for await number in numbers { seen.append(number) }
    #expect(seen == Array(0..<5000))
  }

  @Test func `keeps each task's order when many tasks hand over at once`() async {
    let glib = GLibExecutor(name: "many")
    let (pairs, continuation) = AsyncStream.makeStream(of: (task: Int, number: Int).self)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for number in 0..<500 { glib.invoke { continuation.yield((task, number)) } }
        }
      }
    }
    glib.invoke { continuation.finish() }
    var next = Array(repeating: 0, count: 16)
    for await pair in pairs {
      #expect(pair.number == next[pair.task])
      next[pair.task] += 1
    }
    #expect(next == Array(repeating: 500, count: 16))
  }

  /// A wake-up that is lost leaves the last task waiting for ever.
  @Test func `wakes for work from anywhere, however close to its falling asleep it comes`() async {
    let (one, other) = (Bench(), Bench())
    await withTaskGroup(of: Void.self) { group in
      for first in [one, other] {
        group.addTask {
          // From another thread, from the other loop's thread, and from its own.
          for _ in 0..<3000 { await first.run { _ in await (first === one ? other : one).run { _ in } } }
          await first.run { bench in
            for _ in 0..<3000 {
              await withCheckedContinuation { continuation in bench.glib.invoke { continuation.resume() } }
            }
          }
        }
      }
    }
  }

  @Test func `leaves devices their turn while its own work makes more work`() async {
    let bench = Bench()
    let work = EndlessWork(on: bench.glib)
    work.begin()
    let pipe = await bench.run { SilentPipe(on: $0.glib) }
    pipe.write([1])
    let count = await bench.run { bench in
      try? await bench.glib.call { cancellable, done in
        g_input_stream_skip_async(pipe.stream.pointer, 1, 0, cancellable, done.callback, done.data)
      } finish: { (stream: UnsafeMutablePointer<GInputStream>, result, error) in
        g_input_stream_skip_finish(stream, result, error)
      }
    }
    #expect(count == 1)
    work.end()
    pipe.close()
  }

  @Test func `answers when every thread of the process has done what it was given before`() async {
    let (one, other) = (GLibExecutor(name: "one"), GLibExecutor(name: "other"))
    let done = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    one.invoke {
      gate.wait()
      done.withLock { $0 += 1 }
    }
    other.invoke {
      done.withLock { $0 += 1 }
      gate.signal()
    }
    await GLibExecutor.answer()
    #expect(done.withLock { $0 } == 2)
    withExtendedLifetime((one, other)) {}
  }

  @Test func `lets a callback on its thread enter the actor`() async {
    let bench = Bench()
    let entered = Occasion()
    bench.glib.invoke { bench.assumeIsolated { _ in entered.happen() } }
    await entered.wait()
  }

  @Test func `ends its thread after the last reference has gone, and what was queued has run`() async {
    let (steps, continuation) = AsyncStream.makeStream(of: String.self)
    do {
      let glib = GLibExecutor(name: "brief") { continuation.finish() }
      glib.invoke { continuation.yield("first") }
      glib.invoke { continuation.yield("second") }
    }
    var seen: [String] = []
    for await step in steps { seen.append(step) }
    #expect(seen == ["first", "second"])
  }

  @Test func `ends its thread even when its last reference goes on that thread`() async {
    let ended = Occasion()
    do {
      let bench = Bench(GLibExecutor(name: "self") { ended.happen() })
      await bench.run { _ in }
    }
    await ended.wait()
  }

  @Test func `frees what queued work holds`() async {
    let freed = Occasion()
    let glib = GLibExecutor(name: "box")
    do {
      let canary = Canary(freed)
      glib.invoke { canary.chirp() }
    }
    await freed.wait()
  }
}

/// Work that gives its thread the same again.
private final class EndlessWork: Sendable {
  private let glib: GLibExecutor
  private let isOver = Mutex(false)

  init(on glib: GLibExecutor) { self.glib = glib }

  func begin() {
    glib.invoke { [self] in
      if !isOver.withLock({ $0 }) { begin() }
    }
  }

  func end() { isOver.withLock { $0 = true } }
}

@Suite(.timeLimit(.minutes(1))) struct `A GLib reference` {
  @Test func `gives its value back once, on the GLib thread`() async {
    let glib = GLibExecutor(name: "reference")
    let (releases, continuation) = AsyncStream.makeStream(of: Bool.self)
    do {
      let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      _ = GLibReference(adopting: memory, on: glib) { memory in
        memory.deallocate()
        continuation.yield(glib.isCurrent)
      }
    }
    glib.invoke { continuation.finish() }
    var seen: [Bool] = []
    for await onThread in releases { seen.append(onThread) }
    #expect(seen == [true])
  }

  @Test func `keeps a pointer valid to the end of the synchronous code that read it`() async {
    let bench = Bench()
    let count = await bench.run { bench in
      let pointer = GObjectRef<GCancellable>(adopting: g_cancellable_new(), on: bench.glib).pointer
      return g_object_is_floating(pointer) + gint(pointer.pointee.parent_instance.ref_count)
    }
    #expect(count == 1)
  }
}
