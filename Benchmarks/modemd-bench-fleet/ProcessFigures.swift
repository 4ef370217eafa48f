import BenchmarkFigures
import Glibc

/// What /proc says of a process.
struct ProcessFigures {
  /// Kilobytes.
  let resident: Int
  /// Kilobytes that belong to no file.
  let anonymous: Int
  /// Seconds of processor time so far.
  let processor: Double

  init(_ process: pid_t) throws {
    let status = try Self.read("/proc/\(process)/status")
    func kilobytes(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
      return Int(line.filter(\.isNumber)) ?? 0
    }
    resident = kilobytes("VmRSS:")
    anonymous = kilobytes("RssAnon:")
    // After the name in brackets: state is the third field, user and system time are 14 and 15.
    let fields = try Self.read("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      throw BenchmarkError("/proc/\(process)/stat has another form")
    }
    processor = Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw BenchmarkError("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
