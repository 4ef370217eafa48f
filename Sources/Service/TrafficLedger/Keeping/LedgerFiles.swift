import Glibc
import ModemModel
import SmallFiles
import Synchronization

/// Keeps a ledger in a folder: a whole file, and journals of what happened since.
///
/// A line of the journal is with the kernel before the bytes that it is about are moved, so the end
/// of this process at any moment loses nothing. `sync` writes it to the disk, so that a power
/// failure loses what happened since the last call. The whole file is replaced: whenever the
/// machine stops, it is the old or the new one, and the journals that continue it are there.
final class LedgerFiles: Sendable {
  private struct Journal {
    var descriptor: CInt = -1
    var generation = 0
    var bytes = 0
    var isUnsynced = false
    var isFailureTold = false
  }

  /// A longer file is damaged.
  private static let fileLimit = 64 << 20
  private static let fileName = "ledger"
  private static let journalName = "journal-"

  private let folder: String
  private let tell: @Sendable (String) -> Void
  private let journal = Mutex(Journal())

  /// - Parameters:
  ///   - folder: is made, with its parent, if it is missing.
  ///   - tell: gets one sentence for each thing that is wrong.
  init(folder: String, tell: @escaping @Sendable (String) -> Void) {
    self.folder = folder
    self.tell = tell
  }

  deinit { journal.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  /// Bytes of the journal so far.
  var journalBytes: Int { journal.withLock { $0.bytes } }

  /// Reads what was kept. A damaged file is set aside and told of, and nothing of it counts.
  func load() -> LedgerContent {
    if let slash = folder.lastIndex(of: "/"), slash != folder.startIndex { mkdir(String(folder[..<slash]), 0o700) }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      fail("cannot be made", errno)
      return LedgerContent()
    }
    let numbers = journalNumbers()
    var generation = numbers.first ?? 0
    var replay = LedgerContent.Replay(LedgerContent())
    if let bytes = read(Self.fileName) {
      if let document = LedgerDocument(file: bytes) {
        generation = document.generation
        replay = LedgerContent.Replay(document.content)
      } else {
        setAside(Self.fileName)
      }
    }
    for number in numbers where number >= generation { apply(number, to: &replay) }
    journal.withLock { $0.generation = max(numbers.last ?? 0, generation) }
    return replay.ended
  }

  private func apply(_ number: Int, to replay: inout LedgerContent.Replay) {
    let name = Self.journalName + "\(number)"
    guard let bytes = read(name) else { return }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    // What has no end was not written in full, and nothing that it is about was moved.
    for line in lines.dropLast() {
      guard let record = LedgerRecord(line: line) else { return setAside(name) }
      replay.apply(record)
    }
  }

  /// Adds lines to the journal. An error is told of once, and what is in memory goes on.
  func append(_ records: [LedgerRecord]) {
    let bytes = records.reduce(into: [UInt8]()) { $0 += $1.line.utf8 }
    journal.withLock { journal in
      guard journal.descriptor >= 0 else { return }
      journal.bytes += bytes.count
      journal.isUnsynced = true
      let refused = SmallFile.append(bytes, to: journal.descriptor, behind: off_t(journal.bytes - bytes.count))
      guard refused != 0 else { return }
      journal.bytes -= bytes.count
      fail("cannot be written", refused, &journal)
    }
  }

  /// Begins another journal. What was counted before belongs into the whole file that `save` writes
  /// for it.
  ///
  /// - Parameter isStart: whether the journal goes on from what another process left.
  /// - Returns: the journal's number; nil if there is none.
  func beginJournal(isStart: Bool = false) -> Int? {
    let number = openJournal()
    if number != nil { append([.begin(isStart: isStart)]) }
    return number
  }

  private func openJournal() -> Int? {
    journal.withLock { journal in
      let number = journal.generation + 1
      let descriptor = open(
        "\(folder)/\(Self.journalName)\(number)", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
        0o600)
      guard descriptor >= 0 else {
        fail("cannot be written", errno, &journal)
        return nil
      }
      if journal.descriptor >= 0 { close(journal.descriptor) }
      journal.descriptor = descriptor
      journal.generation = number
      journal.bytes = 0
      return number
    }
  }

  /// Replaces the whole file. It blocks until the disk has it.
  ///
  /// - Parameter generation: the journal that goes on from `content`.
  func save(_ content: LedgerContent, generation: Int) {
    guard let bytes = LedgerDocument(content, generation: generation).file else { return }
    do throws(FileFailure) {
      try SmallFile.replace("\(folder)/\(Self.fileName)", with: bytes)
    } catch {
      // The journals go on from the old file, which is what a power failure may leave.
      return fail("cannot be written", error.errno)
    }
    for number in journalNumbers() where number < generation { unlink("\(folder)/\(Self.journalName)\(number)") }
  }

  /// Writes the journal to the disk, and blocks meanwhile.
  func sync() {
    let copy = journal.withLock { journal -> CInt in
      guard journal.isUnsynced, journal.descriptor >= 0 else { return -1 }
      journal.isUnsynced = false
      // Nobody who counts waits for the disk.
      return fcntl(journal.descriptor, F_DUPFD_CLOEXEC, 0)
    }
    guard copy >= 0 else { return }
    fdatasync(copy)
    close(copy)
  }

  private func journalNumbers() -> [Int] {
    let names = (try? SmallFile.names(in: folder) { $0.hasPrefix(Self.journalName) }) ?? []
    let numbers = names.compactMap { Int($0.dropFirst(Self.journalName.count)) }
    return numbers.filter { (0..<1 << 53).contains($0) }.sorted()
  }

  /// A file's content; nil if there is none. What is no usual file is set aside.
  private func read(_ name: String) -> [UInt8]? {
    do throws(FileFailure) {
      return try SmallFile.content("\(folder)/\(name)", limit: Self.fileLimit)
    } catch {
      setAside(name)
      return nil
    }
  }

  private func setAside(_ name: String) {
    let (path, aside) = ("\(folder)/\(name)", "\(folder)/\(name).damaged")
    let isMoved = rename(path, aside) == 0
    if !isMoved { unlink(path) }
    tell(
      "\(path) is damaged, and what it counted is not known any more; "
        + (isMoved ? "it was set aside as \(aside)" : "it was removed"))
  }

  private func fail(_ what: String, _ number: Int32) { journal.withLock { fail(what, number, &$0) } }

  private func fail(_ what: String, _ number: Int32, _ journal: inout Journal) {
    guard !journal.isFailureTold else { return }
    journal.isFailureTold = true
    let reason = String(cString: strerror(number))
    tell("\(folder) \(what): \(reason); budgets hold, and what is used is forgotten when modemd ends")
  }
}
