import ArgumentParser
import BenchmarkFigures
import Glibc

/// How long a program takes from its start to its end.
struct Runs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a program several times; prints the milliseconds of each run, for `times`.")

  @Option(help: "Times to run it.") var count = 20
  @Argument(parsing: .postTerminator, help: "The program's path and arguments.") var command: [String]

  func validate() throws {
    guard !command.isEmpty, count > 0 else { throw ValidationError("name a program after --, and --count above 0") }
  }

  func run() throws {
    for _ in 0..<count {
      let start = now()
      let process = try spawn(command)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      let end = now()
      guard status == 0 else { throw BenchmarkError("\(command[0]) ended with wait status \(status)") }
      print(end - start)
    }
  }
}
