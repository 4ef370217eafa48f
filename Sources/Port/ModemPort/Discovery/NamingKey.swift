import Glibc
import ModemModel

/// This machine's key for modem names: a file of random bytes that only its owner can read. It is
/// made once and shared by all ports of the machine.
package struct NamingKey: Sendable {
  /// Bytes of a key.
  package static let count = 32

  package let bytes: [UInt8]

  /// Reads the file, and makes it if it is missing. Several ports that make it at the same time all
  /// get the same key.
  ///
  /// - Parameter path: in a folder that exists.
  /// - Throws: `ModemError` `failed` if it cannot be read or made, or holds something else.
  package init(path: String) throws {
    if let present = try Self.read(path) {
      bytes = present
    } else {
      try Self.make(path)
      guard let made = try Self.read(path) else {
        throw ModemError(
          .failed, "the key \(path) vanished right after it was made; find out which program removes files there")
      }
      bytes = made
    }
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A key for this process alone: names made with it change when it ends.
  package static func forThisProcess() -> NamingKey { NamingKey(random()) }

  private static func random() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
  }

  private static func read(_ path: String) throws -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("cannot be read", path, errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read", path, errno) }
    // Whoever wrote it may know the key. Whoever else can read it can try IMEIs.
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw ModemError(
        .failed,
        "the key \(path) is accessible to other users (mode \(String(status.st_mode & 0o777, radix: 8))); remove it, and the next start makes a new one, which changes the modems' ids"
      )
    }
    var bytes = [UInt8](repeating: 0, count: count + 1)
    var filled = 0
    while filled < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw failure("cannot be read", path, errno) }
      guard got > 0 else { break }
      filled += got
    }
    guard filled == count else {
      throw ModemError(
        .failed,
        "the key \(path) does not have \(count) bytes; remove it, and the next start makes a new one, which changes the modems' ids"
      )
    }
    return Array(bytes.prefix(count))
  }

  /// Puts a complete file in place, or finds that another port was faster. A crash leaves at most a
  /// draft.
  private static func make(_ path: String) throws {
    let draft = "\(path).\(UInt64.random(in: .min ... .max)).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be made", path, errno) }
    defer { unlink(draft) }
    let bytes = random()
    let isWritten =
      write(descriptor, bytes, bytes.count) == bytes.count && fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten else { throw failure("cannot be made", path, reason) }
    // Not rename, which would replace the file that another port has already read.
    guard link(draft, path) == 0 || errno == EEXIST else { throw failure("cannot be made", path, errno) }
    let folder = open(path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? ".", O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static func failure(_ what: String, _ path: String, _ number: Int32) -> ModemError {
    ModemError(
      .failed,
      "the key \(path) for the modems' ids \(what); check that its folder exists and belongs to this user",
      cause: String(cString: strerror(number)))
  }
}
