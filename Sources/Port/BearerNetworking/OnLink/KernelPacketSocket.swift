import CLinux
import DetachedThread
import Glibc
import Rtnetlink

/// An AF_PACKET socket on one link, in the network namespace of the thread that makes it. It needs
/// CAP_NET_RAW.
package final class KernelPacketSocket: PacketSocket {
  package let packets: AsyncStream<[UInt8]>
  private let descriptors: Descriptors
  private let index: Int
  private let kind: PacketKind
  private let isEthernet: Bool

  /// Opens a socket and a thread that reads it.
  ///
  /// - Parameters:
  ///   - index: the link's index, above 0.
  ///   - isEthernet: whether packets travel in frames with addresses.
  /// - Throws: `NetlinkError`.
  package init(_ kind: PacketKind, index: Int, isEthernet: Bool) throws {
    guard index > 0 else { throw NetlinkError(.failed, "a packet socket needs a link: its index is \(index)") }
    // Without a protocol, nothing arrives before the filter is set.
    let descriptor = socket(AF_PACKET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else {
      guard errno == EPERM else { throw NetlinkError("open a packet socket", errno: errno) }
      throw NetlinkError(.notPermitted, "cannot open a packet socket; the process needs CAP_NET_RAW")
    }
    let wake = eventfd(0, Int32(clinux_eventfd_cloexec | clinux_eventfd_nonblock))
    guard wake >= 0 else {
      let reason = errno
      _ = Glibc.close(descriptor)
      throw NetlinkError("open an event descriptor", errno: reason)
    }
    do {
      try Self.attach(kind.filter, to: descriptor)
      var address = Self.address(kind, index, [])
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_ll>.size))
        }
      }
      guard result == 0 else { throw NetlinkError("bind a packet socket", errno: errno) }
    } catch {
      _ = Glibc.close(descriptor)
      _ = Glibc.close(wake)
      throw error
    }
    let descriptors = Descriptors(socket: descriptor, wake: wake)
    self.descriptors = descriptors
    self.index = index
    self.kind = kind
    self.isEthernet = isEthernet
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(64))
    packets = stream
    guard DetachedThread.start({ Self.read(descriptors, into: continuation) }) else {
      throw NetlinkError(.failed, "the system could not start a thread for a packet socket")
    }
  }

  deinit { close() }

  package func close() { _ = eventfd_write(descriptors.wake, 1) }

  /// Closed when neither the socket's owner nor its thread uses them any more.
  private final class Descriptors: Sendable {
    let socket: Int32
    let wake: Int32

    init(socket: Int32, wake: Int32) {
      self.socket = socket
      self.wake = wake
    }

    deinit {
      _ = Glibc.close(socket)
      _ = Glibc.close(wake)
    }
  }

  package func send(_ packet: [UInt8]) throws {
    var address = Self.address(kind, index, isEthernet ? kind.destination : [])
    let sent = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptors.socket, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_ll>.size))
      }
    }
    guard sent == packet.count else { throw NetlinkError("send a packet on a link", errno: errno) }
  }

  private static func address(_ kind: PacketKind, _ index: Int, _ hardware: [UInt8]) -> sockaddr_ll {
    var address = sockaddr_ll()
    address.sll_family = UInt16(AF_PACKET)
    address.sll_protocol = kind.etherType.bigEndian
    address.sll_ifindex = Int32(index)
    address.sll_halen = UInt8(hardware.count)
    withUnsafeMutableBytes(of: &address.sll_addr) { $0.copyBytes(from: hardware) }
    return address
  }

  private static func attach(_ filter: [sock_filter], to descriptor: Int32) throws {
    var filter = filter
    let result = filter.withUnsafeMutableBufferPointer { steps in
      var program = sock_fprog(len: UInt16(steps.count), filter: steps.baseAddress)
      return setsockopt(
        descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, socklen_t(MemoryLayout<sock_fprog>.size))
    }
    guard result == 0 else { throw NetlinkError("filter a packet socket", errno: errno) }
  }

  /// Reads until it is woken or the link vanishes.
  private static func read(_ open: Descriptors, into continuation: AsyncStream<[UInt8]>.Continuation) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var descriptors = [open.wake, open.socket].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&descriptors, 2, -1) < 0, errno != EINTR { break }
      if descriptors[0].revents != 0 { break }
      let count = recv(open.socket, &buffer, buffer.count, 0)
      if count > 0 {
        continuation.yield(Array(buffer.prefix(count)))
      } else if count < 0, ![EAGAIN, EINTR, ENETDOWN].contains(errno) {
        // A link that is down reports so once and may come back.
        break
      }
    }
    continuation.finish()
  }
}
