import Glibc
import ModemctlCore

/// A folder with the settings of modemd-fleet and the files that they name, as they are written and
/// taken away together.
struct FleetFolder {
  let settings: String
  /// The folder of the certificates and the keys.
  let files: String

  /// What was there before: the bytes by their paths, nil for no file.
  typealias Former = [String: [UInt8]?]

  /// Writes all of it. On an error, everything is as before.
  ///
  /// - Parameter contents: by the names of files in the folder.
  /// - Returns: what was there before, for `restore`.
  @discardableResult
  func write(_ draft: FleetDraft, _ contents: [String: [UInt8]]) throws -> Former {
    var former: Former = [:]
    do {
      try makeFolder()
      // Last the settings: the service finds all files that they name.
      let all =
        contents.map { ("\(files)/\($0.key)", $0.value) }.sorted { $0.0 < $1.0 }
        + [(settings, Array(draft.text(files: files).utf8))]
      for (path, bytes) in all {
        former[path] = .some(
          SafeFile.exists(path) ? try ArgumentFile.read(path, for: "the present file") : nil)
        try SafeFile.write(bytes, to: path, mode: 0o640, group: FleetPlaces.group)
      }
      return former
    } catch {
      restore(former)
      throw error
    }
  }

  /// Puts back what `write` found.
  func restore(_ former: Former) {
    for (path, bytes) in former {
      if let bytes {
        try? SafeFile.write(bytes, to: path, mode: 0o640, group: FleetPlaces.group)
      } else {
        _ = try? SafeFile.remove(path)
      }
    }
  }

  /// Takes away what `write` makes, and nothing that others put there.
  ///
  /// - Returns: whether there was anything.
  @discardableResult
  func remove() throws -> Bool {
    var found = try SafeFile.remove(settings)
    for name in FleetDraft.fileNames.values.sorted() + [FleetDraft.fleetKeyName] {
      found = try SafeFile.remove("\(files)/\(name)") || found
    }
    return found
  }

  /// The package makes the folder too (tmpfiles.d).
  private func makeFolder() throws {
    guard mkdir(files, 0o750) == 0 || errno == EEXIST else {
      throw ModemctlError(.failed, "the folder \(files) cannot be made: \(String(cString: strerror(errno)))")
    }
    guard let group = getgrnam(FleetPlaces.group), geteuid() == 0 else { return }
    var information = stat()
    guard lstat(files, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
      throw ModemctlError(.failed, "\(files) is no folder; replace it by one")
    }
    guard chown(files, 0, group.pointee.gr_gid) == 0, chmod(files, 0o750) == 0 else {
      throw ModemctlError(.failed, "\(files) cannot be given to modemd-fleet: \(String(cString: strerror(errno)))")
    }
  }

  /// A folder for a trial: in memory, so that no key stays on a disk.
  ///
  /// - Parameter parent: where it is made.
  static func trial(in parent: String) throws -> FleetFolder {
    var template = Array("\(parent)/modemd-fleet-join.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ModemctlError(
        .failed, "a folder in \(parent) cannot be made: \(String(cString: strerror(errno)))")
    }
    let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    // The broker is tried as the service's user.
    if let group = getgrnam(FleetPlaces.group), geteuid() == 0 {
      chown(path, 0, group.pointee.gr_gid)
      chmod(path, 0o750)
    }
    return FleetFolder(settings: "\(path)/fleet.json", files: "\(path)/files")
  }

  /// Takes a trial away, with its folders.
  func discard() {
    _ = try? remove()
    rmdir(files)
    rmdir(String(files[..<(files.lastIndex(of: "/") ?? files.startIndex)]))
  }
}
