import BenchmarkFigures
import Glibc

/// A folder for sockets.
struct Scratch {
  let path: String
  var ports: String { "\(path)/ports" }
  var socket: String { "\(path)/modemd" }

  init() throws {
    var template = Array("/tmp/modemd-rack-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw BenchmarkError("no folder could be made in /tmp") }
    path = String(cString: made)
    for folder in [ports, "\(path)/state", "\(path)/providers"] { mkdir(folder, 0o700) }
  }

  /// Removes the folder with what modemd left in it.
  func remove() {
    for folder in [ports, "\(path)/state", "\(path)/providers", path] {
      if let entries = opendir(folder) {
        while let entry = readdir(entries) {
          let name = withUnsafeBytes(of: entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
          }
          if name != ".", name != ".." { unlink("\(folder)/\(name)") }
        }
        closedir(entries)
      }
      rmdir(folder)
    }
  }
}

/// This process's limit of open files.
enum OpenFiles {
  /// - Throws: `BenchmarkError` if the limit cannot be raised so far.
  static func raise(for count: Int) throws {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    getrlimit(files, &limit)
    limit.rlim_cur = limit.rlim_max
    guard setrlimit(files, &limit) == 0, limit.rlim_cur >= rlim_t(count) else {
      throw BenchmarkError("\(count) open files are needed, and at most \(limit.rlim_max) are allowed (ulimit -Hn)")
    }
  }
}

/// A modemd of its own.
struct RackService {
  /// What /proc says of it.
  struct Figures {
    /// Kilobytes that belong to no file.
    var anonymous = 0
    var threads = 0
    var files = 0
    /// Milliseconds of processor time of its present threads.
    var processor = 0.0
  }

  let process: pid_t
  let socket: String
  let started: Double

  /// Starts it, and waits until its socket answers.
  init(program: String, in scratch: Scratch) throws {
    socket = scratch.socket
    started = now()
    let command = [
      program, "--socket", scratch.socket, "--ports", scratch.ports, "--state-directory", "\(scratch.path)/state",
      "--providers", "\(scratch.path)/providers", "--log-level", "error",
    ]
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var id: pid_t = 0
    let status = posix_spawn(&id, program, nil, nil, &arguments, environ)
    guard status == 0 else {
      throw BenchmarkError("\(program) cannot be started: \(String(cString: strerror(status)))")
    }
    process = id
    for _ in 0..<10_000 {
      if (try? RawConnection(socket)) != nil { return }
      usleep(1000)
    }
    stop()
    throw BenchmarkError("\(program) does not listen after 10 s")
  }

  func stop() {
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  func figures() throws -> Figures {
    var figures = Figures()
    for line in try Self.read("/proc/\(process)/status").split(separator: "\n") {
      if line.hasPrefix("RssAnon:") { figures.anonymous = Int(line.filter(\.isNumber)) ?? 0 }
      if line.hasPrefix("Threads:") { figures.threads = Int(line.filter(\.isNumber)) ?? 0 }
    }
    figures.files = Self.names(in: "/proc/\(process)/fd").count
    for thread in Self.names(in: "/proc/\(process)/task") {
      // Nanoseconds on a processor come first (Documentation/scheduler/sched-stats).
      let words = try? Self.read("/proc/\(process)/task/\(thread)/schedstat").split(separator: " ")
      figures.processor += (words?.first.flatMap { Double($0) } ?? 0) / 1e6
    }
    return figures
  }

  private static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "re") else { throw BenchmarkError("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
