import Glibc
import ModemctlCore

/// Files that are replaced as a whole, so that no reader sees a part of one.
enum SafeFile {
  /// Writes a file beside its place, and moves it there.
  ///
  /// - Parameters:
  ///   - mode: of a file that is not there yet; one that is keeps its owner and mode.
  ///   - group: the group of a new file, if there is such a group and this user may give it.
  /// - Throws: `ModemctlError`, and the file is as it was.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t, group: String? = nil) throws {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try makeFolders(folder)
    var template = Array("\(folder)/.\(name(of: path)).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let temporary = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    guard descriptor >= 0 else { throw failure(path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    do {
      defer { close(descriptor) }
      try fill(descriptor, bytes, path)
      try own(descriptor, path, mode: mode, group: group)
      guard fsync(descriptor) == 0 else { throw failure(path) }
      guard rename(temporary, path) == 0 else { throw failure(path) }
    } catch {
      unlink(temporary)
      throw error
    }
    sync(folder)
  }

  /// Takes a file away.
  ///
  /// - Returns: false if there was none.
  /// - Throws: `ModemctlError`.
  @discardableResult
  static func remove(_ path: String) throws -> Bool {
    guard unlink(path) != 0 else { return true }
    guard errno == ENOENT else { throw ModemctlError(.failed, "\(path) cannot be removed: \(reason())") }
    return false
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func name(of path: String) -> Substring {
    path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
  }

  private static func fill(_ descriptor: Int32, _ bytes: [UInt8], _ path: String) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw failure(path) }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  private static func own(_ descriptor: Int32, _ path: String, mode: mode_t, group: String?) throws {
    var present = stat()
    if lstat(path, &present) == 0 {
      guard present.st_mode & S_IFMT == S_IFREG else {
        throw ModemctlError(.failed, "\(path) is no plain file; replace it by one")
      }
      guard fchown(descriptor, present.st_uid, present.st_gid) == 0, fchmod(descriptor, present.st_mode & 0o777) == 0
      else { throw failure(path) }
      return
    }
    if let entry = group.flatMap({ getgrnam($0) }), fchown(descriptor, uid_t.max, entry.pointee.gr_gid) == 0 {
      guard fchmod(descriptor, mode) == 0 else { throw failure(path) }
      return
    }
    // Without the group, nobody but the owner.
    guard fchmod(descriptor, mode & 0o700) == 0 else { throw failure(path) }
  }

  private static func makeFolders(_ folder: String) throws {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/\(part)"
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw ModemctlError(.failed, "the folder \(path) cannot be made: \(reason())")
      }
    }
  }

  private static func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func failure(_ path: String) -> ModemctlError {
    ModemctlError(.failed, "\(path) cannot be written: \(reason())")
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
