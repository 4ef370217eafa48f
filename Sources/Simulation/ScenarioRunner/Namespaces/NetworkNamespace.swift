import CLinux
import CTaskThreads
import DetachedThread
import Dispatch
import Glibc
import Synchronization

/// A network namespace and the thread that lives in it.
///
/// What the thread opens (sockets, netlink, TUN devices) and starts (processes) belongs to the namespace. The namespace ends
/// when `stop` was called, its processes are gone and its descriptors closed.
package final class NetworkNamespace: Sendable {
  private enum Work: Sendable {
    case job(@Sendable () -> Void)
    case end
  }

  /// What the thread does next.
  private final class Inbox: Sendable {
    private let work = Mutex<[Work]>([])
    private let count = DispatchSemaphore(value: 0)

    func put(_ item: Work) {
      work.withLock { $0.append(item) }
      count.signal()
    }

    func take() -> Work {
      count.wait()
      return work.withLock { $0.removeFirst() }
    }
  }

  /// As in `host`; it stands in errors.
  package let name: String
  /// An open `/proc/thread-self/ns/net`, for moving links here.
  let descriptor: Int32
  private let inbox: Inbox

  private init(name: String, descriptor: Int32, inbox: Inbox) {
    self.name = name
    self.descriptor = descriptor
    self.inbox = inbox
  }

  deinit {
    inbox.put(.end)
    close(descriptor)
  }

  /// Makes a namespace, empty but for a loopback device that is down.
  ///
  /// - Throws: `WorldError` `notAllowed` without CAP_SYS_ADMIN.
  package static func make(_ name: String) async throws -> NetworkNamespace {
    try await start(name) { try unshareNetwork(name) }
  }

  /// The network of this process, as a namespace.
  static func ofThisProcess(_ name: String) async throws -> NetworkNamespace {
    try await start(name) { try openNetwork(name) }
  }

  private static func start(
    _ name: String, _ enter: @escaping @Sendable () throws -> Int32
  ) async throws -> NetworkNamespace {
    guard ctaskthreads_stay() == 0 else {
      throw WorldError.system("cannot keep the threads of tasks out of the network namespace '\(name)'")
    }
    let inbox = Inbox()
    let descriptor = try await withCheckedThrowingContinuation { (made: CheckedContinuation<Int32, any Error>) in
      startThread {
        do {
          made.resume(returning: try enter())
        } catch {
          return made.resume(throwing: error)
        }
        while case .job(let job) = inbox.take() { job() }
      }
    }
    return NetworkNamespace(name: name, descriptor: descriptor, inbox: inbox)
  }

  private static func unshareNetwork(_ name: String) throws -> Int32 {
    guard unshare(Int32(clinux_clone_newnet)) == 0 else {
      throw WorldError.system("cannot make the network namespace '\(name)'; run this as root")
    }
    return try openNetwork(name)
  }

  private static func openNetwork(_ name: String) throws -> Int32 {
    let descriptor = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw WorldError.system("cannot open the network namespace '\(name)'") }
    return descriptor
  }

  /// Runs `body` on the namespace's thread, after what was asked of it before.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      inbox.put(.job { continuation.resume(with: Result(catching: body)) })
    }
  }

  /// Starts a detached thread.
  static func startThread(_ body: @escaping @Sendable () -> Void) {
    precondition(DetachedThread.start(body), "no thread can be started")
  }
}
