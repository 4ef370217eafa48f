import CLinux
import Glibc

/// Sends and receives one link's packets, past the host's IP stack: whole IP packets in both
/// directions.
package protocol PacketSocket: Sendable {
  /// Arriving packets, until the socket is closed or its link vanishes.
  var packets: AsyncStream<[UInt8]> { get }

  /// Sends a packet to everyone on the link. Throws `NetlinkError`.
  func send(_ packet: [UInt8]) throws

  /// Closes the socket. It may be called twice.
  func close()
}

/// What a packet socket is for; the kernel passes nothing else to it.
package enum PacketKind: Sendable {
  /// UDP over IPv4 to port 68.
  case dhcp
  /// ICMPv6 of type 134.
  case advertisements

  /// ETH_P_IP and ETH_P_IPV6.
  var etherType: UInt16 { self == .dhcp ? 0x0800 : 0x86dd }

  /// The destination of such packets on Ethernet: broadcast, or all routers (RFC 2464, 7).
  var destination: [UInt8] {
    self == .dhcp ? [UInt8](repeating: 0xff, count: 6) : [0x33, 0x33, 0, 0, 0, 2]
  }

  /// A classic BPF program for the IP packet.
  var filter: [sock_filter] {
    func step(_ code: UInt16, _ value: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0) -> sock_filter {
      sock_filter(code: code, jt: ifTrue, jf: ifFalse, k: value)
    }
    let (loadByte, loadHalf, loadHalfAtX, loadHeaderLength): (UInt16, UInt16, UInt16, UInt16) = (0x30, 0x28, 0x48, 0xb1)
    let (jumpIfEqual, jumpIfAnyBit, finish): (UInt16, UInt16, UInt16) = (0x15, 0x45, 0x06)
    switch self {
    case .dhcp:
      return [
        step(loadByte, 9), step(jumpIfEqual, 17, ifFalse: 6), step(loadHalf, 6),
        step(jumpIfAnyBit, 0x1fff, ifTrue: 4), step(loadHeaderLength, 0), step(loadHalfAtX, 2),
        step(jumpIfEqual, 68, ifFalse: 1), step(finish, 0xffff), step(finish, 0),
      ]
    case .advertisements:
      return [
        step(loadByte, 6), step(jumpIfEqual, 58, ifFalse: 3), step(loadByte, 40), step(jumpIfEqual, 134, ifFalse: 1),
        step(finish, 0xffff), step(finish, 0),
      ]
    }
  }
}
