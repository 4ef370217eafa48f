import Glibc

/// Records of things that come and go for years, such as SIMs: a file for each in a folder that
/// several processes and kinds of records share. Beyond a number of files, the oldest go.
package struct RecordFolder: Hashable, Sendable {
  package let path: String
  private let beginning: String
  private let most: Int

  /// - Parameters:
  ///   - path: an existing folder that no other user may write to.
  ///   - beginning: of the names of this kind's files.
  ///   - most: how many of them are kept.
  package init(path: String, beginning: String, most: Int) {
    self.path = path
    self.beginning = beginning
    self.most = most
  }

  /// The path of a record's file; nil for a name that cannot be a file's.
  ///
  /// - Parameter name: 1 to 64 visible characters of ASCII without `/`.
  package func file(of name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    return isPlain && (1...64).contains(name.utf8.count) ? "\(path)/\(beginning)\(name)" : nil
  }

  /// The paths of all records' files; none where the folder cannot be read.
  package var files: [String] { names.map { "\(path)/\($0)" } }

  /// Removes the oldest files that are too many.
  ///
  /// - Parameter file: the path of a file that stays.
  package func makeRoom(keeping file: String) {
    let kept = String(file.dropFirst(path.count + 1))
    for name in SmallFile.surplus(names, in: path, over: most, keeping: kept) { unlink("\(path)/\(name)") }
  }

  private var names: [String] {
    let names = try? SmallFile.names(in: path) { $0.hasPrefix(beginning) && !$0.hasSuffix(SmallFile.draftEnd) }
    return names ?? []
  }
}
