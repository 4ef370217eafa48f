import CLinux
import DetachedThread
import Glibc
import SmallFiles
import Testing

/// A folder that is there for one test.
struct TestFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/modemd-small-files-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    path = try #require(made)
  }

  /// Runs `body` with a new folder, and removes it with all that is in it.
  static func with<Value>(_ body: (TestFolder) throws -> Value) throws -> Value {
    let folder = try TestFolder()
    defer { folder.remove() }
    return try body(folder)
  }

  func remove() {
    for name in names where unlink(file(name)) != 0 { rmdir(file(name)) }
    rmdir(path)
  }

  /// Runs `body` with a folder on a disk of its own that has only so much room.
  ///
  /// - Parameter room: in bytes, a multiple of 4096.
  static func onDisk(room: Int, _ body: @escaping @Sendable (TestFolder) throws -> Void) async throws {
    let failure: (any Error)? = await withCheckedContinuation { continuation in
      let isStarted = DetachedThread.start {
        // A mount that this thread alone sees, and that goes with it.
        let result = Result {
          try TestFolder.with { folder in
            try #require(unshare(Int32(clinux_clone_newns)) == 0, "errno \(errno)")
            try #require(mount(nil, "/", nil, UInt(MS_REC) | UInt(MS_PRIVATE), nil) == 0, "errno \(errno)")
            try #require(mount("none", folder.path, "tmpfs", 0, "size=\(room)") == 0, "errno \(errno)")
            defer { umount2(folder.path, Int32(MNT_DETACH)) }
            try body(folder)
          }
        }
        if case .failure(let error) = result {
          continuation.resume(returning: error)
        } else {
          continuation.resume(returning: nil)
        }
      }
      if !isStarted { continuation.resume(returning: NoThread()) }
    }
    if let failure { throw failure }
  }

  private struct NoThread: Error {}

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of what is in it.
  var names: [String] { (try? SmallFile.names(in: path) { $0 != "." && $0 != ".." }) ?? [] }

  /// Writes a file as another program would.
  func put(_ text: String, _ name: String, mode: mode_t = 0o600) throws {
    let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    fchmod(descriptor, mode)
    let bytes = Array(text.utf8)
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  /// A file's content as text; nil if it cannot be read.
  func text(_ name: String) -> String? {
    (try? SmallFile.content(file(name), limit: 1 << 20)).flatMap { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// A file's permissions; nil if there is none.
  func mode(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(file(name), &status) == 0 ? status.st_mode & 0o777 : nil
  }
}

/// What a call was refused for; nil if it was not.
func failure<Value>(of body: () throws -> Value) -> FileFailure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? FileFailure
  }
}
