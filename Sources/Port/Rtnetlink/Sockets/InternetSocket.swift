import CLinux
import Glibc
import NetworkAddress

/// A TCP or UDP socket, as the kernel lists it (sock_diag(7), linux/inet_diag.h).
package struct InternetSocket: Hashable, Sendable {
  package enum Kind: Hashable, Sendable, CaseIterable {
    case stream, datagram

    /// IANA's number of the protocol.
    var number: UInt8 { UInt8(self == .stream ? IPPROTO_TCP : IPPROTO_UDP) }
  }

  package let kind: Kind
  package let family: AddressFamily
  /// SO_COOKIE: identifies it until the machine restarts.
  package let cookie: UInt64
  /// The interface that it is bound to; 0 for none.
  package let interfaceIndex: Int
  /// Unspecified if the socket has none yet. An IPv4 address in IPv6 form is given as IPv4.
  package let source: IPAddress
  package let sourcePort: Int
  /// Nil if the socket is not connected.
  package let remote: IPAddress?
  package let remotePort: Int
  package let isListening: Bool
  /// The user who made it.
  package let user: UInt32
  /// Whether no process has it any more. The kernel still ends its connection.
  package let isOrphan: Bool
  /// Bytes of data that the other end acknowledged; nil if the kernel does not count them.
  package let sent: Int?
  /// Bytes of data that came in; nil if the kernel does not count them.
  package let received: Int?
  /// What names it in a request: struct inet_diag_sockid.
  let identity: [UInt8]

  /// Reads a struct inet_diag_msg; nil for a message that is none, and for what is left of a TCP
  /// connection after its socket.
  init?(_ message: NetlinkMessage, _ kind: Kind) {
    let reader = message.reader
    guard message.type == UInt16(SOCK_DIAG_BY_FAMILY), let number: UInt8 = reader.number(at: 0),
      let family = AddressFamily(number: number), let state: UInt8 = reader.number(at: 1),
      let identity = reader.slice(from: 4, count: 48), let user: UInt32 = reader.number(at: Offset.user),
      let inode: UInt32 = reader.number(at: Offset.inode)
    else { return nil }
    let id = ByteReader(identity)
    let size = family == .ipv4 ? 4 : 16
    guard let sourcePort: UInt16 = id.number(at: 0), let remotePort: UInt16 = id.number(at: 2),
      let source = id.slice(from: 4, count: size).flatMap({ IPAddress(bytes: $0) }),
      let remote = id.slice(from: 20, count: size).flatMap({ IPAddress(bytes: $0) }),
      let index: UInt32 = id.number(at: 36), let low: UInt32 = id.number(at: 40), let high: UInt32 = id.number(at: 44)
    else { return nil }
    let information = reader.attributes(from: 72).bytes(INET_DIAG_INFO).map { ByteReader($0) }
    // A connection in TIME_WAIT, or one that is only asked for, has no socket and no counters.
    if kind == .stream, information == nil { return nil }
    self.kind = kind
    self.family = family
    self.identity = Array(identity)
    cookie = UInt64(high) << 32 | UInt64(low)
    interfaceIndex = Int(index)
    self.source = source.withoutMapping
    self.sourcePort = Int(UInt16(bigEndian: sourcePort))
    self.remote = remotePort == 0 ? nil : remote.withoutMapping
    self.remotePort = Int(UInt16(bigEndian: remotePort))
    isListening = kind == .stream && state == State.listen
    self.user = user
    isOrphan = inode == 0
    let acknowledged: UInt64? = kind == .stream ? information?.number(at: Offset.acknowledged) : nil
    let received: UInt64? = kind == .stream ? information?.number(at: Offset.received) : nil
    // The kernel counts the number that opens the connection as a byte (SYN; RFC 9293, 3.4).
    sent = acknowledged.map { Int(clamping: $0 > 0 ? $0 - 1 : 0) }
    self.received = received.map { Int(clamping: $0) }
  }

  private enum Offset {
    // struct inet_diag_msg.
    static let user = 64
    static let inode = 68
    // struct tcp_info, which the kernel extends at its end.
    static let acknowledged = 120
    static let received = 128
  }

  /// States of the kernel (net/tcp_states.h).
  enum State {
    static let timeWait: UInt8 = 6
    static let listen: UInt8 = 10
  }

  /// Passes messages about sockets that are bound to an interface, as a program of the kernel's
  /// packet filter.
  static func filter(interfaceIndex index: Int) -> [sock_filter] {
    // The header's 16 bytes, 4 of struct inet_diag_msg, 36 of struct inet_diag_sockid. The program
    // loads in network byte order.
    [
      sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: 56),
      sock_filter(
        code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: 0, jf: 1, k: UInt32(truncatingIfNeeded: index).bigEndian),
      sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: UInt32(UInt16.max)),
      sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: 0),
    ]
  }
}

extension IPAddress {
  fileprivate var withoutMapping: IPAddress {
    if case .v6(let address) = self, let inner = address.mappedIPv4 { return .v4(inner) }
    return self
  }
}
