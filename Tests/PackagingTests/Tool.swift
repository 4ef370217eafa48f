import Glibc
import Subprocess

/// A program of the machine, run to its end.
enum Tool {
  struct Result: Sendable {
    /// Exit status, or 128 and the signal.
    let status: Int32
    let output: String
    let error: String
  }

  /// The repository's top folder.
  static let repository: String = {
    var parts = String(#filePath).split(separator: "/").map(String.init)
    parts.removeLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  /// The folder that this test and the programs beside it were built into.
  static let binaries: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
  }()

  static func exists(_ name: String) -> Bool {
    ["/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"].contains { access($0 + name, X_OK) == 0 }
  }

  /// Runs a program found in PATH, or a path, in the repository's top folder.
  static func run(
    _ program: String, _ arguments: [String] = [], environment: [Environment.Key: String] = [:],
    isolated: Bool = false
  ) async throws -> Result {
    let executable: Executable = program.contains("/") ? .path(.init(program)) : .name(program)
    let variables: [Environment.Key: String?] = environment.mapValues { $0 }
    let result = try await Subprocess.run(
      executable, arguments: Arguments(arguments),
      environment: isolated ? .custom(environment) : .inherit.updating(variables),
      workingDirectory: .init(repository), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    let status: Int32 =
      switch result.terminationStatus {
      case .exited(let code): Int32(code)
      case .signaled(let signal): 128 + Int32(signal)
      }
    return Result(status: status, output: result.standardOutput, error: result.standardError)
  }
}

/// Files, read and written whole.
enum File {
  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { content += buffer[..<count] }
    return String(decoding: content, as: UTF8.self)
  }

  static func write(_ text: String, to path: String, mode: mode_t = 0o644) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    let bytes = Array(text.utf8)
    precondition(descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "cannot write \(path)")
    close(descriptor)
  }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o755)
    }
  }

  static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }
}

/// A folder of one test, removed when the test is over.
struct Scratch {
  let path: String

  /// Runs `body` with a fresh folder beside the build products, so that files can be linked instead
  /// of copied.
  static func with<Value>(_ body: (Scratch) async throws -> Value) async throws -> Value {
    var template = Array((Tool.binaries + "/packaging-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { fatalError("no folder below \(Tool.binaries)") }
    let scratch = Scratch(path: String(cString: made))
    do {
      let value = try await body(scratch)
      try await scratch.remove()
      return value
    } catch {
      try await scratch.remove()
      throw error
    }
  }

  private func remove() async throws {
    _ = try await Tool.run("rm", ["-rf", path])
  }

  /// Installs the debug build below `root`, hard links in place of copies.
  func install() async throws -> (root: String, result: Tool.Result) {
    let root = path + "/root"
    let result = try await Tool.run(
      "make",
      [
        "--no-print-directory", "install", "CONFIGURATION=debug", "BIN_DIR=\(Tool.binaries)", "DESTDIR=\(root)",
        "INSTALL_PROGRAM=ln -f", "STRIP=true",
      ])
    return (root, result)
  }
}
