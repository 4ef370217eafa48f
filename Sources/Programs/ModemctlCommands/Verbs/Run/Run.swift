import ArgumentParser
import Glibc
import ModemctlCore

/// `modemctl run`
struct Run: Verb {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a command whose connections leave by the bearer.",
    discussion: """
      The command runs in namespaces of its own, with your user and without privileges. Its TCP connections go through \
      modemd's proxy, which also resolves names. UDP and raw sockets fail at once. Nothing reaches another network, \
      and without the bearer nothing is reached. The connections end with the command.

      The exit status is the command's; 125 if it was not run, 126 if it cannot be started, 127 if it is not found.
      """)

  @OptionGroup var choice: ModemOption

  @Option(
    help: ArgumentHelp("modemd's proxy (default: MODEMD_PROXY, else /run/modemd/proxy).", valueName: "path"))
  var proxy: String?

  @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, behind --, with its arguments."))
  var command: [String] = []

  @OptionGroup(visibility: .hidden) var common: CommonOptions

  func validate() throws {
    if command.isEmpty { throw ValidationError("Name a command behind --: modemctl run -- curl https://example.com") }
  }

  func run(in session: Session) async throws -> ExitStatus {
    guard let launch = Launch(choice.modem, proxy: path(session), command, beside: Launch.ownFolder) else {
      throw failure("modemd-run is missing in /usr/lib/modemd; it is installed with modemctl", session)
    }
    let error = launch.replaceProcess()
    throw failure("\(launch.program) cannot be started: \(String(cString: strerror(error)))", session)
  }

  /// Ends modemctl as the program does that confines the command: the other statuses are the
  /// command's.
  private func failure(_ sentence: String, _ session: Session) -> Console.Lost {
    session.complain("run: \(sentence)")
    return Console.Lost(status: Launch.failureStatus)
  }

  private func path(_ session: Session) -> String {
    proxy ?? session.console.variable("MODEMD_PROXY").flatMap { $0.isEmpty ? nil : $0 } ?? "/run/modemd/proxy"
  }
}

/// How modemctl becomes the program that confines the command. A process of several threads cannot
/// make a user namespace.
struct Launch: Hashable {
  let program: String
  /// With the program's own name.
  let arguments: [String]

  /// - Parameter folder: where modemctl is.
  /// - Returns: nil if the program is not there.
  init?(_ modem: String?, proxy: String, _ command: [String], beside folder: String) {
    // As installed, and as built.
    let places = ["\(folder)/../lib/modemd/modemd-run", "\(folder)/modemd-run"]
    guard let program = places.first(where: { access($0, X_OK) == 0 }) else { return nil }
    self.program = program
    arguments =
      ["modemd-run", "--proxy", proxy] + (modem.map { ["--modem", $0] } ?? []) + ["--"] + command
  }

  /// The status of `modemctl run` itself, as env, timeout and nohup use it.
  static let failureStatus: Int32 = 125

  /// The folder of this process's program.
  static var ownFolder: String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &bytes, bytes.count)
    let path = String(decoding: bytes.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// - Returns: an error's number: it comes back only if the program cannot be started.
  func replaceProcess() -> CInt {
    // Tasks run on threads that block all signals, and a command inherits what is blocked.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    execv(program, &pointers)
    let error = errno
    for pointer in pointers { free(pointer) }
    return error
  }
}
