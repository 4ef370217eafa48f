import Glibc
import Subprocess
import Testing

/// Runs commands as `modemctl run` does, as a user without privileges.
struct Confined {
  /// How a command ended, and what it wrote.
  struct Result: Sendable {
    /// Exit status, or 128 and the signal.
    let status: Int
    let output: String
    let error: String
  }

  static let reason: Comment = "namespaces for users without privileges, or nf_tables in them, are not allowed here"

  /// Nobody's id on any machine; this process's own user where that is not root.
  private static let words =
    geteuid() == 0 ? ["setpriv", "--reuid", "61005", "--regid", "61005", "--clear-groups"] : ["env"]
  private let proxy: String
  private let program: String

  /// Whether this machine allows it at all.
  static func isAllowed() async -> Bool {
    let script = "ip link set lo up && ip rule add pref 100 ipproto tcp lookup 100"
    let command = words + ["unshare", "--user", "--map-root-user", "--net", "--mount", "sh", "-c", script]
    return (try? await run(command))?.status == 0
  }

  /// Has the program where that user may run it.
  init(_ world: ProxyWorld) throws {
    proxy = world.path
    program = world.path + "-run"
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    let built = own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/modemd-run"
    let bytes = try #require(Self.contents(of: built))
    let descriptor = open(program, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o755)
    defer { close(descriptor) }
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  func remove() { unlink(program) }

  /// - Parameter outer: a program that starts the rest.
  func callAsFunction(_ command: String..., outer: [String] = []) async throws -> Result {
    try await Self.run(Self.words + outer + [program, "--proxy", proxy, "--"] + command)
  }

  /// A script of Python's, with what most of them need.
  func python(_ script: String, outer: [String] = []) async throws -> Result {
    let head = """
      import errno, os, socket, sys, time
      def attempt(what):
        try: return what()
        except OSError as error: return errno.errorcode.get(error.errno, str(error))

      """
    return try await Self.run(
      Self.words + outer + [program, "--proxy", proxy, "--", "/usr/bin/python3", "-c", head + script])
  }

  /// A script of Python's whose output goes to another program outside, until all that it started
  /// has ended.
  func through(_ reader: String, script: String) async throws -> Result {
    try await Self.run(
      Self.words + [
        "sh", "-c", #""$1" --proxy "$2" -- /usr/bin/python3 -c "$3" 2>&1 | "$4""#, "sh", program, proxy, script, reader,
      ])
  }

  static func run(_ command: [String]) async throws -> Result {
    let result = try await Subprocess.run(
      .name(command[0]), arguments: Arguments(Array(command.dropFirst())), output: .string(limit: 1 << 20),
      error: .string(limit: 1 << 20))
    let status =
      switch result.terminationStatus {
      case .exited(let code): Int(code)
      case .signaled(let signal): 128 + Int(signal)
      }
    return Result(status: status, output: result.standardOutput, error: result.standardError)
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { content += buffer[..<count] }
    return content
  }
}
