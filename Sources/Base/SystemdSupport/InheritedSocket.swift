import Glibc

/// A socket that the service manager opened and passed on (socket activation, sd_listen_fds(3)).
package struct InheritedSocket: Hashable, Sendable {
  /// The first descriptor that is passed; the others follow without gaps.
  package static let firstDescriptor: Int32 = 3

  package let descriptor: Int32
  /// `FileDescriptorName=` of the socket unit; `unknown` where none was passed.
  package let name: String

  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Checks that the descriptor is a listening stream socket and keeps children from inheriting it.
  /// - Throws: `badSocket` when it is anything else.
  package func prepare() throws(SystemdError) {
    let flags = fcntl(descriptor, F_GETFD)
    guard flags >= 0 else { throw bad("descriptor \(descriptor) of LISTEN_FDS is not open", errno) }
    guard try option(SO_TYPE) == Int32(SOCK_STREAM.rawValue), try option(SO_ACCEPTCONN) == 1 else {
      throw bad("descriptor \(descriptor) (\(name)) is not a listening stream socket; use ListenStream= in the unit")
    }
    guard fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else {
      throw bad("descriptor \(descriptor) cannot be kept from children", errno)
    }
  }

  private func option(_ name: Int32) throws(SystemdError) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 else {
      throw bad("descriptor \(descriptor) (\(self.name)) is not a socket", errno)
    }
    return value
  }

  private func bad(_ message: String, _ number: Int32? = nil) -> SystemdError {
    SystemdError(.badSocket, message, cause: number.map { String(cString: strerror($0)) })
  }
}

extension ServiceEnvironment {
  /// The largest number of sockets that is accepted; more is a mistake.
  static let mostSockets: Int32 = 64

  /// The sockets that were passed to this process; none if `LISTEN_PID` is missing or names another
  /// process.
  /// - Throws: `badEnvironment` when a variable is not a number, a count is out of range, or names
  ///   and count differ.
  package func inheritedSockets() throws(SystemdError) -> [InheritedSocket] {
    guard let owner = self["LISTEN_PID"], let count = self["LISTEN_FDS"] else { return [] }
    guard try number(owner, "LISTEN_PID", in: 1...Int32.max) == process else { return [] }
    let total = try number(count, "LISTEN_FDS", in: 0...Self.mostSockets)
    guard total > 0 else { return [] }
    let names = try socketNames(count: Int(total))
    return (0..<total).map { index in
      InheritedSocket(descriptor: InheritedSocket.firstDescriptor + index, name: names[Int(index)])
    }
  }

  private func socketNames(count: Int) throws(SystemdError) -> [String] {
    guard let text = self["LISTEN_FDNAMES"] else { return Array(repeating: "unknown", count: count) }
    let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard names.count == count else {
      throw SystemdError(.badEnvironment, "LISTEN_FDNAMES has \(names.count) names for LISTEN_FDS=\(count)")
    }
    return names
  }

  func number(_ text: String, _ name: String, in range: ClosedRange<Int32>) throws(SystemdError) -> Int32 {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int32(text), range.contains(value) else {
      throw SystemdError(
        .badEnvironment,
        "\(name) has \(text.utf8.count) characters that are not a number from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return value
  }
}
