import Glibc

extension SmallFile {
  /// The names in a folder that fit, in order; none if there is no folder.
  ///
  /// - Throws: `FileFailure` `readFolder`.
  package static func names(
    in path: String, where isWanted: (String) -> Bool
  ) throws(FileFailure) -> [String] {
    guard let folder = opendir(path) else {
      guard errno == ENOENT else { throw FileFailure(.readFolder, path) }
      return []
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if isWanted(name) { names.append(name) }
    }
    return names.sorted()
  }

  /// The names of those files in a folder that must go so that no more than `most` are left, the
  /// oldest first. A file that cannot be looked at is the oldest.
  ///
  /// - Parameter kept: a file that never goes, and counts.
  package static func surplus(_ names: [String], in path: String, over most: Int, keeping kept: String) -> [String] {
    let others = names.filter { $0 != kept }
    guard others.count >= most else { return [] }
    let aged = others.map { (name: $0, time: changed("\(path)/\($0)")) }
    return aged.sorted { $0.time < $1.time }.prefix(others.count - most + 1).map(\.name)
  }

  /// When a file was written, in seconds since 1970.
  private static func changed(_ path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
  }
}
