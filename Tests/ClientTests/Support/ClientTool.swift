import Glibc
import Subprocess
import Testing

/// A program of this machine or of this package, run to its end in the repository's top folder.
enum ClientTool {
  struct Result: Sendable {
    /// Exit status, or 128 and the signal.
    let status: Int32
    let output: String
    let error: String

    /// Both outputs, for the message of a failed test.
    var text: String { output + error }
  }

  /// The repository's top folder.
  static let repository = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The folder that this test and the programs beside it were built into.
  static let binaries: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }()

  /// Runs a program that PATH has, or one with a path. The path may be relative to the repository.
  ///
  /// A program that is not there is a failed test, with the sentence that says what to install.
  static func run(
    _ program: String, _ arguments: [String] = [], environment: [Environment.Key: String] = [:]
  ) async throws -> Result {
    let executable: Executable =
      if !program.contains("/") {
        .name(program)
      } else {
        .path(.init(program.hasPrefix("/") ? program : "\(repository)/\(program)"))
      }
    do {
      let result = try await Subprocess.run(
        executable, arguments: Arguments(arguments),
        environment: .inherit.updating(environment.mapValues { Optional($0) }),
        workingDirectory: .init(repository), output: .string(limit: 4 << 20), error: .string(limit: 4 << 20))
      let status: Int32 =
        switch result.terminationStatus {
        case .exited(let code): Int32(code)
        case .signaled(let signal): 128 + Int32(signal)
        }
      return Result(status: status, output: result.standardOutput, error: result.standardError)
    } catch let error as SubprocessError {
      Issue.record("\(program) does not start: run scripts/install-dependencies test (\(error))")
      throw error
    }
  }

  /// The conformance cases with a client's driver, as `clients/conformance/run` plays them.
  ///
  /// - Parameter driver: the program that speaks for the client, with its arguments.
  static func conformance(_ driver: [String]) async throws -> Result {
    try await run("clients/conformance/run", ["--simulator", "\(binaries)/modem-simulator"] + driver)
  }

  /// A file as text; nil if it cannot be read.
  static func contents(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { content += buffer[..<count] }
    return String(decoding: content, as: UTF8.self)
  }

  /// Runs `body` with the path of a fresh folder, which is removed afterwards.
  static func inFolder(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/modemd-clients-XXXXXX".utf8CString)
    let path = String(cString: try #require(mkdtemp(&template)))
    do {
      try await body(path)
    } catch {
      _ = try await run("rm", ["-rf", path])
      throw error
    }
    _ = try await run("rm", ["-rf", path])
  }
}
