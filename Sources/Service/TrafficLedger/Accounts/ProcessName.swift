import Glibc

/// Names of programs.
enum ProcessName {
  /// What the kernel calls a process's program; nil if there is no such process, or this one may
  /// not look.
  static func find(_ process: Int32) -> String? {
    guard process > 0 else { return nil }
    let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let name = String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    // A program names itself, and people read it.
    return String(name.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : Character($0) })
  }
}
