import Glibc
import ModemctlCore
import SmallFiles

/// Files that are replaced as a whole, so that no reader sees a part of one.
enum SafeFile {
  /// Writes a file beside its place, and moves it there.
  ///
  /// - Parameters:
  ///   - mode: of a file that is not there yet; one that is keeps its owner and mode.
  ///   - group: the group of a new file, if there is such a group and this user may give it.
  /// - Throws: `ModemctlError`, and the file is as it was. Where the disk refuses only the folder's
  ///   names, last of all, it is the new one.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t, group: String? = nil) throws {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try makeFolders(folder)
    let ownership = try Ownership(of: path, mode: mode, group: group)
    // Its beginning keeps it from those who read all files of a folder.
    let draft = "\(folder)/.\(name(of: path)).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    do throws(FileFailure) {
      try SmallFile.replace(path, with: bytes, draft: draft) { ownership.isGiven(to: $0) }
    } catch {
      throw ModemctlError(.failed, "\(path) cannot be written: \(error.reason)")
    }
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

  private static func makeFolders(_ folder: String) throws {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/\(part)"
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw ModemctlError(.failed, "the folder \(path) cannot be made: \(reason())")
      }
    }
  }

  private static func reason() -> String { String(cString: strerror(errno)) }

  /// Whose a file becomes, and who may read it.
  private struct Ownership {
    /// Those of the file that is there.
    private let present: (user: uid_t, group: gid_t, mode: mode_t)?
    private let mode: mode_t
    private let group: gid_t?

    /// - Throws: `ModemctlError` if something else than a file is there.
    init(of path: String, mode: mode_t, group: String?) throws {
      self.mode = mode
      self.group = group.flatMap { getgrnam($0)?.pointee.gr_gid }
      var status = stat()
      guard lstat(path, &status) == 0 else {
        present = nil
        return
      }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw ModemctlError(.failed, "\(path) is no plain file; replace it by one")
      }
      present = (status.st_uid, status.st_gid, status.st_mode & 0o777)
    }

    /// Gives it to a file that is not in its place yet.
    ///
    /// - Returns: false with `errno` where it cannot be given.
    func isGiven(to file: Int32) -> Bool {
      if let present {
        return fchown(file, present.user, present.group) == 0 && fchmod(file, present.mode) == 0
      }
      if let group, fchown(file, uid_t.max, group) == 0 { return fchmod(file, mode) == 0 }
      // Without the group, nobody but the owner.
      return fchmod(file, mode & 0o700) == 0
    }
  }
}
