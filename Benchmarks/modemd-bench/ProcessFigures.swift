import ArgumentParser
import BenchmarkFigures
import Glibc

/// Memory of a process that serves a socket.
struct Resident: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Resident memory of the process that serves a socket.")

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "Name of the figure.") var name = "modemd-resident"
  @Option(help: "Most megabytes (2^20 bytes).") var most: Double?
  @Option(help: "File to append JSON to.") var json: String?

  func run() throws {
    let process = try VarlinkConnection(path: socket).peer()
    let megabytes = try residentMegabytes(of: process)
    try FigureOutput(jsonPath: json).write([Figure(name, megabytes, "MB", most.map { .atMost($0) })])
  }
}

/// From the start of a program to the first answer on its socket.
struct Startup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time from starting a program to the first answer on its socket, and its memory then at rest.")

  @Option(help: "Path of the socket that the program will serve.") var socket: String
  @Option(help: "Name of the program in the figures.") var name = "modemd"
  @Option(help: "Times to start it; the median counts.") var runs = 5
  @Option(help: "Most milliseconds.") var most: Double?
  @Option(help: "Most megabytes (2^20 bytes) at rest.") var memory: Double?
  @Option(help: "File to append JSON to.") var json: String?
  @Argument(parsing: .postTerminator, help: "The program's path and arguments.") var command: [String]

  func validate() throws {
    guard !command.isEmpty, runs > 0 else { throw ValidationError("name a program after --, and --runs above 0") }
  }

  func run() throws {
    var times: [Double] = []
    var resident: [Double] = []
    for _ in 0..<runs {
      unlink(socket)
      let start = now()
      let process = try spawn(command)
      defer { stop(process) }
      times.append(try firstAnswer(after: start))
      // At rest: a second without a call, so that start-up's garbage is gone.
      sleep(1)
      resident.append(try residentMegabytes(of: process))
    }
    try FigureOutput(jsonPath: json).write([
      Figure("\(name)-start", percentile(0.5, of: times.sorted()), "ms", most.map { .atMost($0) }),
      Figure("\(name)-resident", percentile(0.5, of: resident.sorted()), "MB", memory.map { .atMost($0) }),
    ])
  }

  private func firstAnswer(after start: Double) throws(BenchmarkError) -> Double {
    try waitForAnswer(on: socket, from: command[0])
    return now() - start
  }
}

/// Waits until a service answers on its socket.
func waitForAnswer(on socket: String, from program: String) throws(BenchmarkError) {
  let start = now()
  while now() - start < 10_000 {
    if let connection = try? VarlinkConnection(path: socket),
      (try? connection.call("org.varlink.service.GetInfo")) != nil
    {
      return
    }
    usleep(200)
  }
  throw BenchmarkError("\(program) did not answer on \(socket) within 10 s")
}

/// Starts a program with this one's environment.
///
/// - Parameter output: a descriptor for what it prints; standard error unless told otherwise.
func spawn(_ command: [String], output: Int32 = 2) throws(BenchmarkError) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
  defer { arguments.forEach { free($0) } }
  var process: pid_t = 0
  let status = posix_spawn(&process, command[0], &actions, nil, &arguments, environment())
  guard status == 0 else { throw .system("cannot start \(command[0])", status) }
  return process
}

/// Runs a program to its end.
///
/// - Returns: what it printed, up to a pipe's 64 KiB.
func output(of command: [String]) throws(BenchmarkError) -> String {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { throw .system("no pipe") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  defer { close(ends[0]) }
  let started = Result { () throws(BenchmarkError) in try spawn(command, output: ends[1]) }
  close(ends[1])
  let process = try started.get()
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0, errno == EINTR {}
  guard status == 0 else { throw BenchmarkError("\(command[0]) ended with wait status \(status)") }
  var buffer = [UInt8](repeating: 0, count: 65_536)
  let count = read(ends[0], &buffer, buffer.count)
  guard count >= 0 else { throw .system("cannot read what \(command[0]) printed") }
  return String(decoding: buffer[..<count], as: UTF8.self)
}

/// The C library's own list; nothing in this program changes it.
private func environment() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
  dlsym(nil, "environ")?.assumingMemoryBound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self).pointee
}

/// Asks a child to end, and waits for it.
func stop(_ process: pid_t) {
  kill(process, SIGTERM)
  var status: Int32 = 0
  for _ in 0..<3000 where waitpid(process, &status, WNOHANG) == 0 { usleep(1000) }
  if kill(process, 0) == 0 {
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
  }
}

/// Memory of a process, in units of 2^20 bytes.
///
/// - Parameter field: `VmRSS` of /proc/PID/status for what is resident now, `VmHWM` for the most
///   since the last reset.
func residentMegabytes(of process: pid_t, field: String = "VmRSS") throws(BenchmarkError) -> Double {
  guard let file = fopen("/proc/\(process)/status", "re") else { throw .system("no /proc/\(process)/status") }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let bytes: [UInt8] = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let fields = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    if fields.first == "\(field):", fields.count >= 2, let kilobytes = Double(fields[1]) { return kilobytes / 1024 }
  }
  throw BenchmarkError("/proc/\(process)/status has no \(field)")
}
