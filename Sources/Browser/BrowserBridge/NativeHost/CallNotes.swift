import Glibc
import NativeMessaging

/// How often each origin has asked in the last minute, of all browsers of one user. Each page has a
/// host of its own, so that a file has it: of the user, in memory (`XDG_RUNTIME_DIR`).
///
/// It limits pages. The user can write that file, and can call modemd without any page.
package struct CallNotes: Sendable {
  private static let mostBytes = 65_536
  private static let minute = 60

  private let path: String?

  /// - Parameter folder: `XDG_RUNTIME_DIR`; without one, only modemd's own limits hold.
  package init(folder: String?) { path = folder.map { "\($0)/modemd-browser-host" } }

  /// Notes a call, unless the origin has had as many as it may.
  ///
  /// - Parameters:
  ///   - most: calls in a minute.
  ///   - now: seconds of a clock that all processes of the machine share.
  /// - Returns: nil if it may go on, else in how many seconds it may.
  package func take(_ origin: PageOrigin, most: Int, at now: Int) -> Int? {
    guard let path else { return nil }
    let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard flock(file, LOCK_EX) == 0 else { return nil }
    // What is in the file may be any number: it is compared and not computed with.
    let lately = (now - Self.minute + 1)...now
    var calls = Self.read(file).filter { lately.contains($0.second) }
    let own = calls.filter { $0.origin == origin.description }
    if own.count >= most, let first = own.map(\.second).min() { return max(1, Self.minute - (now - first)) }
    calls.append((now, origin.description))
    Self.write(calls, to: file)
    return nil
  }

  private static func read(_ file: Int32) -> [(second: Int, origin: String)] {
    var buffer = [UInt8](repeating: 0, count: mostBytes)
    let count = pread(file, &buffer, buffer.count, 0)
    guard count > 0 else { return [] }
    return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count == 2, let second = Int(parts[0]) else { return nil }
      return (second, String(parts[1]))
    }
  }

  private static func write(_ calls: [(second: Int, origin: String)], to file: Int32) {
    let bytes = Array(calls.map { "\($0.second) \($0.origin)\n" }.joined().utf8)
    guard bytes.count <= mostBytes, ftruncate(file, 0) == 0 else { return }
    _ = pwrite(file, bytes, bytes.count, 0)
  }
}
