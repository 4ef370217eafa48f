import Glibc
import Subprocess
import Testing

/// The programs under Examples, as somebody who copies them would run them.
@Suite("Examples", .timeLimit(.minutes(1)))
struct ExampleTests {
  private static let repository = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  enum Client: String, CaseIterable, Sendable {
    case swift, python, shell

    /// Program and arguments before the number.
    var command: (String, [String]) {
      switch self {
      case .swift: ("\(ExampleTests.programs)/verify-number", [])
      case .python: ("/usr/bin/python3", ["\(repository)/Examples/python/verify_number.py"])
      case .shell: ("/bin/bash", ["\(repository)/Examples/shell/verify-number"])
      }
    }

    /// Nil where it can run here.
    func missing() async -> String? {
      switch self {
      case .swift: nil
      case .python:
        await ExampleTests.runs(command.0, ["-c", "import tomllib"]) ? nil : "Python 3.11 in /usr/bin"
      case .shell:
        await ExampleTests.runs("/bin/sh", ["-c", "command -v varlinkctl || command -v socat"]) ? nil : "socat"
      }
    }
  }

  /// The folder that this test and the programs beside it were built into.
  private static let programs: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }()

  private static func runs(_ program: String, _ arguments: [String]) async -> Bool {
    let result = try? await run(
      .path(.init(program)), arguments: .init(arguments), output: .discarded, error: .discarded)
    return result?.terminationStatus == .exited(0)
  }

  private static func runnable() async -> [Client] {
    var clients: [Client] = []
    for client in Client.allCases {
      if let missing = await client.missing() {
        print("the example in \(client.rawValue) is not run: it needs \(missing)")
      } else {
        clients.append(client)
      }
    }
    return clients
  }

  private static func example(_ client: Client, _ socket: String, _ number: String) async throws -> Run {
    let (program, arguments) = client.command
    let result = try await run(
      .path(.init(program)), arguments: .init(arguments + [number]),
      environment: .inherit.updating([
        "MODEMD_SOCKET": socket, "PYTHONPATH": "\(repository)/clients/python/src", "PYTHONDONTWRITEBYTECODE": "1",
      ]), output: .string(limit: 65_536),
      error: .string(limit: 65_536))
    guard case .exited(let status) = result.terminationStatus else {
      return Run(status: nil, output: result.standardOutput, messages: "\(result.terminationStatus)")
    }
    return Run(
      status: Ending(rawValue: Int32(status)), output: result.standardOutput,
      messages: result.standardError)
  }

  @Test("Each prints steps and outcome of Verify.Number, and ends as the outcome says")
  func verify() async throws {
    try await MemoryService.run(authentication: ExampleProvider.whole) { service in
      for client in await Self.runnable() {
        let right = try await Self.example(client, service.path, "+447700900123")
        #expect(right.status?.rawValue == 0, "\(client): \(right.messages)")
        let lines = right.output.split(separator: "\n")
        #expect(lines.count == 2, "\(client): \(right.output)")
        #expect(lines.first?.hasPrefix("step 1: askProvider, ") == true && lines.first?.contains(" ms") == true)
        #expect(lines.last == "verified: the number is that of this SIM")
        let other = try await Self.example(client, service.path, "+447700900124")
        #expect(other.status?.rawValue == 1, "\(client): \(other.messages)")
        #expect(other.output.contains("notVerified: "))
        let wrong = try await Self.example(client, service.path, "0770")
        #expect(wrong.status?.rawValue == 2, "\(client)")
        #expect(wrong.messages.contains("org.modemd.Verify.InvalidArgument"), "\(client): \(wrong.messages)")
        let nobody = try await Self.example(client, service.path + "-none", "+447700900123")
        #expect(nobody.status?.rawValue == 2 && !nobody.messages.isEmpty, "\(client)")
      }
    }
  }
}
