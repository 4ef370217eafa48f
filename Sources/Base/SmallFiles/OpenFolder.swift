import Glibc

/// A folder that is open: its lock is held, and its names are flushed, by this descriptor.
package struct OpenFolder: Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Throws: `FileFailure` `openFolder`.
  package init(_ path: String) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(.openFolder, path) }
  }

  /// The folder that a file is in.
  init(of file: String) throws(FileFailure) { try self.init(SmallFile.folder(of: file)) }

  /// Waits until no other process or thread holds the folder's lock, and holds it. `close` gives it
  /// back, and so does the end of the process.
  package func lock() throws(FileFailure) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw FileFailure(.lockFolder, path) }
    }
  }

  /// Returns when the disk has the folder's names.
  package func flush() throws(FileFailure) {
    // EINVAL: the file system has no such operation, and nothing more can be done.
    guard SmallFile.isFlushed(descriptor) || errno == EINVAL else { throw FileFailure(.flushFolder, path) }
  }

  /// Ends it. The value must not be used any more.
  package func close() { Glibc.close(descriptor) }
}
