import CLinux
import Glibc

/// A NETLINK_ROUTE, NETLINK_NETFILTER or NETLINK_SOCK_DIAG socket in the network namespace of the
/// thread that makes it.
package final class KernelNetlinkSocket: NetlinkSocket {
  package let port: UInt32
  private let descriptor: Int32
  private let wake: Int32

  /// Opens a socket.
  ///
  /// - Parameters:
  ///   - groups: the notifications to receive; empty for requests only.
  ///   - receiveBuffer: bytes that the kernel may queue; nil keeps the system's default.
  /// - Throws: `NetlinkError`.
  package convenience init(groups: [NetlinkGroup] = [], receiveBuffer: Int32? = nil) throws {
    try self.init(
      NETLINK_ROUTE, groups: groups.map { (number: $0.number, words: $0.description) }, receiveBuffer: receiveBuffer)
  }

  /// Opens a socket to the kernel's packet filter, nf_tables.
  ///
  /// - Parameter isWatching: whether to receive notifications of changes.
  /// - Throws: `NetlinkError`.
  package static func filter(isWatching: Bool = false) throws -> KernelNetlinkSocket {
    // NFNLGRP_NFTABLES of linux/netfilter/nfnetlink.h.
    try KernelNetlinkSocket(
      NETLINK_NETFILTER, groups: isWatching ? [(number: 7, words: "nf_tables")] : [], receiveBuffer: nil)
  }

  /// Opens a socket to the kernel's list of sockets (sock_diag(7)).
  ///
  /// - Parameter index: an interface. The ends of its TCP sockets are reported from now on; nil for
  ///   none. The kernel tells of every socket of the machine; a filter leaves the rest out before
  ///   it wakes this process.
  /// - Throws: `NetlinkError`.
  package static func sockets(watchingEndsOn index: Int? = nil) throws -> KernelNetlinkSocket {
    let groups = index == nil ? [] : [SKNLGRP_INET_TCP_DESTROY, SKNLGRP_INET6_TCP_DESTROY]
    return try KernelNetlinkSocket(
      NETLINK_SOCK_DIAG, groups: groups.map { (number: $0.rawValue, words: "the ends of sockets") },
      receiveBuffer: index == nil ? nil : 1 << 20,
      filter: index.map { InternetSocket.filter(interfaceIndex: $0) })
  }

  private init(
    _ family: Int32, groups: [(number: UInt32, words: String)], receiveBuffer: Int32?, filter: [sock_filter]? = nil
  ) throws {
    let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), family)
    guard descriptor >= 0 else { throw NetlinkError("open a netlink socket", errno: errno) }
    let wake = eventfd(0, Int32(clinux_eventfd_cloexec | clinux_eventfd_nonblock))
    guard wake >= 0 else {
      let reason = errno
      _ = Glibc.close(descriptor)
      throw NetlinkError("open an event descriptor", errno: reason)
    }
    do {
      port = try Self.bind(descriptor)
      Self.set(descriptor, SOL_SOCKET, SO_RCVBUF, receiveBuffer)
      // Older kernels lack both refinements.
      Self.set(descriptor, SOL_NETLINK, NETLINK_EXT_ACK, 1)
      Self.set(descriptor, SOL_NETLINK, NETLINK_CAP_ACK, 1)
      if let filter { try Self.attach(filter, to: descriptor) }
      for group in groups {
        guard Self.set(descriptor, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, Int32(group.number)) else {
          throw NetlinkError("watch \(group.words)", errno: errno)
        }
      }
    } catch {
      _ = Glibc.close(descriptor)
      _ = Glibc.close(wake)
      throw error
    }
    self.descriptor = descriptor
    self.wake = wake
  }

  deinit {
    _ = Glibc.close(descriptor)
    _ = Glibc.close(wake)
  }

  package func send(_ datagram: [UInt8]) throws {
    var kernel = Self.address()
    let sent = withUnsafePointer(to: &kernel) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, datagram, datagram.count, 0, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
      }
    }
    guard sent == datagram.count else { throw NetlinkError("send a netlink message", errno: errno) }
  }

  package func receive(within milliseconds: Int32?) throws -> [UInt8] {
    while true {
      try waitForData(milliseconds ?? -1)
      if let datagram = try receiveFromKernel() { return datagram }
    }
  }

  package func close() {
    _ = eventfd_write(wake, 1)
  }

  private func waitForData(_ milliseconds: Int32) throws {
    var descriptors = [
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let ready = poll(&descriptors, 2, milliseconds)
    if ready < 0, errno != EINTR { throw NetlinkError("wait for the kernel", errno: errno) }
    guard descriptors[0].revents == 0 else { throw NetlinkError(.closed, "the netlink socket is closed") }
    guard ready != 0 else {
      throw NetlinkError(.timeout, "the kernel did not answer a netlink request within \(milliseconds) ms")
    }
  }

  /// Nil for a datagram that another process sent, and if none has arrived after all.
  private func receiveFromKernel() throws -> [UInt8]? {
    var sender = sockaddr_nl()
    // The kernel puts at most 32 KiB into a datagram of a dump (netlink(7)).
    var truncated = false
    let datagram = try [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      let received = withUnsafeMutablePointer(to: &sender) { sender in
        withUnsafeMutablePointer(to: &vector) { vector in
          var header = msghdr()
          header.msg_name = UnsafeMutableRawPointer(sender)
          header.msg_namelen = socklen_t(MemoryLayout<sockaddr_nl>.size)
          header.msg_iov = vector
          header.msg_iovlen = 1
          let received = recvmsg(descriptor, &header, Int32(MSG_DONTWAIT))
          truncated = header.msg_flags & Int32(MSG_TRUNC) != 0
          return received
        }
      }
      if received < 0, errno != EAGAIN, errno != EINTR { throw NetlinkError("read from the kernel", errno: errno) }
      count = max(received, 0)
    }
    guard !truncated else { throw NetlinkError(.badReply, "the kernel sent a netlink datagram over 64 KiB") }
    return sender.nl_pid == 0 && !datagram.isEmpty ? datagram : nil
  }

  private static func bind(_ descriptor: Int32) throws -> UInt32 {
    var name = address()
    var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
    let result = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        Glibc.bind(descriptor, name, size) == 0 ? getsockname(descriptor, name, &size) : -1
      }
    }
    guard result == 0 else { throw NetlinkError("bind a netlink socket", errno: errno) }
    return name.nl_pid
  }

  private static func attach(_ filter: [sock_filter], to descriptor: Int32) throws {
    var filter = filter
    let result = filter.withUnsafeMutableBufferPointer { buffer in
      var program = sock_fprog(len: UInt16(buffer.count), filter: buffer.baseAddress)
      return setsockopt(
        descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, socklen_t(MemoryLayout<sock_fprog>.size))
    }
    guard result == 0 else { throw NetlinkError("set the filter of a netlink socket", errno: errno) }
  }

  private static func address() -> sockaddr_nl {
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    return address
  }

  @discardableResult
  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32?) -> Bool {
    guard var value else { return true }
    return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }
}
