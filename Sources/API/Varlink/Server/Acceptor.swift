import CLinux
import DetachedThread
import Glibc
import Logging
import NIOCore

/// An accepted connection and its peer. Nothing has been read from it.
package struct Arrival: Sendable {
  package let descriptor: CInt
  package let peer: Peer
}

/// Accepts connections on a separate thread, many at once, and asks the kernel for each peer.
///
/// The kernel has one queue per socket for all users, first come, first served, and refuses
/// connections when it is full. It is therefore emptied as fast as connections can be made. Which
/// of them are served, and when, is decided afterwards, by user.
package final class Acceptor: Sendable {
  private enum Batch {
    case arrivals([Arrival])
    /// The process or the machine has no descriptor or memory for another one, or the socket cannot
    /// be used.
    case shortage([Arrival], errno: CInt)
  }

  /// How long to accept nothing after a shortage. Meanwhile, the connections stay in the kernel's
  /// queue.
  private static let pauseMilliseconds: CInt = 100

  private let socket: CInt
  /// Readable when the acceptor must end.
  private let wake: CInt
  private let batchSize: Int
  private let findPeer: @Sendable (CInt) -> Peer?
  private let logger: Logger

  /// - Parameters:
  ///   - socket: a listening, non-blocking socket; closed at the end.
  ///   - batchSize: connections to accept before any of them is examined.
  ///   - findPeer: says whose a connection is, on the acceptor's thread. A connection without a
  ///     peer is closed. The usual one is for Unix sockets.
  /// - Throws: `VarlinkListenError`.
  package init(
    socket: CInt, batchSize: Int, logger: Logger, findPeer: @escaping @Sendable (CInt) -> Peer? = { Peer(of: $0) }
  ) throws {
    self.findPeer = findPeer
    self.socket = socket
    self.batchSize = batchSize
    self.logger = logger
    wake = eventfd(0, CInt(clinux_eventfd_cloexec) | CInt(clinux_eventfd_nonblock))
    guard wake >= 0 else { throw VarlinkListenError(reason: "waiting for connections failed") }
  }

  /// Accepts until `stop` is called or `handOver` throws.
  ///
  /// - Parameters:
  ///   - handOver: called on the acceptor's thread; owns the descriptors, and returns when they
  ///     have been examined.
  ///   - ended: called when nothing more is accepted and the socket is closed.
  /// - Throws: `VarlinkListenError` if the system cannot start a thread.
  package func start(
    _ handOver: @escaping @Sendable ([Arrival]) throws -> Void, ended: @escaping @Sendable () -> Void
  ) throws {
    let isStarted = DetachedThread.start { [self] in
      run(handOver)
      close(socket)
      ended()
    }
    guard isStarted else { throw VarlinkListenError(reason: "the system could not start a thread for connections") }
  }

  /// Accepts until `stop` is called or the loop ends. `receive` examines connections on the loop,
  /// and owns their descriptors.
  ///
  /// - Returns: when nothing more is accepted and the socket is closed.
  /// - Throws: `VarlinkListenError` if the system cannot start a thread.
  package func start(
    on loop: any EventLoop, _ receive: @escaping @Sendable ([Arrival]) -> Void
  ) throws -> EventLoopFuture<Void> {
    let ended = loop.makePromise(of: Void.self)
    do {
      try start(
        { arrivals in
          do {
            try loop.submit { receive(arrivals) }.wait()
          } catch {
            for arrival in arrivals { close(arrival.descriptor) }
            throw error
          }
        }, ended: { ended.succeed() })
    } catch {
      ended.fail(error)
      throw error
    }
    return ended.futureResult
  }

  /// Ends the acceptor, which then calls `ended`.
  package func stop() {
    var one: UInt64 = 1
    _ = write(wake, &one, MemoryLayout<UInt64>.size)
  }

  deinit { close(wake) }

  private func run(_ handOver: ([Arrival]) throws -> Void) {
    var isTold = false
    while wait(for: socket, milliseconds: -1) {
      let arrivals: [Arrival]
      var isShort = false
      switch accept() {
      case .arrivals(let accepted):
        arrivals = accepted
        isTold = false
      case .shortage(let accepted, let reason):
        arrivals = accepted
        isShort = true
        if !isTold {
          isTold = true
          logger.warning(
            "no connection can be accepted: \(String(cString: strerror(reason))); trying again every \(Self.pauseMilliseconds) ms"
          )
        }
      }
      do { try handOver(arrivals) } catch { return }
      if isShort, !wait(for: nil, milliseconds: Self.pauseMilliseconds) { return }
    }
  }

  /// Waits for a connection, or for a time.
  ///
  /// - Returns: false if the acceptor must end.
  private func wait(for socket: CInt?, milliseconds: CInt) -> Bool {
    // The kernel skips negative descriptors.
    var polled = [
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0), pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&polled, 2, milliseconds) < 0, errno == EINTR {}
    return polled[0].revents == 0
  }

  private func accept() -> Batch {
    var arrivals: [Arrival] = []
    // Connections that are gone also count: a user who makes connections without end must not delay
    // those of others.
    for _ in 0..<batchSize {
      let descriptor = accept4(socket, nil, nil, CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue))
      guard descriptor >= 0 else {
        switch errno {
        case EINTR, ECONNABORTED: continue
        case EAGAIN: return .arrivals(arrivals)
        case let reason: return .shortage(arrivals, errno: reason)
        }
      }
      if !Self.isGone(descriptor), let peer = findPeer(descriptor) {
        arrivals.append(Arrival(descriptor: descriptor, peer: peer))
      } else {
        close(descriptor)
      }
    }
    return .arrivals(arrivals)
  }

  /// Whether a client has shut down without sending anything. It has usually closed its end
  /// already, and costs no more than this check.
  private static func isGone(_ descriptor: CInt) -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == 0
  }
}
