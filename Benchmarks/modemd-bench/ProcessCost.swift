import BenchmarkFigures
import Glibc

/// What a process has used up.
struct ProcessCost {
  let process: pid_t

  /// Milliseconds of processor time since its start, its own and the kernel's for it.
  func processorTime() throws(BenchmarkError) -> Double {
    let fields = try fields()
    // Fields 14 and 15.
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      throw BenchmarkError("/proc/\(process)/stat has no times")
    }
    return (user + system) * 1000 / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The process that started it, and what else that one started: for the service of a world, the
  /// simulated modems, their ports, the operator, and this program.
  func family() throws(BenchmarkError) -> [ProcessCost] {
    guard let parent = try parent() else { return [] }
    guard let folder = opendir("/proc") else { throw .system("cannot read /proc") }
    defer { closedir(folder) }
    var family = [ProcessCost(process: parent)]
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
      // A process may end meanwhile.
      guard let other = pid_t(name).map(ProcessCost.init), other.process != process,
        (try? other.parent()) == parent
      else { continue }
      family.append(other)
    }
    return family
  }

  /// Nil for the first process.
  private func parent() throws(BenchmarkError) -> pid_t? {
    let fields = try fields()
    return fields.count > 1 ? pid_t(fields[1]).flatMap { $0 > 0 ? $0 : nil } : nil
  }

  /// From field 3 of /proc/PID/stat on (proc(5)). The name before it, in brackets, may hold blanks.
  private func fields() throws(BenchmarkError) -> [Substring] {
    let text = try read("stat")
    guard let bracket = text.lastIndex(of: ")") else { throw BenchmarkError("/proc/\(process)/stat has no name") }
    return text[text.index(after: bracket)...].split(separator: " ")
  }

  /// Lets the most of resident memory count from now on (proc(5), clear_refs).
  func resetPeak() throws(BenchmarkError) {
    guard let file = fopen("/proc/\(process)/clear_refs", "we") else { throw .system("no /proc/\(process)/clear_refs") }
    defer { fclose(file) }
    guard fputs("5", file) >= 0 else { throw .system("the peak of memory cannot be reset") }
  }

  /// Open files.
  func openFiles() -> Int {
    guard let folder = opendir("/proc/\(process)/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return count
  }

  /// Threads, those that sleep included.
  func threads() throws(BenchmarkError) -> Int {
    let words = try read("stat").split(separator: ")").last?.split(separator: " ") ?? []
    // The twentieth field (proc(5)).
    guard words.count > 17, let count = Int(words[17]) else {
      throw BenchmarkError("/proc/\(process)/stat has no threads")
    }
    return count
  }

  private func read(_ name: String) throws(BenchmarkError) -> String {
    guard let file = fopen("/proc/\(process)/\(name)", "re") else { throw .system("no /proc/\(process)/\(name)") }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    return String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
  }
}
