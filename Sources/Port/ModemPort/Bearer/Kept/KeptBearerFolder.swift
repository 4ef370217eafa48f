import Glibc
import ModemModel

/// Records of kept bearers, one file per modem, in a folder that outlives the process and perhaps a
/// reboot.
///
/// A file is replaced as a whole and flushed to disk. Whenever the process or the machine stops, it
/// holds either the old or the new content. All ports of a machine share the folder, so a modem
/// finds its record even if its control port has another name.
package struct KeptBearerFolder: Sendable {
  /// The limit for records: beyond it, the oldest one is removed.
  static let most = 32
  private static let beginning = "kept-bearer-"
  private static let draftEnd = ".new"

  private let path: String
  /// The machine's boot id now.
  let boot: String

  /// - Parameters:
  ///   - path: an existing folder that no other user may write to.
  ///   - boot: the id of another boot than the present one, for tests.
  package init(path: String, boot: String? = nil) {
    self.path = path
    self.boot = boot ?? KernelBoot.id
  }

  /// The record of a modem; nil if there is none.
  ///
  /// - Throws: `ModemError` `failed` for a file that is damaged or accessible to other users. The
  ///   file is not changed.
  package func note(of modem: String) throws -> KeptBearer? {
    guard let file = file(of: modem) else { return nil }
    guard let kept = try read(file) else { return nil }
    guard kept.modem == modem else { throw Self.damaged(file, "it belongs to another modem than its name states") }
    return kept
  }

  /// Replaces a modem's record.
  ///
  /// - Throws: `ModemError` `failed`.
  package func write(_ kept: KeptBearer) throws {
    guard let file = file(of: kept.modem) else { return }
    if (try? read(file)) == kept { return }
    let text: [UInt8]
    do {
      text = try kept.text()
    } catch {
      throw ModemError(.failed, "the bearer cannot be recorded: \(error)")
    }
    try replace(file, with: text)
    makeRoom(keeping: file)
  }

  /// Takes a modem's note away.
  ///
  /// - Throws: `ModemError` `failed` if one remains.
  package func erase(of modem: String) throws {
    guard let file = file(of: modem) else { return }
    try remove(file)
  }

  /// Removes the records of all modems that used a control port since boot, for a modem that has
  /// not identified itself yet.
  ///
  /// - Throws: `ModemError` `failed` if one remains.
  package func erase(at device: String) throws {
    for file in files() {
      guard let kept = try? read(file), kept.device == device, kept.boot == boot else { continue }
      try remove(file)
    }
  }

  // MARK: Files

  /// Nil for a name that cannot be a file's.
  private func file(of modem: String) -> String? {
    let isPlain = modem.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    return isPlain && (1...64).contains(modem.utf8.count) ? "\(path)/\(Self.beginning)\(modem)" : nil
  }

  private func files() -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var files: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(Self.beginning), !name.hasSuffix(Self.draftEnd) { files.append("\(path)/\(name)") }
    }
    return files
  }

  private func read(_ file: String) throws -> KeptBearer? {
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
    var bytes = [UInt8](repeating: 0, count: KeptBearer.limit + 1)
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
      return try KeptBearer(text: Array(bytes.prefix(filled)))
    } catch {
      throw Self.damaged(file, "\(error)")
    }
  }

  private func replace(_ file: String, with text: [UInt8]) throws {
    let draft = file + Self.draftEnd
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failed("written", file, errno) }
    let isWritten =
      fchmod(descriptor, 0o600) == 0 && Glibc.write(descriptor, text, text.count) == text.count
      && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten, rename(draft, file) == 0 else {
      let error = Self.failed("written", file, isWritten ? errno : reason)
      unlink(draft)
      throw error
    }
    settle()
  }

  private func remove(_ file: String) throws {
    unlink(file + Self.draftEnd)
    guard unlink(file) == 0 else {
      if errno == ENOENT { return }
      throw Self.failed("erased", file, errno)
    }
    settle()
  }

  /// Flushes the folder's names to disk.
  private func settle() {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Modems come and go for years, and one may use another name after each start.
  private func makeRoom(keeping file: String) {
    let others = files().filter { $0 != file }.map { (path: $0, time: Self.time(of: $0)) }
    guard others.count >= Self.most else { return }
    for other in others.sorted(by: { $0.time < $1.time }).prefix(others.count - Self.most + 1) { unlink(other.path) }
  }

  private static func time(of file: String) -> Int {
    var status = stat()
    return lstat(file, &status) == 0 ? status.st_mtim.tv_sec : 0
  }

  private static func damaged(_ file: String, _ what: String) -> ModemError {
    ModemError(
      .failed,
      "the note \(file) of a kept bearer cannot be used, \(what); `modemctl connect` writes a new one, `modemctl disconnect` removes it"
    )
  }

  private static func failed(_ what: String, _ file: String, _ number: Int32) -> ModemError {
    ModemError(
      .failed, "the note \(file) of a kept bearer cannot be \(what); check that its folder exists and can be written",
      cause: String(cString: strerror(number)))
  }
}
