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
    source = g_source_new(Self.sourceFunctions, guint(MemoryLayout<GSource>.size))
    self.onEnd = onEnd
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
    // Under the queue's lock: the thread cannot process `stop` and end before the source has been
    // woken.
    queue.append(work) { g_source_set_ready_time(source, 0) }
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

  private func drain() {
    for work in queue.takeAll() {
      switch work {
      // Impossible: `start` sets it before the thread exists.
      case .job(let job): job.runSynchronously(on: executor!)
      case .closure(let body): body()
      case .stop: g_main_loop_quit(loop)
      }
    }
  }

  /// A source without conditions of its own. It is dispatched when its ready time is set, which
  /// also clears the time. Written once, only read by GLib.
  nonisolated(unsafe) private static let sourceFunctions: UnsafeMutablePointer<GSourceFuncs> = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.dispatch = { source, callback, data in
      g_source_set_ready_time(source, -1)
      // Impossible: `start` gives the source its callback before it is attached.
      return callback!(data)
    }
    return functions
  }()
}
