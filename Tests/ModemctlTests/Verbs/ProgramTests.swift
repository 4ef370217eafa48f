import Glibc
import Subprocess
import Testing

@testable import ModemctlCommands

@Suite("The program", .timeLimit(.minutes(1)))
struct ProgramTests {
  /// modemctl as it was built beside this test.
  static let program: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/modemctl"
  }()

  @Test("Ctrl-C ends watch quietly with status 130")
  func interrupted() async throws {
    try await MemoryService.run { service in
      let result = try await run(
        .path(.init(Self.program)), arguments: ["watch"],
        environment: .inherit.updating(["MODEMD_SOCKET": service.path]), input: .none, output: .sequence,
        error: .string(limit: 4096)
      ) { execution in
        var shown = ""
        for try await piece in execution.standardOutput {
          shown += piece.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
          if shown.contains("present: bearer down") { try execution.send(signal: .interrupt) }
        }
        return shown
      }
      #expect(result.terminationStatus == .exited(130) && result.standardError == "")
      #expect(result.closureResult.contains("present: SIM ready"))
    }
  }

  @Test("Results go to standard output without colours, messages to standard error")
  func streams() async throws {
    try await MemoryService.run { service in
      let list = try await run(
        .path(.init(Self.program)), arguments: ["list", "--socket", service.path], output: .string(limit: 4096),
        error: .string(limit: 4096))
      #expect(list.terminationStatus == .exited(0) && list.standardError == "")
      #expect(list.standardOutput.hasPrefix("MODEM ") && !list.standardOutput.contains("\u{1b}"))
      let status = try await run(
        .path(.init(Self.program)), arguments: ["status", "none", "--socket", service.path],
        output: .string(limit: 4096), error: .string(limit: 4096))
      #expect(status.terminationStatus == .exited(5) && status.standardOutput == "")
      #expect(status.standardError.hasPrefix("modemctl: no modem is named none;"))
    }
  }

  @Test("A PIN that is written to standard input unlocks the SIM")
  func pipedPIN() async throws {
    try await MemoryService.run(modems: [.sample(sim: .pinRequired)]) { service in
      let result = try await run(
        .path(.init(Self.program)), arguments: ["unlock", "--socket", service.path],
        input: .string("1234\n"), output: .string(limit: 4096), error: .string(limit: 4096))
      #expect(result.standardOutput == "modem-0011aabb: SIM ready\n")
      #expect(result.terminationStatus == .exited(0) && result.standardError == "")
    }
  }

  @Test("A reader that leaves ends it without a message")
  func readerLeaves() async throws {
    try await MemoryService.run { service in
      let result = try await run(
        .path("/bin/sh"),
        arguments: ["-c", "{ \"$0\" list --socket \"$1\"; echo $? >&2; } | true", Self.program, service.path],
        output: .discarded, error: .string(limit: 4096))
      // 0 where the shell's `true` left after the table was written, else as for SIGPIPE.
      #expect(["0\n", "141\n"].contains(result.standardError))
    }
  }
}
