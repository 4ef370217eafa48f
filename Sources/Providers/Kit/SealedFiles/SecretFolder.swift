import DetachedThread
import Glibc
import SmallFiles

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

    init(_ failure: FileFailure) { self.init("\(failure.path): \(failure.what)", failure.errno) }
  }

  /// Longer files are not this program's.
  static let limit = 1 << 20

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
    let folder = try Self.telling { () throws(FileFailure) in try OpenFolder(path, isLocked: true) }
    defer { folder.close() }
    for draft in try names(ending: SmallFile.draftEnd) { unlink("\(path)/\(draft)") }
    return try body()
  }

  /// The names of files with a suffix, in order; none if there is no folder.
  package func names(ending end: String) throws(Failure) -> [String] {
    try Self.telling { () throws(FileFailure) in try SmallFile.names(in: path) { $0.hasSuffix(end) } }
  }

  /// A file's content; nil if there is no file.
  package func read(_ name: String) throws(Failure) -> [UInt8]? {
    try Self.telling { () throws(FileFailure) in try SmallFile.content("\(path)/\(name)", limit: Self.limit) }
  }

  /// Replaces a file: its content is written and flushed to disk before it gets the name, and the
  /// name is flushed before this returns.
  ///
  /// To be called within `change`.
  package func replace(_ name: String, with content: [UInt8]) throws(Failure) {
    // Whoever changes the folder has its lock.
    try Self.telling { () throws(FileFailure) in
      try SmallFile.replace("\(path)/\(name)", with: content, by: .one)
    }
  }

  /// Removes a file; false if there is none. Call it within `change`.
  package func remove(_ name: String) throws(Failure) -> Bool {
    try Self.telling { () throws(FileFailure) in try SmallFile.remove("\(path)/\(name)") }
  }

  /// Removes the oldest files with a suffix that are too many. Call it within `change`.
  ///
  /// - Parameters:
  ///   - most: how many are left.
  ///   - kept: the name of one that stays, and counts whether it is there or not.
  package func makeRoom(ending end: String, most: Int, keeping kept: String) throws(Failure) {
    let names = try names(ending: end)
    for name in SmallFile.surplus(names, in: path, over: most, keeping: kept) { _ = try remove(name) }
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

  private static func telling<Value>(_ body: () throws(FileFailure) -> Value) throws(Failure) -> Value {
    do throws(FileFailure) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }
}
