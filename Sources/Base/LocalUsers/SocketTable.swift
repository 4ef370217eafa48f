import Glibc

/// The kernel's list of TCP sockets as text (proc(5), /proc/net/tcp): a line for each, with its own
/// address, its peer's, its state, its user and its inode.
enum SocketTable {
  /// The user of an established socket.
  ///
  /// - Parameters:
  ///   - own: its own end.
  ///   - peer: the other end.
  static func user(
    _ own: ConnectionOwner.Endpoint, _ peer: ConnectionOwner.Endpoint
  ) throws(ConnectionOwner.Failure) -> UInt32 {
    let isV4 = own.family == UInt8(AF_INET)
    // A socket of IPv6 can have an IPv4 connection, and is in the other list then.
    let lists = isV4 ? [("tcp", false), ("tcp6", true)] : [("tcp6", false)]
    var failure: Int32?
    for (list, isMapped) in lists {
      let ends = "\(text(own, isMapped)) \(text(peer, isMapped))"
      do throws(ConnectionOwner.Failure) {
        // While connections come and go, the kernel may pass one over.
        for _ in 0..<2 { if let user = try read("/proc/thread-self/net/\(list)", ends) { return user } }
      } catch .noAnswer(let number) {
        failure = failure ?? number
      }
    }
    throw failure.map { .noAnswer($0) } ?? .notEstablished
  }

  private static func read(_ path: String, _ ends: String) throws(ConnectionOwner.Failure) -> UInt32? {
    guard let file = fopen(path, "re") else { throw .noAnswer(errno) }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var space = 0
    defer { free(line) }
    while getline(&line, &space, file) > 0, let line {
      // The list is long, and a string is costly.
      guard strstr(line, ends) != nil else { continue }
      if let user = user(in: String(cString: line), ends) { return user }
    }
    guard ferror(file) == 0 else { throw .noAnswer(EIO) }
    return nil
  }

  /// TCP_ESTABLISHED (net/tcp_states.h).
  private static let established = "01"

  /// The owner that a line names; nil if it is about another socket, or one that nobody holds.
  static func user(in line: String, _ ends: String) -> UInt32? {
    let parts = line.split(separator: " ")
    guard parts.count >= 10, "\(parts[1]) \(parts[2])" == ends, parts[3] == established, parts[9] != "0" else {
      return nil
    }
    return UInt32(parts[7])
  }

  /// An end as the list has it: words of the address as numbers of this machine, then the port.
  static func text(_ end: ConnectionOwner.Endpoint, _ isMapped: Bool) -> String {
    let bytes = end.family == UInt8(AF_INET) ? Array(end.address.prefix(4)) : end.address
    let prefix: [UInt8] = isMapped ? [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] : []
    let all = prefix + bytes
    let words = stride(from: 0, to: all.count, by: 4).map { start in
      all[start..<(start + 4)].withUnsafeBytes { hexadecimal($0.loadUnaligned(as: UInt32.self), 8) }
    }
    return words.joined() + ":" + hexadecimal(UInt32(end.port[0]) << 8 | UInt32(end.port[1]), 4)
  }

  private static func hexadecimal(_ number: UInt32, _ count: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
