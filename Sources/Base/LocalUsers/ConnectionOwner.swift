import CLinux
import Glibc
import NIOCore

/// The user of a connection's other end on this machine, as the kernel knows it.
///
/// TCP has no SO_PEERCRED. The kernel's list of sockets (sock_diag(7)) has the owner of each, and
/// is asked for the one socket with the same four ports and addresses, from its own end. The answer
/// counts only while that socket is established and somebody holds it: of one that is closed
/// already the kernel says user 0, although what it sent can still be read.
package enum ConnectionOwner {
  /// Why there is no owner.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kernel does not answer: errno.
    case noAnswer(Int32)
    /// The socket is not there, is closed already, or is not of this machine.
    case notEstablished

    package var description: String {
      switch self {
      case .noAnswer(let number):
        "the kernel does not say whose connections are: neither by sock_diag nor in /proc/thread-self/net "
          + "(\(String(cString: strerror(number))))"
      case .notEstablished: "the other end is closed already"
      }
    }
  }

  /// The user of the socket whose own address is `remote` and whose peer is `local`.
  package static func user(remote: SocketAddress, local: SocketAddress) throws(Failure) -> UInt32 {
    guard let own = Endpoint(remote), let peer = Endpoint(local), own.family == peer.family else {
      throw .notEstablished
    }
    let identity = own.port + peer.port + own.address + peer.address
    do throws(Failure) {
      return try read(try ask(question(own.family, identity)), identity)
    } catch .noAnswer {
      return try SocketTable.user(own, peer)
    }
  }

  /// The header of a netlink message, and inet_diag_req_v2 (linux/inet_diag.h).
  static func question(_ family: UInt8, _ identity: [UInt8]) -> [UInt8] {
    let noInterface = [UInt8](repeating: 0, count: 4)
    let noCookie = [UInt8](repeating: 0xff, count: 8)
    let body =
      [family, UInt8(IPPROTO_TCP), 0, 0] + [UInt8](repeating: 0xff, count: 4) + identity + noInterface + noCookie
    return native(UInt32(16 + body.count)) + native(byFamily) + native(UInt16(NLM_F_REQUEST)) + native(UInt32(1))
      + native(UInt32(0)) + body
  }

  /// SOCK_DIAG_BY_FAMILY (linux/sock_diag.h).
  private static let byFamily: UInt16 = 20
  /// TCP_ESTABLISHED (net/tcp_states.h).
  private static let established: UInt8 = 1

  /// The owner in inet_diag_msg: family, state, two bytes, the socket's identity of 48 bytes, three
  /// numbers, user, inode.
  static func read(_ answer: [UInt8], _ identity: [UInt8]) throws(Failure) -> UInt32 {
    guard answer.count >= 16 else { throw .noAnswer(EBADMSG) }
    if number16(answer, 4) == UInt16(NLMSG_ERROR) {
      let error = answer.count >= 20 ? Int32(bitPattern: number32(answer, 16)) : -EBADMSG
      throw error == -ENOENT ? .notEstablished : .noAnswer(error == Int32.min ? EBADMSG : abs(error))
    }
    guard number16(answer, 4) == byFamily, answer.count >= 16 + 72 else { throw .noAnswer(EBADMSG) }
    guard answer[17] == established, identities(of: identity).contains(Array(answer[20..<(20 + identity.count)])),
      number32(answer, 84) != 0
    else { throw .notEstablished }
    return number32(answer, 80)
  }

  /// An IPv4 connection may be that of an IPv6 socket, which has its addresses in IPv6's form (RFC
  /// 4291, 2.5.5.2).
  private static func identities(of identity: [UInt8]) -> [[UInt8]] {
    let (ports, own, peer) = (identity[..<4], identity[4..<20], identity[20...])
    let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    return [identity, ports + prefix + own.prefix(4) + prefix + peer.prefix(4)].map(Array.init)
  }

  private static func ask(_ question: [UInt8]) throws(Failure) -> [UInt8] {
    let descriptor = socket(AF_NETLINK, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), sockDiag)
    guard descriptor >= 0 else { throw .noAnswer(errno) }
    defer { close(descriptor) }
    guard send(descriptor, question, question.count, 0) == question.count else { throw .noAnswer(errno) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    // The kernel has written its answer before `send` returns.
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { throw .noAnswer(count < 0 ? errno : EBADMSG) }
    return Array(buffer[..<count])
  }

  /// NETLINK_SOCK_DIAG (linux/netlink.h).
  private static let sockDiag: Int32 = 4

  fileprivate static func native(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  private static func number16(_ bytes: [UInt8], _ offset: Int) -> UInt16 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
  }

  private static func number32(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }

  /// One end of a connection, in network order.
  struct Endpoint {
    let family: UInt8
    let port: [UInt8]
    /// 16 bytes; those that an IPv4 address does not need are 0.
    let address: [UInt8]

    init?(_ socket: SocketAddress) {
      switch socket {
      case .v4(let v4):
        family = UInt8(AF_INET)
        port = ConnectionOwner.native(v4.address.sin_port)
        address = ConnectionOwner.native(v4.address.sin_addr.s_addr) + [UInt8](repeating: 0, count: 12)
      case .v6(let v6):
        family = UInt8(AF_INET6)
        port = ConnectionOwner.native(v6.address.sin6_port)
        address = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
      case .unixDomainSocket: return nil
      }
    }
  }
}
