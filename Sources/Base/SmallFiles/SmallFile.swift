import Glibc

/// Files that are read as a whole and replaced as a whole.
///
/// Whoever opens one follows no link in its place, waits for no writer of a pipe, reads no more
/// than it can use, and leaves no descriptor to the programs that it starts. `replace` and `append`
/// have the rules for writing.
package enum SmallFile {
  /// Whose files are read.
  package enum Source: Hashable, Sendable {
    /// Those of this process's user that nobody else may read or write. Whoever wrote another one
    /// knows what is in it.
    case owner
    /// Those of everybody: the folder says who may write in it.
    case anyone
  }

  /// A file's whole content; nil if there is no file.
  ///
  /// - Parameter limit: in bytes.
  /// - Throws: `FileFailure`, with `size` and EFBIG for a longer file.
  package static func content(
    _ path: String, limit: Int, from source: Source = .anyone
  ) throws(FileFailure) -> [UInt8]? {
    guard let content = try beginning(path, limit: limit + 1, from: source) else { return nil }
    guard content.count <= limit else { throw FileFailure(.size, path, EFBIG) }
    return content
  }

  /// A file's first bytes; nil if there is no file.
  ///
  /// - Parameter limit: in bytes. What is behind them is not read.
  package static func beginning(
    _ path: String, limit: Int, from source: Source = .anyone
  ) throws(FileFailure) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(.open, path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure(.open, path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileFailure(.kind, path, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    if source == .owner {
      guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
        throw FileFailure(.access(status.st_mode & 0o777), path, 0)
      }
    }
    // A file that grows meanwhile takes another round, and one that is not what it says costs no
    // more memory than it has.
    let expected = min(max(Int(status.st_size), 0), limit)
    var content: [UInt8] = []
    while content.count < limit {
      let room = min(limit - content.count, max(expected + 1 - content.count, 4096))
      var failed: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        var got: Int
        repeat { got = read(descriptor, buffer.baseAddress, buffer.count) } while got < 0 && errno == EINTR
        if got < 0 { failed = errno }
        count = max(got, 0)
      }
      guard failed == 0 else { throw FileFailure(.read, path, failed) }
      guard !chunk.isEmpty else { break }
      if content.isEmpty { content = chunk } else { content += chunk }
    }
    return content
  }

  /// The folder that a file is in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Writes all bytes, whatever the system takes at a time.
  ///
  /// - Returns: 0, or the system's number for why it took no more.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count < 0, errno == EINTR { continue }
        // A file that takes nothing and names no reason would be asked for ever.
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        done += count
      }
      return 0
    }
  }
}
