import CLinux
import Glibc

/// Sockets of the machine: SOCK_DIAG_BY_FAMILY and SOCK_DESTROY, over a session with
/// `KernelNetlinkSocket.sockets`.
extension NetlinkSession {
  /// Hands over the sockets that are bound to an interface. What lies beyond the interface's index
  /// is left out in the kernel.
  ///
  /// - Throws: `NetlinkError` `notFound` if the kernel cannot list TCP sockets (CONFIG_INET_DIAG).
  ///   UDP sockets that it cannot list (CONFIG_INET_UDP_DIAG) are left out.
  package func sockets(
    boundTo index: Int, _ kinds: [InternetSocket.Kind] = InternetSocket.Kind.allCases,
    _ each: (InternetSocket) -> Void
  ) throws {
    for kind in kinds {
      for family in AddressFamily.allCases {
        do {
          try scan(
            "list the \(family) sockets bound to interface \(index)", type: SOCK_DIAG_BY_FAMILY,
            Self.request(family, kind, boundTo: index)
          ) { message in
            // An answer of a kernel that ignores the filter must not name other sockets.
            if let socket = InternetSocket(message, kind), socket.interfaceIndex == index { each(socket) }
          }
        } catch let error as NetlinkError where error.code == .notFound && kind == .datagram {
          continue
        }
      }
    }
  }

  /// What became of sockets that were to be destroyed.
  package struct DestroyedSockets: Hashable, Sendable {
    /// How many are dead.
    package var count = 0
    /// Why one of the others lives on; nil if none does.
    package var refusal: NetlinkError?
  }

  /// Destroys TCP sockets: their owners read ECONNABORTED, and the other ends a reset. It needs
  /// CAP_NET_ADMIN and CONFIG_INET_DIAG_DESTROY. A socket that has ended by itself is not an error.
  ///
  /// A UDP socket is refused. The kernel would not end it, but disconnect it and free it from its
  /// interface (`__udp_disconnect`): its next datagram would leave by the machine's own network.
  ///
  /// - Throws: `NetlinkError` if the kernel does not answer.
  package func destroy(_ sockets: some Sequence<InternetSocket>) throws -> DestroyedSockets {
    var result = DestroyedSockets()
    let streams = sockets.filter { $0.kind == .stream }
    var start = 0
    // So many acknowledgements fit into a socket's usual buffer.
    while start < streams.count {
      let part = streams[start..<min(start + 64, streams.count)]
      start = part.endIndex
      let answers = try performEach(
        "destroy sockets", type: SOCK_DESTROY, part.map { Self.request($0.family, $0.kind, identity: $0.identity) })
      for (socket, errno) in zip(part, answers) {
        switch errno {
        case 0: result.count += 1
        // Gone, or another one has its addresses by now.
        case ENOENT, ESTALE: continue
        // Older kernels cannot destroy what a closed socket leaves (FIN_WAIT2).
        case EOPNOTSUPP where socket.isOrphan: continue
        default: result.refusal = result.refusal ?? Self.refusal(errno)
        }
      }
    }
    return result
  }

  /// Whether the kernel can destroy sockets; the reason if it cannot. Asks for one that does not
  /// exist.
  package func refusalToDestroySockets() throws -> NetlinkError? {
    let nobody = [UInt8](repeating: 0, count: 48)
    let answers = try performEach(
      "destroy a socket", type: SOCK_DESTROY, [Self.request(.ipv4, .stream, identity: nobody)])
    guard let errno = answers.first, errno != 0, errno != ENOENT, errno != ESTALE else { return nil }
    return Self.refusal(errno)
  }

  private static func refusal(_ errno: Int32) -> NetlinkError {
    errno == EOPNOTSUPP
      ? NetlinkError(.familyNotSupported, "the kernel cannot destroy sockets (CONFIG_INET_DIAG_DESTROY)")
      : NetlinkError("destroy a socket", errno: errno)
  }

  /// struct inet_diag_req_v2 for one socket.
  private static func request(
    _ family: AddressFamily, _ kind: InternetSocket.Kind, identity: [UInt8]
  ) -> [UInt8] {
    var writer = header(family, kind)
    writer.append(identity)
    return writer.bytes
  }

  /// struct inet_diag_req_v2 for all sockets that are bound to an interface.
  private static func request(
    _ family: AddressFamily, _ kind: InternetSocket.Kind, boundTo index: Int
  ) -> [UInt8] {
    var writer = header(family, kind)
    writer.append([UInt8](repeating: 0, count: 48))
    // One instruction with its argument: onward over both, which is the end and accepts, or beyond
    // the end, which refuses.
    var condition = ByteWriter()
    condition.append(UInt8(INET_DIAG_BC_DEV_COND))
    condition.append(UInt8(8))
    condition.append(UInt16(12))
    condition.append(UInt32(truncatingIfNeeded: index))
    writer.attribute(INET_DIAG_REQ_BYTECODE, condition.bytes)
    return writer.bytes
  }

  private static func header(_ family: AddressFamily, _ kind: InternetSocket.Kind) -> ByteWriter {
    var writer = ByteWriter()
    writer.append(family.number)
    writer.append(kind.number)
    // With INET_DIAG_INFO, the counters of TCP.
    writer.append(UInt8(1 << (INET_DIAG_INFO - 1)))
    writer.append(UInt8(0))
    // Every state but the one in which no socket is left.
    writer.append(~(UInt32(1) << UInt32(InternetSocket.State.timeWait)))
    return writer
  }
}

extension NetlinkMonitor {
  /// The TCP sockets that end, with their last counters, from a socket of
  /// `KernelNetlinkSocket.sockets(watchingEndsOn:)`. It ends as `events(on:)` does. Ends that are
  /// not read in time are lost.
  package static func endedSockets(on socket: any NetlinkSocket) -> AsyncStream<InternetSocket> {
    stream(on: socket, limit: 8192) { messages in messages.compactMap { InternetSocket($0, .stream) } }
  }
}
