import Glibc
import SmallFiles

/// An `EndRecord` in a file, which outlives the process.
package struct EndRecordFile: Sendable {
  private let path: String
  private let limit: EndRecord.Limit

  /// - Parameter path: in a folder that outlives the process but not a reboot, such as
  ///   `/run/modemd-port/cdc-wdm0`.
  package init(path: String, limit: EndRecord.Limit) {
    self.path = path
    self.limit = limit
  }

  /// Notes that this process starts.
  ///
  /// - Parameter mayBeModems: whether the modem may have ended the previous process.
  /// - Returns: whether to serve the modem. An unreadable file counts as missing.
  package func begin(mayBeModems: Bool = true) -> EndRecord.Verdict {
    var record = read()
    let verdict = record.begin(at: Self.now(), limit, mayBeModems: mayBeModems)
    write(record)
    return verdict
  }

  /// Records that this process was asked to end.
  package func finish() { unlink(path) }

  /// Records that this process ends with its own error.
  package func giveUp() {
    var record = read()
    record.giveUp()
    write(record)
  }

  private func read() -> EndRecord {
    let bytes = try? SmallFile.beginning(path, limit: 4096)
    return EndRecord(text: String(decoding: bytes ?? [], as: UTF8.self))
  }

  /// The folder does not outlive a reboot, so that nothing is gained by waiting for a disk.
  private func write(_ record: EndRecord) {
    try? SmallFile.replace(path, with: Array(record.text.utf8), lasting: .process)
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec)
  }
}
