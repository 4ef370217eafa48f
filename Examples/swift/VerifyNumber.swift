import Glibc
import ModemAPIClient

// verify-number NUMBER: asks modemd whether a number is that of this machine's SIM, and shows each
// step as it ends. MODEMD_SOCKET names another socket.
//
// Exit status: 0 the number is the SIM's; 1 it is not, or nobody can tell; 2 the call was wrong, or
// modemd does not answer.

@main
enum VerifyNumber {
  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      complain("usage: verify-number NUMBER, in international form, as in +447700900123")
      exit(2)
    }
    do {
      exit(try await verify(CommandLine.arguments[1]) ? 0 : 1)
    } catch let error as VarlinkError {
      complain("modemd refuses: \(error.name)")
    } catch {
      complain("modemd does not answer: \(error)")
    }
    exit(2)
  }

  static func verify(_ number: String) async throws -> Bool {
    let socket = getenv("MODEMD_SOCKET").map { String(cString: $0) } ?? ModemAPIClient.defaultPath
    let client = try await ModemAPIClient.connect(to: socket)
    var result: VerifyInterface.Outcome.Result?
    for try await reply in client.stream(VerifyInterface.Number.self, .init(number: number)) {
      if let step = reply.step {
        print("step \(step.index): \(step.name), \(step.milliseconds) ms \(step.failure ?? "")")
      }
      if let outcome = reply.outcome {
        print("\(outcome.result.rawValue): \(outcome.text)")
        result = outcome.result
      }
    }
    return result == .verified
  }

  static func complain(_ text: String) {
    let line = text + "\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
  }
}
