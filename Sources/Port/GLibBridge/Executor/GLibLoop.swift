import CGLib

/// The thread behind an executor: a main context, its loop, and a source that drains the work
/// queue.
///
/// It is separate from `GLibExecutor`, so that the thread holds no reference to the executor. The
/// executor's end is the thread's end.
final class GLibLoop: @unchecked Sendable {  // The fields are set before the thread starts; the queue has its lock.
  let context: OpaquePointer
  private let loop: OpaquePointer
  private let source: UnsafeMutablePointer<GSource>
  private let queue = WorkQueue()
  private let onEnd: (@Sendable () -> Void)?
  /// Unowned: a job's actor keeps the executor alive until the job has begun.
  private var executor: UnownedSerialExecutor?

  init(onEnd: (@Sendable () -> Void)?) {
    context = g_main_context_new()
    loop = g_main_loop_new(context, 0)
    source = g_source_new(Self.sourceFunctions, guint(Self.queueOffset + MemoryLayout<UnsafeRawPointer>.size))
    self.onEnd = onEnd
    // Unretained: the callback's data is this loop, which holds the queue for as long as the source
    // is dispatched.
    UnsafeMutableRawPointer(source).storeBytes(
      of: Unmanaged.passUnretained(queue).toOpaque(), toByteOffset: Self.queueOffset, as: UnsafeMutableRawPointer.self)
  }

  deinit {
    g_source_unref(source)
    g_main_loop_unref(loop)
    g_main_context_unref(context)
  }

  func start(named name: String, for executor: UnownedSerialExecutor) {
    self.executor = executor
    g_source_set_callback(
      source,
      { data in
        // Impossible: the data is this loop, given below.
        Unmanaged<GLibLoop>.fromOpaque(data!).takeUnretainedValue().drain()
        return 1  // G_SOURCE_CONTINUE
        // Impossible: the data is this loop.
      }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<GLibLoop>.fromOpaque($0!).release() })
    g_source_attach(source, context)
    let thread = g_thread_new(
      name,
      { data in
        // Impossible: the data is this loop, given below.
        Unmanaged<GLibLoop>.fromOpaque(data!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    g_thread_unref(thread)
  }

  func enqueue(_ work: WorkQueue.Work) {
    // Under the queue's lock: the thread cannot process `stop` and end before it has been woken.
    queue.append(work) { g_main_context_wakeup(context) }
  }

  func stop() { enqueue(.stop) }

  private func run() {
    g_main_context_push_thread_default(context)
    GLibWork.begin()
    GLibWork.follow(context)
    g_main_loop_run(loop)
    GLibWork.end()
    g_main_context_pop_thread_default(context)
    g_source_destroy(source)
    onEnd?()
  }

  /// How often work that work makes is done before devices have their turn again.
  private static let roundsAtOnce = 4

  private func drain() {
    for _ in 0..<Self.roundsAtOnce {
      let all = queue.takeAll()
      if all.isEmpty { return }
      for work in all { perform(work) }
    }
  }

  private func perform(_ work: WorkQueue.Work) {
    switch work {
    // Impossible: `start` sets it before the thread exists.
    case .job(let job): job.runSynchronously(on: executor!)
    case .closure(let body): body()
    case .stop: g_main_loop_quit(loop)
    }
  }

  /// Where the source has the queue, behind GLib's own part.
  private static let queueOffset = MemoryLayout<GSource>.stride

  private static func queue(of source: UnsafeMutablePointer<GSource>?) -> WorkQueue {
    // Impossible: GLib passes the source that it asks.
    let place = UnsafeRawPointer(source!) + queueOffset
    return Unmanaged<WorkQueue>.fromOpaque(place.load(as: UnsafeMutableRawPointer.self)).takeUnretainedValue()
  }

  /// A source that is ready while the queue has work. Written once, only read by GLib.
  nonisolated(unsafe) private static let sourceFunctions: UnsafeMutablePointer<GSourceFuncs> = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.prepare = { source, timeout in
      timeout?.pointee = -1  // It needs no timer.
      return GLibLoop.queue(of: source).hasWorkBeforeSleep() ? 1 : 0
    }
    functions.pointee.check = { source in GLibLoop.queue(of: source).hasWorkAfterSleep() ? 1 : 0 }
    functions.pointee.dispatch = { _, callback, data in
      // Impossible: `start` gives the source its callback before it is attached.
      return callback!(data)
    }
    return functions
  }()
}
