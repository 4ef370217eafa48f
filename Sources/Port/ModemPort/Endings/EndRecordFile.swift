import Glibc

/// An `EndRecord` in a file, which outlives the process.
public struct EndRecordFile: Sendable {
  private let path: String
  private let limit: EndRecord.Limit

  /// - Parameter path: in a folder that outlives the process and not the machine, as `/run/modemd-port/cdc-wdm0`.
  public init(path: String, limit: EndRecord.Limit) {
    self.path = path
    self.limit = limit
  }

  /// Notes that this process starts.
  ///
  /// - Parameter mayBeModems: whether the modem may have ended the process before.
  /// - Returns: whether it shall serve the modem; a file that cannot be read counts as none.
  public func begin(mayBeModems: Bool = true) -> EndRecord.Verdict {
    var record = read()
    let verdict = record.begin(at: Self.now(), limit, mayBeModems: mayBeModems)
    write(record)
    return verdict
  }

  /// Notes that this process was asked to end.
  public func finish() { unlink(path) }

  /// Notes that this process ends with an error of its own.
  public func giveUp() {
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

  /// By another name first: a process that is killed here leaves the old record.
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
