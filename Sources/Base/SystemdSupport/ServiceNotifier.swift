import Glibc
import LimitClock

/// One assignment of a message to the service manager (sd_notify(3)).
package enum ServiceNotification: Hashable, Sendable {
  /// Start-up is finished.
  case ready
  /// The configuration is being read again; `monotonicMicroseconds` is CLOCK_MONOTONIC at that
  /// time.
  case reloading(monotonicMicroseconds: UInt64)
  /// Shutdown has begun.
  case stopping
  /// One line for people, shown by `systemctl status`. Never personal data.
  case status(String)
  /// Sign of life for `WatchdogSec=`.
  case watchdog
  /// Start, stop or reload needs this much longer than the unit allows.
  case extendTimeout(microseconds: UInt64)

  /// The assignment as it is sent; line breaks in a status become spaces, since each line is an
  /// assignment of its own.
  package var line: String {
    switch self {
    case .ready: "READY=1"
    case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
    case .stopping: "STOPPING=1"
    case .status(let text): "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
    case .watchdog: "WATCHDOG=1"
    case .extendTimeout(let time): "EXTEND_TIMEOUT_USEC=\(time)"
    }
  }
}

/// Sends messages to the service manager; without one it does nothing.
package struct ServiceNotifier: Sendable {
  /// Where messages go.
  package enum Destination: Hashable, Sendable {
    case path(String)
    /// A name in the kernel's abstract name space, without its leading NUL.
    case abstract(String)
  }

  /// Nil when no service manager asked for messages.
  package let destination: Destination?

  /// Reads `NOTIFY_SOCKET`.
  /// - Throws: `badEnvironment` when it is neither an absolute path nor an abstract name of at most
  ///   107 bytes.
  package init(_ environment: ServiceEnvironment) throws(SystemdError) {
    guard let text = environment["NOTIFY_SOCKET"] else {
      destination = nil
      return
    }
    guard (2...107).contains(text.utf8.count), let first = text.first, first == "/" || first == "@" else {
      throw SystemdError(
        .badEnvironment,
        "NOTIFY_SOCKET has \(text.utf8.count) bytes; an absolute path or @name of 2 to 107 bytes is expected")
    }
    destination = first == "@" ? .abstract(String(text.dropFirst())) : .path(text)
  }

  /// Sends the notifications in one datagram, in the order given.
  ///
  /// It does not wait: a service manager that does not read causes an error, but never a delay.
  /// - Throws: `notifyFailed` when the socket is gone or full.
  package func send(_ notifications: ServiceNotification...) throws(SystemdError) {
    guard let destination else { return }
    let message = notifications.map(\.line).joined(separator: "\n")
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw failure("no socket for the service manager's NOTIFY_SOCKET", errno) }
    defer { close(descriptor) }
    var address = Self.socketAddress(destination)
    let bytes = Array(message.utf8)
    let sent = withUnsafePointer(to: &address.value) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, address.length)
      }
    }
    guard sent == bytes.count else {
      throw failure("the service manager did not take a message on NOTIFY_SOCKET", errno)
    }
  }

  /// Sends a sign of life at each half of an interval until the task is cancelled, each after the
  /// service's loops have answered: where one does not, no sign follows, and the service manager
  /// starts the service anew. A sign that cannot be sent is left out.
  ///
  /// - Parameters:
  ///   - interval: the service manager's own (`WatchdogSec=`).
  ///   - answer: comes back when every loop that serves has done what it was given.
  package func keepAlive(
    interval: Duration, clock: LimitClock = .machine, after answer: @Sendable () async -> Void
  ) async {
    while !Task.isCancelled {
      await answer()
      try? send(.watchdog)
      try? await clock.pause(for: interval / 2)
    }
  }

  /// The address and its length: a path ends with NUL, an abstract name begins with NUL and has an
  /// exact length.
  static func socketAddress(_ destination: Destination) -> (value: sockaddr_un, length: socklen_t) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes: [UInt8] =
      switch destination {
      case .path(let path): Array(path.utf8) + [0]
      case .abstract(let name): [0] + Array(name.utf8)
      }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return (address, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count))
  }

  private func failure(_ message: String, _ number: Int32) -> SystemdError {
    SystemdError(.notifyFailed, message, cause: String(cString: strerror(number)))
  }
}

extension ServiceEnvironment {
  /// How often the service manager expects a keep-alive (`WatchdogSec=`); nil if it expects none
  /// from this process.
  /// - Throws: `badEnvironment` when a variable is not a number in range.
  package func watchdogInterval() throws(SystemdError) -> Duration? {
    guard let text = self["WATCHDOG_USEC"] else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let interval = Int64(text), interval > 0 else {
      throw SystemdError(
        .badEnvironment,
        "WATCHDOG_USEC has \(text.utf8.count) characters that are not a positive number of microseconds")
    }
    if let owner = self["WATCHDOG_PID"], try number(owner, "WATCHDOG_PID", in: 1...Int32.max) != process { return nil }
    return .microseconds(interval)
  }
}
