import Glibc

extension SmallFile {
  /// The suffix of a replacement until it is complete.
  package static let draftEnd = ".new"

  /// What a file must outlive.
  package enum Lasting: Hashable, Sendable {
    /// The process. For folders in memory such as /run, which a power failure empties anyway.
    case process
    /// The machine's sudden end: the content is on the disk before the file has its name, and the
    /// name before the call returns.
    case machine
  }

  /// Who writes a file.
  package enum Writers: Hashable, Sendable {
    /// One at a time, as the caller sees to: the process has the file to itself, or the caller
    /// holds the folder's lock.
    case one
    /// Several processes. They take the folder's lock in turn, because two of them at one draft
    /// would publish what the other has not finished.
    case several
  }

  /// Replaces a file, or makes it. Whenever the process ends, the old file is there or the new one.
  ///
  /// The content gets another name first, in the same folder, and then the file's own. A draft that
  /// a killed process left is removed; something else by that name, such as a link, is refused.
  ///
  /// - Parameters:
  ///   - draft: the other name, nil for the file's with `.new`. It has a character that the file's
  ///     readers do not look for.
  ///   - finish: sets owner and permissions of the complete draft, which nobody else may open until
  ///     then, and returns false with `errno` where that fails. The usual one leaves the file to
  ///     its owner alone.
  /// - Throws: `FileFailure`, and the file is as it was, and no draft is left. After `flushFolder`
  ///   alone, the file is the new one, and may be the old one again after a power failure.
  package static func replace(
    _ path: String, with content: [UInt8], lasting: Lasting = .machine, by writers: Writers = .one,
    draft: String? = nil, finish: (_ draft: Int32) -> Bool = { fchmod($0, 0o600) == 0 }
  ) throws(FileFailure) {
    let isLocked = writers == .several
    let folder = lasting == .machine || isLocked ? try OpenFolder(of: path, isLocked: isLocked) : nil
    defer { folder?.close() }
    let draft = draft ?? path + draftEnd
    try make(draft, content, lasting, finish)
    guard rename(draft, path) == 0 else {
      let failure = FileFailure(.replace, path)
      unlink(draft)
      throw failure
    }
    if lasting == .machine { try folder?.flush() }
  }

  /// Makes a file, unless there is one of that name: complete, or not at all. Of several processes
  /// that make it at the same time, one does.
  ///
  /// - Returns: whether this call made it.
  /// - Throws: `FileFailure`.
  package static func makeOnce(_ path: String, _ content: [UInt8]) throws(FileFailure) -> Bool {
    let folder = try OpenFolder(of: path)
    defer { folder.close() }
    // Others make theirs now. A crash here leaves a draft that no one removes: there are as many as
    // there were crashes at the first start.
    let draft = "\(path).\(UInt64.random(in: .min ... .max))\(draftEnd)"
    try make(draft, content, .machine) { fchmod($0, 0o600) == 0 }
    defer { unlink(draft) }
    // Not rename, which would replace the file that another process has already read.
    let isMade = link(draft, path) == 0
    guard isMade || errno == EEXIST else { throw FileFailure(.replace, path) }
    try folder.flush()
    return isMade
  }

  /// Removes a file, and what a killed process left of its replacement.
  ///
  /// - Returns: false if there was no file.
  /// - Throws: `FileFailure`.
  @discardableResult
  package static func remove(_ path: String, lasting: Lasting = .machine) throws(FileFailure) -> Bool {
    unlink(path + draftEnd)
    guard unlink(path) == 0 else {
      guard errno == ENOENT else { throw FileFailure(.remove, path) }
      return false
    }
    guard lasting == .machine else { return true }
    let folder = try OpenFolder(of: path)
    defer { folder.close() }
    try folder.flush()
    return true
  }

  private static func make(
    _ draft: String, _ content: [UInt8], _ lasting: Lasting, _ finish: (Int32) -> Bool
  ) throws(FileFailure) {
    let descriptor = try openNew(draft)
    var failure: FileFailure?
    let refused = write(content, to: descriptor)
    if refused != 0 {
      failure = FileFailure(.write, draft, refused)
    } else if !finish(descriptor) {
      failure = FileFailure(.write, draft)
    } else if lasting == .machine, !isFlushed(descriptor) {
      failure = FileFailure(.flush, draft)
    }
    // Some file systems tell only now that there was no room.
    if close(descriptor) != 0, failure == nil, errno != EINTR { failure = FileFailure(.write, draft) }
    guard let failure else { return }
    unlink(draft)
    throw failure
  }

  /// A new file that only its owner may open.
  private static func openNew(_ path: String) throws(FileFailure) -> Int32 {
    for isAgain in [false, true] {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { return descriptor }
      guard errno == EEXIST, !isAgain else { break }
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw FileFailure(.draft, path, status.st_mode & S_IFMT == S_IFLNK ? ELOOP : EEXIST)
      }
      guard unlink(path) == 0 || errno == ENOENT else { break }
    }
    throw FileFailure(.draft, path)
  }

  /// Whether the disk has what was written. A signal does not end the wait early.
  static func isFlushed(_ descriptor: Int32, by flush: (Int32) -> Int32 = { fsync($0) }) -> Bool {
    var result: Int32
    repeat { result = flush(descriptor) } while result != 0 && errno == EINTR
    return result == 0
  }
}
