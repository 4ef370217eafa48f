import Glibc
import ModemModel
import Synchronization

/// Remembers the authentications of each SIM, for as long as they count against its limits.
package protocol CardCallMemory: Sendable {
  /// A SIM's authentications; nil if none is remembered.
  ///
  /// - Parameter sim: the SIM's mark, see `ModemNaming.mark(of:)`.
  /// - Throws: `CardCallsDamaged` for a record that cannot be used.
  func calls(of sim: String) throws -> CardCalls?
  /// Replaces what is remembered.
  ///
  /// - Throws: `ModemError` `failed` if it cannot be remembered in a way that outlives this
  ///   process.
  func keep(_ calls: CardCalls, of sim: String) throws
}

/// A record of authentications that cannot be used, and why.
package struct CardCallsDamaged: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

/// A memory in files, one for each SIM, in a folder that outlives the process and reboots. All
/// ports of the machine share it: a SIM has one limit, in whichever modem it is.
///
/// A file is replaced as a whole and flushed to disk. Whenever the process or the machine stops, it
/// has either the old content or the new.
package struct CardCallFolder: CardCallMemory {
  /// Beyond this number of files, the oldest one is removed.
  static let most = 32
  private static let beginning = "card-calls-"
  private static let draftEnd = ".new"

  private let path: String
  private let isMarked: Bool

  /// - Parameters:
  ///   - path: an existing folder that no other user may write to.
  ///   - isMarked: whether marks of SIMs stay the same after this process. Otherwise all SIMs share
  ///     one file, as nothing would be found under a mark of an earlier process.
  package init(path: String, isMarked: Bool = true) {
    self.path = path
    self.isMarked = isMarked
  }

  package func calls(of sim: String) throws -> CardCalls? {
    let file = try file(of: sim)
    // Without waiting for a writer if this name is a pipe.
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.damaged(file, "it cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.damaged(file, "it is no file")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw Self.damaged(file, "other users may read or write it")
    }
    var bytes = [UInt8](repeating: 0, count: CardCalls.bytesLimit + 1)
    var filled = 0
    while filled < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw Self.damaged(file, "it cannot be read: \(String(cString: strerror(errno)))") }
      guard got > 0 else { break }
      filled += got
    }
    do {
      return try CardCalls(text: Array(bytes.prefix(filled)))
    } catch {
      throw Self.damaged(file, "\(error)")
    }
  }

  package func keep(_ calls: CardCalls, of sim: String) throws {
    let file = try file(of: sim)
    let draft = file + Self.draftEnd
    let text = calls.text
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failed(file, errno) }
    let isWritten =
      fchmod(descriptor, 0o600) == 0 && write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten, rename(draft, file) == 0 else {
      let error = Self.failed(file, isWritten ? errno : reason)
      unlink(draft)
      throw error
    }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
    makeRoom(keeping: file)
  }

  private func file(of sim: String) throws -> String {
    let name = isMarked ? sim : "any"
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard isPlain, (1...64).contains(name.utf8.count) else {
      throw ModemError(.failed, "the mark of the SIM cannot be the name of a file")
    }
    return "\(path)/\(Self.beginning)\(name)"
  }

  /// SIMs come and go for years.
  private func makeRoom(keeping file: String) {
    guard let folder = opendir(path) else { return }
    defer { closedir(folder) }
    var others: [(path: String, time: Int)] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let other = "\(path)/\(name)"
      guard name.hasPrefix(Self.beginning), !name.hasSuffix(Self.draftEnd), other != file else { continue }
      var status = stat()
      others.append((other, lstat(other, &status) == 0 ? status.st_mtim.tv_sec : 0))
    }
    guard others.count >= Self.most else { return }
    for other in others.sorted(by: { $0.time < $1.time }).prefix(others.count - Self.most + 1) { unlink(other.path) }
  }

  private static func damaged(_ file: String, _ what: String) -> CardCallsDamaged {
    CardCallsDamaged(
      description:
        "the record \(file) of the SIM's authentications cannot be used, \(what); the SIM counts as asked as often as it may be "
        + "within a day. Remove the file to begin anew")
  }

  private static func failed(_ file: String, _ number: Int32) -> ModemError {
    ModemError(
      .failed,
      "SIM authentication: it cannot be recorded in \(file), and is not done without; check that the folder exists and can be written",
      cause: String(cString: strerror(number)))
  }
}

/// A memory that ends with the process, for a port without a folder of its own.
package final class CardCallsInProcess: CardCallMemory {
  private let entries = Mutex<[String: CardCalls]>([:])

  package init() {}

  package func calls(of sim: String) -> CardCalls? { entries.withLock { $0[sim] } }
  package func keep(_ calls: CardCalls, of sim: String) { entries.withLock { $0[sim] = calls } }
}

extension CardCalls.Moment {
  /// Now, by the machine's clocks.
  ///
  /// - Parameter time: the time of day.
  package static func now(_ time: Timestamp) -> Self {
    var sinceBoot = timespec()
    clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
    return Self(
      boot: KernelBoot.id, sinceBoot: Int64(sinceBoot.tv_sec) * 1000 + Int64(sinceBoot.tv_nsec) / 1_000_000, time: time)
  }
}
