import Glibc

/// The connections of an attack, behind `poll` on one thread. What the service closes is made anew.
struct Attacker {
  private struct Connection {
    var descriptor: Int32
    /// How much of the beginning was sent, and of what is repeated behind it.
    var begun = 0
    var sent = 0
    var hasShutDown = false
  }

  let path: String
  let kind: AttackKind
  private let beginning: [UInt8]
  private let repeated: [UInt8]
  private var connections: [Connection] = []
  private let wanted: Int
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  /// Connections that were made, and those that the service closed.
  private(set) var made = 0
  private(set) var closed = 0
  private(set) var hasBegun = false

  init(path: String, kind: AttackKind, connections: Int, method: String, bytes: Int) {
    self.path = path
    self.kind = kind
    wanted = connections
    beginning = kind.beginning(method, bytes: bytes)
    repeated = kind.repeated(method, bytes: bytes)
  }

  /// One round: makes what is missing, and sends and reads what can be.
  mutating func step() {
    if kind == .churn { return churn() }
    connect()
    guard !connections.isEmpty else {
      usleep(20_000)
      hasBegun = true
      return
    }
    var polled = connections.map { pollfd(fd: $0.descriptor, events: events(of: $0), revents: 0) }
    let isBusy = !repeated.isEmpty && kind != .drip
    _ = poll(&polled, nfds_t(polled.count), isBusy ? 50 : 20)
    for index in connections.indices.reversed() where polled[index].revents != 0 {
      if !serve(index, Int32(polled[index].revents)) { drop(index) }
    }
    if kind == .drip { drip() }
    hasBegun = hasBegun || connections.allSatisfy { $0.begun == beginning.count } || closed >= wanted
  }

  private func events(of connection: Connection) -> Int16 {
    let hasMore = connection.begun < beginning.count || (!repeated.isEmpty && kind != .drip)
    return Int16(kind.reads ? POLLIN : 0) | Int16(hasMore ? POLLOUT : 0)
  }

  private mutating func connect() {
    for _ in 0..<64 where connections.count < wanted {
      guard let descriptor = Socket.connect(path) else { return }
      connections.append(Connection(descriptor: descriptor))
      made += 1
    }
  }

  private mutating func churn() {
    for _ in 0..<wanted {
      guard let descriptor = Socket.connect(path) else { break }
      made += 1
      close(descriptor)
    }
    hasBegun = true
  }

  private mutating func drop(_ index: Int) {
    close(connections[index].descriptor)
    connections.remove(at: index)
    closed += 1
  }

  /// False when the service has closed the connection.
  private mutating func serve(_ index: Int, _ events: Int32) -> Bool {
    let descriptor = connections[index].descriptor
    if kind.reads, events & POLLIN != 0 {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count == 0 || count < 0 && errno != EAGAIN { return false }
    } else if events & (POLLHUP | POLLERR) != 0 {
      return false
    }
    guard events & POLLOUT != 0 else { return true }
    let rest =
      connections[index].begun < beginning.count
      ? beginning[connections[index].begun...] : repeated[connections[index].sent...]
    let count = Socket.send(descriptor, rest)
    if count < 0 { return errno == EAGAIN }
    if connections[index].begun < beginning.count {
      connections[index].begun += count
      shutDown(index)
    } else {
      connections[index].sent = (connections[index].sent + count) % repeated.count
    }
    return true
  }

  private mutating func shutDown(_ index: Int) {
    guard kind == .halfOpen, !connections[index].hasShutDown, connections[index].begun == beginning.count else {
      return
    }
    connections[index].hasShutDown = true
    shutdown(connections[index].descriptor, Int32(SHUT_WR))
  }

  private func drip() {
    for connection in connections where connection.begun == beginning.count {
      _ = Socket.send(connection.descriptor, repeated[...])
    }
    usleep(20_000)
  }
}

/// Unix sockets that do not wait.
enum Socket {
  /// Nil when nobody listens, may listen, or has room for one more.
  static func connect(_ path: String) -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return nil }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    return descriptor
  }

  static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
  }
}
