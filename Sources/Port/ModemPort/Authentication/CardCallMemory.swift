import Glibc
import ModemModel
import SmallFiles
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

  private let folder: RecordFolder
  private let isMarked: Bool

  /// - Parameters:
  ///   - path: an existing folder that no other user may write to.
  ///   - isMarked: whether marks of SIMs stay the same after this process. Otherwise all SIMs share
  ///     one file, as nothing would be found under a mark of an earlier process.
  package init(path: String, isMarked: Bool = true) {
    folder = RecordFolder(path: path, beginning: "card-calls-", most: Self.most)
    self.isMarked = isMarked
  }

  package func calls(of sim: String) throws -> CardCalls? {
    let file = try file(of: sim)
    let bytes: [UInt8]
    do throws(FileFailure) {
      // One byte more shows that a file is too long.
      guard let present = try SmallFile.beginning(file, limit: CardCalls.bytesLimit + 1, from: .owner) else {
        return nil
      }
      bytes = present
    } catch {
      throw Self.damaged(file, error.clause)
    }
    do {
      return try CardCalls(text: bytes)
    } catch {
      throw Self.damaged(file, "\(error)")
    }
  }

  package func keep(_ calls: CardCalls, of sim: String) throws {
    let file = try file(of: sim)
    do throws(FileFailure) {
      // Ports without marks share a file.
      try SmallFile.replace(file, with: calls.text, by: .several)
    } catch {
      throw Self.failed(file, error)
    }
    folder.makeRoom(keeping: file)
  }

  private func file(of sim: String) throws -> String {
    guard let file = folder.file(of: isMarked ? sim : "any") else {
      throw ModemError(.failed, "the mark of the SIM cannot be the name of a file")
    }
    return file
  }

  private static func damaged(_ file: String, _ what: String) -> CardCallsDamaged {
    CardCallsDamaged(
      description:
        "the record \(file) of the SIM's authentications cannot be used, \(what); the SIM counts as asked as often as it may be "
        + "within a day. Remove the file to begin anew")
  }

  private static func failed(_ file: String, _ failure: FileFailure) -> ModemError {
    ModemError(
      .failed,
      "SIM authentication: it cannot be recorded in \(file), and is not done without; check that the folder exists and can be written",
      cause: failure.reason)
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
