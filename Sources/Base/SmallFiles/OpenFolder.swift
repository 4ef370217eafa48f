import Glibc

/// A folder that is open: its lock is held, and its names are flushed, by this descriptor.
package struct OpenFolder: Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Parameter isLocked: whether to wait until no other process or thread holds the folder's
  ///   lock, and to hold it. `close` gives it back, and so does the end of the process.
  /// - Throws: `FileFailure` `openFolder` or `lockFolder`.
  package init(_ path: String, isLocked: Bool = false) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(.openFolder, path) }
    guard isLocked else { return }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno != EINTR else { continue }
      let failure = FileFailure(.lockFolder, path)
      Glibc.close(descriptor)
      throw failure
    }
  }

  /// The folder that a file is in.
  init(of file: String, isLocked: Bool = false) throws(FileFailure) {
    try self.init(SmallFile.folder(of: file), isLocked: isLocked)
  }

  /// Returns when the disk has the folder's names.
  package func flush() throws(FileFailure) {
    // EINVAL: the file system has no such operation, and nothing more can be done.
    guard SmallFile.isFlushed(descriptor) || errno == EINVAL else { throw FileFailure(.flushFolder, path) }
  }

  /// Ends it. The value must not be used any more.
  package func close() { Glibc.close(descriptor) }
}
