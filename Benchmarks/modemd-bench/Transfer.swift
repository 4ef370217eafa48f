import ArgumentParser
import BenchmarkFigures
import Glibc

/// How long it takes to fetch bytes over a connection that is made in one of several ways.
struct Transfer: ParsableCommand {
  enum Way: String, ExpressibleByArgument, CaseIterable {
    /// As any program: below `modemctl run`, over the bearer.
    case plain
    /// A socket of this program, bound to the bearer's interface.
    case bound
    /// A socket that modemd made and handed over.
    case descriptor
  }

  static let configuration = CommandConfiguration(
    abstract: "Fetches bytes several times; prints the milliseconds of each, for `times`.",
    discussion: "The server at the other end reads a number in one line, and answers with as many bytes.")

  @Option(help: "How to connect.") var way: Way
  @Option(help: "The server's IPv4 address.") var address: String
  @Option(help: "The server's port.") var port: UInt16
  @Option(help: "Bytes to fetch.") var bytes = 1
  @Option(help: "How often.") var count = 1
  @Option(help: "The bearer's interface.") var interface = "wwan0"
  @Option(help: "modemd's socket.") var socket = "/run/modemd/org.modemd"

  func run() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    for _ in 0..<count {
      let start = now()
      let connection = try way == .descriptor ? handedOver() : connected(isBound: way == .bound)
      defer { close(connection) }
      let request = Array("\(bytes)\n".utf8)
      guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
        throw BenchmarkError.system("no request was sent")
      }
      var left = bytes
      while left > 0 {
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchmarkError.system("\(left) bytes did not come") }
        left -= count
      }
      print(now() - start)
    }
  }

  private func connected(isBound: Bool) throws -> Int32 {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw BenchmarkError.system("no socket") }
    if isBound {
      guard setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, interface, socklen_t(interface.utf8.count)) == 0 else {
        throw BenchmarkError.system("the socket cannot be bound to \(interface)")
      }
    }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    guard inet_pton(AF_INET, address, &place.sin_addr) == 1 else {
      throw BenchmarkError("\(address) is no IPv4 address")
    }
    let status = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw BenchmarkError.system("cannot connect to \(address)") }
    return descriptor
  }

  /// The descriptor comes with the first byte of the one reply.
  private func handedOver() throws -> Int32 {
    let client = try VarlinkConnection(path: socket)
    try client.send(
      VarlinkConnection.frame(
        "org.modemd.Bearer.OpenSocket", parameters: #"{"host":"\#(address)","port":\#(port)}"#))
    var reply = [UInt8](repeating: 0, count: 4096)
    // A header of 16 bytes, and one descriptor behind it.
    var control = [UInt64](repeating: 0, count: 8)
    let count = reply.withUnsafeMutableBytes { reply in
      control.withUnsafeMutableBytes { control in
        var piece = iovec(iov_base: reply.baseAddress, iov_len: reply.count)
        return withUnsafeMutablePointer(to: &piece) { piece in
          var message = msghdr()
          message.msg_iov = piece
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return recvmsg(client.descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
        }
      }
    }
    let descriptor = control.withUnsafeBytes { $0.load(fromByteOffset: 16, as: Int32.self) }
    guard count > 0, descriptor > 2 else {
      throw BenchmarkError("modemd gave no socket: \(String(decoding: reply.prefix(max(count, 0)), as: UTF8.self))")
    }
    return descriptor
  }
}
