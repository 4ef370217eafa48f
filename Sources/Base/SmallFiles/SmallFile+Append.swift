import Glibc

extension SmallFile {
  /// Adds a record to a file of this process's user, which is made if it is missing, and returns
  /// when the disk has it.
  ///
  /// - Throws: `FileFailure`. The file then ends as it did before: part of a record would hide the
  ///   one behind it.
  package static func append(_ record: [UInt8], to path: String) throws(FileFailure) {
    var isNew = false
    var descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    if descriptor < 0, errno == ENOENT {
      isNew = true
      descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard descriptor >= 0 else { throw FileFailure(.open, path) }
    defer { close(descriptor) }
    let end = lseek(descriptor, 0, SEEK_END)
    let refused = append(record, to: descriptor, behind: end)
    guard refused == 0 else { throw FileFailure(.write, path, refused) }
    // The times of the file need not be there.
    guard isFlushed(descriptor, by: { fdatasync($0) }) else {
      let failure = FileFailure(.flush, path)
      if end >= 0 { _ = ftruncate(descriptor, end) }
      throw failure
    }
    // The record is on the disk, but a new file's name is not yet.
    guard isNew else { return }
    let folder = try OpenFolder(of: path)
    defer { folder.close() }
    try folder.flush()
  }

  /// Adds a record to a file that is open for it, all or nothing. The disk has it later.
  ///
  /// - Parameter end: where the file ends now.
  /// - Returns: 0, or the system's number for why the file did not take it.
  package static func append(_ record: [UInt8], to descriptor: Int32, behind end: off_t) -> Int32 {
    let refused = write(record, to: descriptor)
    if refused != 0, end >= 0 { _ = ftruncate(descriptor, end) }
    return refused
  }
}
