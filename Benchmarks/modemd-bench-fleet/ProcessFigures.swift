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
      throw BenchmarkFailure("/proc/\(process)/stat has another form")
    }
    processor = Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw BenchmarkFailure("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

/// A figure as `modemd-bench` prints it: `name value unit` to standard output, and a JSON object a
/// line to a file where one is given.
struct FigureSink {
  let json: String?

  /// - Parameter most: the limit, where there is one.
  func write(_ name: String, _ value: Double, _ unit: String, most: Double? = nil) throws {
    let ratio = most.map { value / $0 }
    print(name, Self.text(value), unit, ratio.map(Self.text) ?? "-", "-", "-")
    fflush(nil)
    guard let json else { return }
    guard let file = fopen(json, "ae") else { throw BenchmarkFailure("\(json): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    fputs(
      #"{"name":"\#(name)","value":\#(Self.text(value)),"unit":"\#(unit)","#
        + #""ratioToLimit":\#(ratio.map(Self.text) ?? "null"),"ratioToPeer":null,"ratioToOne":null}"# + "\n", file)
  }

  private static func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
