import BearerNetworking
import CLinux
import Glibc
import ModemModel
import NetworkAddress
import Rtnetlink
import Synchronization
import Testing

/// A namespace with a modem's device `wwan0`, whose far end is another namespace with a listener on
/// both families.
final class BearerPair: Sendable {
  static let port: UInt16 = 8080
  static let far = ["ipv4": "10.64.0.1", "ipv6": "2001:db8:64::1"]

  let host: NetworkNamespace
  let network: NetworkNamespace
  let listeners: [String: Int32]
  /// The far ends stay open.
  private let kept = Mutex([TestSocket]())

  init() throws {
    let (host, network) = (try NetworkNamespace(), try NetworkNamespace())
    self.host = host
    self.network = network
    let far = try network.run { open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC) }
    defer { close(far) }
    try host.run {
      let kernel = try NetlinkSession(KernelNetlinkSocket())
      try kernel.makeVirtualEthernet("wwan0", peer: "far0")
      try kernel.move(try #require(try kernel.link(named: "far0")), toNamespace: far)
      try kernel.set(LinkChange(addressGeneration: 1), of: try #require(try kernel.link(named: "wwan0")))
      try kernel.set(LinkChange(isUp: true), of: try #require(try kernel.link(named: "lo")))
    }
    try network.run {
      let kernel = try NetlinkSession(KernelNetlinkSocket())
      let link = try #require(try kernel.link(named: "far0"))
      try kernel.set(LinkChange(isUp: true), of: link)
      for (text, length) in [("10.64.0.1", 24), ("2001:db8:64::1", 64)] {
        try kernel.set(
          InterfaceAddress(
            interfaceIndex: link.index, prefix: try #require(IPAddress(text).flatMap { IPPrefix($0, length: length) }),
            skipsDuplicateDetection: true), on: "far0")
      }
    }
    listeners = try network.run {
      var listeners: [String: Int32] = [:]
      for (family, address) in ["ipv4": "0.0.0.0", "ipv6": "::"] {
        listeners[family] = try TestSocket.listen(on: try #require(IPAddress(address)), port: Self.port)
      }
      return listeners
    }
  }

  deinit { for listener in listeners.values { close(listener) } }

  func bearers(
    user: UInt32? = nil, opening: (@Sendable (Int?) throws -> any NetlinkSocket)? = nil, told: Told = Told()
  ) -> BearerNetwork {
    let host = host
    return BearerNetwork(
      files: LinkFiles(sysfs: "/nowhere", procfs: "/nowhere"),
      guarding: user.map { user in
        BearerGuarding(.nftables, user: user) { isWatching in
          try host.run { try KernelNetlinkSocket.filter(isWatching: isWatching) }
        }
      },
      diagnosis: SocketDiagnosis(tell: { told.take($0) }) { index in
        if let opening { return try opening(index) }
        return try host.run { try KernelNetlinkSocket.sockets(watchingEndsOn: index) }
      }
    ) { groups in
      try host.run { try KernelNetlinkSocket(groups: groups) }
    }
  }

  /// A connection over the bearer to the far end's listener, and the far end's side of it.
  func connect(_ family: String, index: Int) throws -> (near: TestSocket, far: TestSocket) {
    let address = try #require(Self.far[family].flatMap { IPAddress($0) })
    let near = try host.run {
      let near = try TestSocket(address, SOCK_STREAM.rawValue, boundTo: index)
      #expect(near.connect(address, port: Self.port) == 0)
      return near
    }
    let far = try TestSocket(owning: accept(try #require(listeners[family]), nil, nil))
    kept.withLock { $0.append(far) }
    return (near, far)
  }

  func datagram(_ family: String, index: Int, isConnected: Bool = true) throws -> TestSocket {
    let address = try #require(Self.far[family].flatMap { IPAddress($0) })
    return try host.run {
      let socket = try TestSocket(address, SOCK_DGRAM.rawValue, boundTo: index)
      if isConnected { #expect(socket.connect(address, port: Self.port) == 0) } else { #expect(socket.bindAny() == 0) }
      return socket
    }
  }
}

/// Sentences for the log.
final class Told: Sendable {
  private let contents = Mutex([String]())
  var sentences: [String] { contents.withLock { $0 } }
  func take(_ sentence: String) { contents.withLock { $0.append(sentence) } }
}

/// A socket of a test; no call on it waits longer than 5 s. It is closed with the value.
final class TestSocket: Sendable {
  let descriptor: Int32
  private let isIPv4: Bool

  init(_ address: IPAddress, _ type: UInt32, boundTo index: Int? = nil) throws {
    isIPv4 = address.bytes.count == 4
    descriptor = socket(isIPv4 ? AF_INET : AF_INET6, Int32(type) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw NetworkNamespace.Failure(errno) }
    limit()
    if let index {
      var value = Int32(index)
      #expect(setsockopt(descriptor, SOL_SOCKET, Self.bindToInterfaceIndex, &value, 4) == 0)
    }
  }

  init(owning descriptor: Int32) throws {
    guard descriptor >= 0 else { throw NetworkNamespace.Failure(errno) }
    self.descriptor = descriptor
    isIPv4 = true
    limit()
  }

  deinit { close(descriptor) }

  private func limit() {
    var time = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  static func listen(on address: IPAddress, port: UInt16) throws -> Int32 {
    let isIPv4 = address.bytes.count == 4
    let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    if !isIPv4 { setsockopt(descriptor, Int32(IPPROTO_IPV6), 26, &one, 4) }
    let time = timeval(tv_sec: 5, tv_usec: 0)
    withUnsafePointer(to: time) {
      _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, $0, socklen_t(MemoryLayout<timeval>.size))
    }
    guard withSocketAddress(address.bytes, port: port, { Glibc.bind(descriptor, $0, $1) }) == 0,
      Glibc.listen(descriptor, 4096) == 0
    else { throw NetworkNamespace.Failure(errno) }
    return descriptor
  }

  /// 0 or an errno.
  func connect(_ address: IPAddress, port: UInt16) -> Int32 {
    withSocketAddress(address.bytes, port: port) { Glibc.connect(descriptor, $0, $1) } == 0 ? 0 : errno
  }

  func bindAny() -> Int32 {
    let any = [UInt8](repeating: 0, count: isIPv4 ? 4 : 16)
    return withSocketAddress(any, port: 0) { Glibc.bind(descriptor, $0, $1) } == 0 ? 0 : errno
  }

  func send(_ count: Int) -> Int {
    Glibc.send(descriptor, [UInt8](repeating: 7, count: count), count, Int32(MSG_NOSIGNAL))
  }

  /// The bytes that are there, 0 at the end, or the negative of an errno.
  func receive(_ count: Int = 4096) -> Int {
    var buffer = [UInt8](repeating: 0, count: count)
    let result = recv(descriptor, &buffer, count, 0)
    return result >= 0 ? result : -Int(errno)
  }

  /// Reads so many bytes.
  func receiveAll(_ count: Int) -> Bool {
    var left = count
    while left > 0 {
      let part = receive(min(left, 65536))
      guard part > 0 else { return false }
      left -= part
    }
    return true
  }

  var cookie: UInt64 {
    var value: UInt64 = 0
    var size = socklen_t(8)
    return getsockopt(descriptor, SOL_SOCKET, 57, &value, &size) == 0 ? value : 0
  }

  var boundIndex: Int {
    var value: Int32 = 0
    var size = socklen_t(4)
    return getsockopt(descriptor, SOL_SOCKET, Self.bindToInterfaceIndex, &value, &size) == 0 ? Int(value) : -1
  }

  /// SO_BINDTOIFINDEX.
  private static let bindToInterfaceIndex: Int32 = 62
}
