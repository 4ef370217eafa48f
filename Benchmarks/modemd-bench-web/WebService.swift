import Glibc
import HTTPTestSupport

/// modemd-web with a configuration for the benchmark's site and page, in a folder of its own.
struct WebService {
  /// Which of its programs.
  enum Kind {
    /// The service for links with a ticket.
    case tickets(TicketSite)
    /// The one for pages that ask by `fetch`.
    case fetch
  }

  /// The page that asks by `fetch`.
  static let origin = "https://bench.example"

  private let process: pid_t
  private let folder: String

  /// Starts it, and waits until it listens.
  ///
  /// - Parameters:
  ///   - program: the program's path.
  ///   - socket: modemd's.
  init(_ kind: Kind, program: String, port: Int, socket: String) throws {
    var template = Array("/tmp/modemd-bench-web.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchmarkError("no temporary folder") }
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    try Self.write(TicketSite.token, to: "\(folder)/bench.token")
    let configuration =
      switch kind {
      case .tickets(let site):
        """
        { "extraRoots": "\(try TestCertificates.shared.get().rootFile)",
          "backends": { "bench": { "name": "Benchmark", "tickets": "\(site.tickets)",
            "return": "https://localhost/back", "privateAddresses": true, "startsPerMinute": 600 } } }
        """
      case .fetch:
        """
        { "fetch": { "user": "\(geteuid())", "origins": { "\(Self.origin)": { "startsPerMinute": 600 } } } }
        """
      }
    try Self.write(configuration, to: "\(folder)/web.json")
    var pipe: [Int32] = [0, 0]
    guard Glibc.pipe(&pipe) == 0, fcntl(pipe[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(pipe[1], F_SETFD, FD_CLOEXEC) == 0
    else { throw BenchmarkError("no pipe") }
    let verb = if case .fetch = kind { ["fetch"] } else { [String]() }
    process = try Self.spawn(
      ["/usr/bin/env", "CREDENTIALS_DIRECTORY=\(folder)", program] + verb + [
        "--configuration", "\(folder)/web.json",
        "--socket", socket, "--port", "\(port)", "--log-level", "notice",
      ], errors: pipe[1])
    close(pipe[1])
    // The other end stays open: nothing is logged later unless something is wrong.
    var log = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !log.contains("listens on port") {
      let count = read(pipe[0], &buffer, buffer.count)
      guard count > 0 else {
        stop()
        throw BenchmarkError("modemd-web has ended: \(log)")
      }
      log += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// Ends it, and waits for that.
  func stop() {
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    for name in ["bench.token", "web.json"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private static func write(_ text: String, to path: String) throws(BenchmarkError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard descriptor >= 0, Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw BenchmarkError("cannot write \(path)")
    }
  }

  private static func spawn(_ command: [String], errors: Int32) throws(BenchmarkError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, errors, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var nothing: [UnsafeMutablePointer<CChar>?] = [nil]
    var process: pid_t = 0
    let status = posix_spawn(&process, command[0], &actions, nil, &arguments, &nothing)
    guard status == 0 else { throw BenchmarkError("cannot start \(command[0]): \(String(cString: strerror(status)))") }
    return process
  }
}
