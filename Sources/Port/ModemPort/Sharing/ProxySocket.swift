import Glibc
import ModemModel
import OutsideNumber

/// mbim-proxy or qmi-proxy at its socket: an abstract name, one in each network namespace.
package struct ProxySocket: Hashable, Sendable {
  /// What listens under a proxy's name.
  package enum Listener: Hashable, Sendable {
    /// Nothing. Without a service manager, the library starts its own proxy.
    case nobody
    case proxy
    /// A proxy that only serves root, while this process is not root.
    case refuses
    /// A program of this user, who is neither root nor this process's user. Any program may take an
    /// abstract name.
    case stranger(userID: UInt32)
  }

  package let name: String

  package init(of kind: ModemProtocol) { self.init(name: kind == .mbim ? "mbim-proxy" : "qmi-proxy") }

  /// - Parameter name: without the leading zero byte.
  package init(name: String) { self.name = name }

  /// Finds out at the socket. It takes at most `patience`, and no time for root.
  ///
  /// Debian's proxies close the connection of a user they do not serve. The libraries do not
  /// notice, and their open runs into its time limit of half a minute.
  package func listener(patience: Duration = .seconds(1)) -> Listener {
    withConnection { connection, _, owner in
      Self.judge(owner: owner, own: geteuid()) { isClosed(connection, within: patience) }
    } ?? .nobody
  }

  /// Connects, and finds out whose process listens; nil if none does.
  func withConnection<Value>(_ body: (_ connection: Int32, _ process: UInt32, _ owner: UInt32) -> Value) -> Value? {
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard connection >= 0 else { return nil }
    defer { close(connection) }
    guard connect(connection) else { return nil }
    // struct ucred: process, user, group.
    var credentials = [UInt32](repeating: 0, count: 3)
    var size = socklen_t(12)
    guard getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
    return body(connection, credentials[0], credentials[1])
  }

  /// - Parameter closes: whether the listener closes the connection. It takes time, so only
  ///   processes other than root ask.
  static func judge(owner: UInt32, own: UInt32, closes: () -> Bool) -> Listener {
    guard owner == 0 || owner == own else { return .stranger(userID: owner) }
    return own != 0 && closes() ? .refuses : .proxy
  }

  /// Throws what is wrong with the listener.
  ///
  /// - Throws: `ModemError` `deviceUnavailable`.
  package func check(patience: Duration = .seconds(1)) throws(ModemError) {
    switch listener(patience: patience) {
    case .nobody, .proxy: return
    case .refuses:
      throw ModemError(
        .deviceUnavailable, "\(name) refuses this user: it serves root only; run modemd-port as root")
    case .stranger(let userID):
      throw ModemError(
        .deviceUnavailable,
        "the socket of \(name) belongs to a program of user \(userID), which must not be trusted with the modem; end it"
      )
    }
  }

  private func connect(_ connection: Int32) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = [0] + Array(name.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(connection, $0, length) == 0 }
    }
  }

  private func isClosed(_ connection: Int32, within patience: Duration) -> Bool {
    var polled = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&polled, 1, Int32(clamping: patience.saturatedMilliseconds)) > 0
      && recv(connection, &byte, 1, Int32(MSG_PEEK)) <= 0
  }
}
