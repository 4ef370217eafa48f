import Glibc

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
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return EndRecord() }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return EndRecord(text: String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
  }

  /// Under another name first: a process killed here leaves the old record.
  private func write(_ record: EndRecord) {
    let next = "\(path).new"
    let descriptor = open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let text = Array(record.text.utf8)
    let written = Glibc.write(descriptor, text, text.count)
    close(descriptor)
    if written == text.count { rename(next, path) }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec)
  }
}
