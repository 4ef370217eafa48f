import Glibc

/// Whether this process's stderr is the journal's (`JOURNAL_STREAM`, systemd.exec(5)).
package enum JournalStream {
  /// - Parameters:
  ///   - variable: `JOURNAL_STREAM`, as in `8:1234567`.
  ///   - descriptor: the stream that the variable may be about.
  /// - Returns: whether it names the descriptor's device and inode. The variable alone proves
  ///   nothing: a person may have redirected stderr, and a child inherits the variable.
  package static func isJournal(_ variable: String?, descriptor: Int32 = STDERR_FILENO) -> Bool {
    guard let variable, variable.utf8.count <= 64 else { return false }
    let parts = variable.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let device = number(parts[0]), let inode = number(parts[1]) else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }

  /// Digits alone: no sign and no space.
  private static func number(_ text: Substring) -> UInt64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
  }
}
