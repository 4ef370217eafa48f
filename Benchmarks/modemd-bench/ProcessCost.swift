import Glibc

/// What a process has used up.
struct ProcessCost {
  let process: pid_t

  /// Milliseconds of processor time since its start, its own and the kernel's for it.
  func processorTime() throws(BenchmarkError) -> Double {
    let text = try read("stat")
    // The name in brackets may hold blanks: what counts begins behind it, with field 3 (proc(5)).
    guard let bracket = text.lastIndex(of: ")") else { throw BenchmarkError("/proc/\(process)/stat has no name") }
    let fields = text[text.index(after: bracket)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      throw BenchmarkError("/proc/\(process)/stat has no times")
    }
    return (user + system) * 1000 / Double(sysconf(Int32(_SC_CLK_TCK)))
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

  private func read(_ name: String) throws(BenchmarkError) -> String {
    guard let file = fopen("/proc/\(process)/\(name)", "re") else { throw .system("no /proc/\(process)/\(name)") }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    return String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
  }
}
