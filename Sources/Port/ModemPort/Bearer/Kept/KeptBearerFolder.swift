import ModemModel
import SmallFiles

/// Records of kept bearers, one file per modem, in a folder that outlives the process and perhaps a
/// reboot.
///
/// A file is replaced as a whole and flushed to disk. Whenever the process or the machine stops, it
/// holds either the old or the new content. All ports of a machine share the folder, so a modem
/// finds its record even if its control port has another name.
package struct KeptBearerFolder: Sendable {
  /// The limit for records: beyond it, the oldest one is removed.
  static let most = 32

  private let folder: RecordFolder
  /// The machine's boot id now.
  let boot: String

  /// - Parameters:
  ///   - path: an existing folder that no other user may write to.
  ///   - boot: the id of another boot than the present one, for tests.
  package init(path: String, boot: String? = nil) {
    folder = RecordFolder(path: path, beginning: "kept-bearer-", most: Self.most)
    self.boot = boot ?? KernelBoot.id
  }

  /// The record of a modem; nil if there is none.
  ///
  /// - Throws: `ModemError` `failed` for a file that is damaged or accessible to other users. The
  ///   file is not changed.
  package func note(of modem: String) throws -> KeptBearer? {
    guard let file = folder.file(of: modem) else { return nil }
    guard let kept = try read(file) else { return nil }
    guard kept.modem == modem else { throw Self.damaged(file, "it belongs to another modem than its name states") }
    return kept
  }

  /// Replaces a modem's record.
  ///
  /// - Throws: `ModemError` `failed`.
  package func write(_ kept: KeptBearer) throws {
    guard let file = folder.file(of: kept.modem) else { return }
    if (try? read(file)) == kept { return }
    let text: [UInt8]
    do {
      text = try kept.text()
    } catch {
      throw ModemError(.failed, "the bearer cannot be recorded: \(error)")
    }
    do throws(FileFailure) {
      try SmallFile.replace(file, with: text)
    } catch {
      throw Self.failed("written", file, error)
    }
    // One modem may use another name after each start.
    folder.makeRoom(keeping: file)
  }

  /// Takes a modem's note away.
  ///
  /// - Throws: `ModemError` `failed` if one remains.
  package func erase(of modem: String) throws {
    guard let file = folder.file(of: modem) else { return }
    try remove(file)
  }

  /// Removes the records of all modems that used a control port since boot, for a modem that has
  /// not identified itself yet.
  ///
  /// - Throws: `ModemError` `failed` if one remains.
  package func erase(at device: String) throws {
    for file in folder.files {
      guard let kept = try? read(file), kept.device == device, kept.boot == boot else { continue }
      try remove(file)
    }
  }

  // MARK: Files

  private func read(_ file: String) throws -> KeptBearer? {
    let bytes: [UInt8]
    do throws(FileFailure) {
      // One byte more shows that a file is too long.
      guard let present = try SmallFile.beginning(file, limit: KeptBearer.limit + 1, from: .owner) else { return nil }
      bytes = present
    } catch {
      throw Self.damaged(file, error.clause)
    }
    do {
      return try KeptBearer(text: bytes)
    } catch {
      throw Self.damaged(file, "\(error)")
    }
  }

  private func remove(_ file: String) throws {
    do throws(FileFailure) {
      try SmallFile.remove(file)
    } catch {
      throw Self.failed("erased", file, error)
    }
  }

  private static func damaged(_ file: String, _ what: String) -> ModemError {
    ModemError(
      .failed,
      "the note \(file) of a kept bearer cannot be used, \(what); `modemctl connect` writes a new one, `modemctl disconnect` removes it"
    )
  }

  private static func failed(_ what: String, _ file: String, _ failure: FileFailure) -> ModemError {
    ModemError(
      .failed, "the note \(file) of a kept bearer cannot be \(what); check that its folder exists and can be written",
      cause: failure.reason)
  }
}
