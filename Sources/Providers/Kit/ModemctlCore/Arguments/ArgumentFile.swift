import Glibc

/// A file that an argument names.
package enum ArgumentFile {
  /// Its first bytes.
  ///
  /// - Parameters:
  ///   - use: what it is for, as the error says it.
  ///   - limit: how many bytes at the most.
  package static func read(_ path: String, for use: String, limit: Int = 1 << 20) throws -> [UInt8] {
    guard let file = fopen(path, "re") else {
      throw ModemctlError(.usage, "\(use) \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, min(chunk.count, limit - bytes.count), file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// The one word that a file holds: a token or a link, of which blanks and ends of lines are no part.
  ///
  /// - Parameter use: what the file is for, as the error says it.
  package static func word(_ path: String, for use: String) throws -> String {
    String(String(decoding: try read(path, for: use), as: UTF8.self).filter { !$0.isWhitespace })
  }

  /// Writes a file that only its owner can read, as it may hold secrets.
  package static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    // An existing file would otherwise keep its mode.
    guard fchmod(descriptor, 0o600) == 0 else { throw failure(path) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw failure(path) }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  private static func failure(_ path: String) -> ModemctlError {
    ModemctlError(.failed, "\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}
