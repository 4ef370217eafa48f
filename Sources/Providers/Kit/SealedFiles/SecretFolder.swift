import DetachedThread
import Glibc

/// A folder of files that only its owner can read. Each file is replaced as a whole: whenever the
/// process or the machine stops, it holds either the old or the new content.
package struct SecretFolder: Sendable {
  /// What the system refused.
  package struct Failure: Error {
    /// What failed, and with which file.
    package let text: String
    package let errno: Int32

    package init(_ text: String, _ errno: Int32 = Glibc.errno) {
      self.text = text
      self.errno = errno
    }
  }

  /// Longer files are not this program's.
  static let limit = 1 << 20
  /// The suffix of a replacement until it is complete.
  private static let draftEnd = ".new"

  package let path: String

  /// - Parameter path: of the folder, which `make` makes.
  package init(path: String) { self.path = path }

  /// Makes the folder and its parent if they are missing, and removes other users' permissions.
  package func make() throws(Failure) {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try Self.make(String(path[..<slash])) }
    try Self.make(path)
    // An existing folder may have been made by hand.
    guard chmod(path, 0o700) == 0 else { throw Failure("\(path): the rights of the folder cannot be set") }
  }

  private static func make(_ path: String) throws(Failure) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure("\(path): the folder cannot be made") }
  }

  /// Runs `body` while no other process or thread changes the folder. Incomplete files of a killed
  /// process are removed first.
  package func change<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("\(path): the folder cannot be opened") }
    // Closing it releases the lock, and so does the end of the process.
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Failure("\(path): the folder cannot be locked") }
    }
    for draft in try names(ending: Self.draftEnd) { unlink("\(path)/\(draft)") }
    return try body()
  }

  /// The names of files with a suffix, in order; none if there is no folder.
  package func names(ending end: String) throws(Failure) -> [String] {
    guard let folder = opendir(path) else {
      guard errno == ENOENT else { throw Failure("\(path): the folder cannot be read") }
      return []
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(end) { names.append(name) }
    }
    return names.sorted()
  }

  /// A file's content; nil if there is no file.
  package func read(_ name: String) throws(Failure) -> [UInt8]? {
    let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw Failure("\(path)/\(name): it cannot be opened") }
      return nil
    }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Failure("\(path)/\(name): it cannot be read") }
      guard count > 0 else { return content }
      content += chunk[..<count]
      guard content.count <= Self.limit else { throw Failure("\(path)/\(name): it is too long", EFBIG) }
    }
  }

  /// Replaces a file: its content is written and flushed to disk before it gets the name, and the
  /// name is flushed before this returns.
  ///
  /// To be called within `change`.
  package func replace(_ name: String, with content: [UInt8]) throws(Failure) {
    let draft = "\(path)/\(name)\(Self.draftEnd)"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure("\(draft): it cannot be made") }
    var isOver = false
    defer { if !isOver { unlink(draft) } }
    do throws(Failure) {
      try Self.write(content, to: descriptor, draft)
      guard fsync(descriptor) == 0 else { throw Failure("\(draft): it cannot be written to the disk") }
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else { throw Failure("\(draft): it cannot be written") }
    guard rename(draft, "\(path)/\(name)") == 0 else { throw Failure("\(path)/\(name): it cannot be replaced") }
    isOver = true
    try synchronise()
  }

  /// Removes a file; false if there is none. Call it within `change`.
  package func remove(_ name: String) throws(Failure) -> Bool {
    guard unlink("\(path)/\(name)") == 0 else {
      guard errno == ENOENT else { throw Failure("\(path)/\(name): it cannot be removed") }
      return false
    }
    try synchronise()
    return true
  }

  /// Runs `body` on a thread of its own: a disk may take its time.
  package static func work<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      let isStarted = DetachedThread.start {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      if !isStarted { continuation.resume(returning: .failure(.init("no thread can be started", EAGAIN))) }
    }
    return try result.get()
  }

  private static func write(_ content: [UInt8], to descriptor: Int32, _ path: String) throws(Failure) {
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw Failure("\(path): it cannot be written") }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Flushes the folder's names to disk.
  private func synchronise() throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("\(path): the folder cannot be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Failure("\(path): the folder cannot be written to the disk") }
  }
}
