import CLinux
import Glibc
import Synchronization

/// Counts the IP packets that leave the host by its other uplink. Address resolution (ARP) is not
/// IP.
///
/// Packets wait in the kernel until they are read, so a count includes everything that was sent
/// before it.
final class UplinkWatch: Sendable {
  private struct State {
    var total = 0
    var resets = 0
    var first: [UplinkPacket] = []
  }

  private let descriptor: Int32
  private let expected: ExpectedTraffic?
  private let state = Mutex(State())

  /// Watches an interface of the calling thread's network namespace.
  ///
  /// - Parameter expected: what may go there and is not a leak; nil for nothing.
  /// - Throws: `WorldError`.
  init(interface: String, expected: ExpectedTraffic? = nil) throws {
    self.expected = expected
    let everything = UInt16(ETH_P_ALL).bigEndian
    descriptor = socket(AF_PACKET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw WorldError.system("cannot open a packet socket on \(interface)") }
    var size: Int32 = 8 << 20
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_ll()
    address.sll_family = UInt16(AF_PACKET)
    address.sll_protocol = everything
    address.sll_ifindex = Int32(if_nametoindex(interface))
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_ll>.size))
      }
    }
    guard address.sll_ifindex > 0, bound == 0 else {
      let reason = errno
      close(descriptor)
      throw WorldError.system("cannot watch the packets on \(interface)", errno: reason)
    }
  }

  deinit { close(descriptor) }

  /// How many packets came so far, and the first of them.
  func count() -> LeakCount {
    state.withLock { state in
      while let next = receive() {
        guard case .ip(let packet) = next else { continue }
        state.total += 1
        if packet.isReset { state.resets += 1 }
        if state.first.count < 8 { state.first.append(packet) }
      }
      state.total += lost()
      return LeakCount(packets: state.total, resets: state.resets, first: state.first)
    }
  }

  private enum Received { case ip(UplinkPacket), other }

  private func receive() -> Received? {
    var buffer = [UInt8](repeating: 0, count: 256)
    var from = sockaddr_ll()
    var length = socklen_t(MemoryLayout<sockaddr_ll>.size)
    let count = withUnsafeMutablePointer(to: &from) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &buffer, buffer.count, 0, $0, &length)
      }
    }
    guard count >= 0 else { return nil }
    let isIP = from.sll_protocol == UInt16(ETH_P_IP).bigEndian || from.sll_protocol == UInt16(ETH_P_IPV6).bigEndian
    let bytes = Array(buffer[..<count])
    guard isIP, from.sll_pkttype != UInt8(PACKET_OUTGOING), let packet = UplinkPacket(bytes),
      expected?.includes(packet) != true
    else { return .other }
    return .ip(packet)
  }

  /// Packets that were dropped since the last reading: they count, because their content is
  /// unknown.
  private func lost() -> Int {
    var statistics = tpacket_stats()
    var length = socklen_t(MemoryLayout<tpacket_stats>.size)
    // SOL_PACKET and PACKET_STATISTICS of linux/if_packet.h.
    guard getsockopt(descriptor, 263, 6, &statistics, &length) == 0 else { return 0 }
    return Int(statistics.tp_drops)
  }
}

/// Packets that left by the other uplink.
package struct LeakCount: Hashable, Sendable, CustomStringConvertible {
  package var packets = 0
  /// Those of them that are resets of TCP, which have no data.
  package var resets = 0
  /// At most 8 of each uplink, in order.
  package var first: [UplinkPacket] = []

  static func + (one: LeakCount, other: LeakCount) -> LeakCount {
    LeakCount(
      packets: one.packets + other.packets, resets: one.resets + other.resets, first: one.first + other.first)
  }

  package var description: String {
    first.isEmpty ? "\(packets)" : "\(packets) (\(first.map(\.description).joined(separator: "; ")))"
  }
}
