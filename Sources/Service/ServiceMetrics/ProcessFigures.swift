import Glibc
import MetricSeries
import ModemModel

/// The figures of this process that every Prometheus client has under these names.
struct ProcessFigures: Sendable {
  /// In seconds since 1970; nil where the kernel does not tell.
  private let start: Double?

  init() {
    let passed = Self.fields(of: "/proc/self/stat", after: ")").flatMap { $0.count > 19 ? Double($0[19]) : nil }
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    start = passed.map { Double(Timestamp.now().milliseconds) / 1000 - (Self.seconds(CLOCK_BOOTTIME) - $0 / ticks) }
  }

  var samples: [MetricSample] {
    var samples = [MetricSample(Figures.processCPU, [], Self.seconds(CLOCK_PROCESS_CPUTIME_ID))]
    if let pages = Self.fields(of: "/proc/self/statm"), pages.count > 1, let all = Double(pages[0]),
      let resident = Double(pages[1])
    {
      let bytes = Double(sysconf(Int32(_SC_PAGESIZE)))
      samples.append(MetricSample(Figures.processMemory, [], resident * bytes))
      samples.append(MetricSample(Figures.processVirtualMemory, [], all * bytes))
    }
    if let count = Self.openFiles() { samples.append(MetricSample(Figures.processFiles, [], Double(count))) }
    var files = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 {
      samples.append(MetricSample(Figures.processMostFiles, [], Double(files.rlim_cur)))
    }
    if let start { samples.append(MetricSample(Figures.processStart, [], start)) }
    return samples
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// - Parameter mark: what precedes the fields; the process's own name may have blanks.
  private static func fields(of path: String, after mark: Character? = nil) -> [Substring]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    var text = String(decoding: bytes[..<count], as: UTF8.self)[...]
    if let mark {
      guard let end = text.lastIndex(of: mark) else { return nil }
      text = text[text.index(after: end)...]
    }
    return text.split { $0 == " " || $0 == "\n" }
  }

  private static func openFiles() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
    }
    // One is the folder itself.
    return max(count - 1, 0)
  }
}
