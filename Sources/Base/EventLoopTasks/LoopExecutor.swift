import NIOCore

/// Runs a task on an event loop. A task that waits for this loop's sockets all the time then
/// changes threads when it begins and ends, and not at every step.
///
/// What runs there must not block, and must be short: the loop's other sockets wait meanwhile.
package final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  /// - Parameter loop: it must go on as long as the tasks.
  package init(_ loop: any EventLoop) { self.loop = loop }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
