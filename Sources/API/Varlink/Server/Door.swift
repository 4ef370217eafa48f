import Glibc
import Logging
import NIOCore

/// Who examines a server's connections and serves them. Confined to one event loop.
package protocol DoorReception: SendableMetatype {
  /// Takes accepted connections. The descriptors are its own from now on.
  func receive(_ arrivals: [Arrival])
  /// Ends every connection.
  func closeAll()
}

/// Where a server listens: its socket's file, the threads that accept, and the reception on one
/// event loop.
package final class Door<Reception: DoorReception>: Sendable {
  /// A socket that already listens and does not block.
  package struct Socket: Sendable {
    let descriptor: CInt
    let findPeer: @Sendable (CInt) -> Peer?

    /// - Parameters:
    ///   - descriptor: closed when the door is.
    ///   - findPeer: says whose a connection is; see `Acceptor`.
    package init(_ descriptor: CInt, findPeer: @escaping @Sendable (CInt) -> Peer? = { Peer(of: $0) }) {
      self.descriptor = descriptor
      self.findPeer = findPeer
    }
  }

  /// Of the socket file that this door made.
  private let path: String?
  private let loop: any EventLoop
  private let reception: NIOLoopBound<Reception>
  private let acceptors: [Acceptor]
  /// Nothing is accepted any more.
  private let ended: [EventLoopFuture<Void>]

  private init(
    path: String?, loop: any EventLoop, reception: NIOLoopBound<Reception>, acceptors: [Acceptor],
    ended: [EventLoopFuture<Void>]
  ) {
    self.path = path
    self.loop = loop
    self.reception = reception
    self.acceptors = acceptors
    self.ended = ended
  }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - endpoint: the Unix socket; nil for none.
  ///   - others: further sockets.
  ///   - batchSize: connections to accept before any of them is examined.
  ///   - makeReception: called on the loop.
  /// - Throws: `VarlinkListenError` if the path is taken or cannot be made. Nothing listens then,
  ///   and no socket file is left.
  package static func open(
    _ endpoint: VarlinkEndpoint?, others: [Socket] = [], batchSize: Int, on loop: any EventLoop, logger: Logger,
    _ makeReception: @escaping @Sendable () -> Reception
  ) async throws -> Door {
    let reception = try await loop.submit { NIOLoopBound(makeReception(), eventLoop: loop) }.get()
    let path: String? = if case .path(let path, _) = endpoint { path } else { nil }
    let own = try endpoint.map { try ListeningSocket.open($0) }
    var acceptors: [Acceptor] = []
    var ended: [EventLoopFuture<Void>] = []
    do {
      for socket in (own.map { [Socket($0)] } ?? []) + others {
        let acceptor = try Acceptor(
          socket: socket.descriptor, batchSize: batchSize, logger: logger, findPeer: socket.findPeer)
        ended.append(try acceptor.start(on: loop) { reception.value.receive($0) })
        acceptors.append(acceptor)
      }
    } catch {
      if let path { unlink(path) }
      // An acceptor that runs closes its socket.
      if let own, acceptors.isEmpty { Glibc.close(own) }
      for acceptor in acceptors { acceptor.stop() }
      throw error
    }
    return Door(path: path, loop: loop, reception: reception, acceptors: acceptors, ended: ended)
  }

  /// Calls `body` with the reception, on its loop, and not at all if the loop has ended.
  package func change(_ body: @escaping @Sendable (Reception) -> Void) async {
    try? await loop.submit { [reception] in body(reception.value) }.get()
  }

  /// Stops listening, removes the socket file that it made, and ends every connection.
  package func close() async {
    if let path { unlink(path) }
    for acceptor in acceptors { acceptor.stop() }
    for end in ended { try? await end.get() }
    await change { $0.closeAll() }
  }
}
