import Glibc
import Testing

@testable import ScenarioRunner

/// A folder in which a test runs `modem-simulator`; removed when the test is over, with what still
/// runs.
struct Scratch {
  let path: String
  private let started = Started()

  private final class Started { var processes: [ChildProcess] = [] }

  static func with(_ body: (Scratch) async throws -> Void) async throws {
    let folder = try WorldFolder.make()
    let scratch = Scratch(path: folder.path)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(scratch))
    } catch {
      result = .failure(error)
    }
    for process in scratch.started.processes where process.end == nil { await process.stop() }
    folder.remove()
    try result.get()
  }

  /// Starts the program with TMPDIR set to this folder.
  func start(_ arguments: [String], through: [String] = []) throws -> RunningCommand {
    let stem = "\(path)/run-\(started.processes.count)"
    var streams = ChildProcess.Streams()
    (streams.output, streams.error) = ("\(stem).out", "\(stem).err")
    let process = try ChildProcess.start(
      "modem-simulator", through + ["\(Programs.folder)/modem-simulator"] + arguments,
      environment: Programs.environment.merging(["TMPDIR": path]) { $1 }, streams: streams)
    started.processes.append(process)
    return RunningCommand(process: process, outputPath: streams.output, errorPath: streams.error)
  }

  /// Types text into a command that runs in some folder, with TMPDIR set to this one, and waits for
  /// its end.
  func type(_ text: String, into command: [String], in folder: String) async throws -> CommandResult {
    let stem = "\(path)/typed-\(started.processes.count)"
    try WorldFolder(path: path).write(text, to: "typed-\(started.processes.count)")
    var streams = ChildProcess.Streams()
    (streams.output, streams.error) = ("\(stem).out", "\(stem).err")
    let words = ["sh", "-c", #"cd "$0" && input=$1 && shift && exec "$@" <"$input""#, folder, stem] + command
    let process = try ChildProcess.start(
      "typed", words, environment: Programs.environment.merging(["TMPDIR": path]) { $1 }, streams: streams)
    started.processes.append(process)
    let end = await process.waitForEnd()
    return CommandResult(
      end: end, output: WorldFolder.read("\(stem).out") ?? "", error: WorldFolder.read("\(stem).err") ?? "")
  }

  /// Whether a command ends with 0.
  static func run(_ command: [String]) async throws -> Bool {
    var streams = ChildProcess.Streams()
    (streams.output, streams.error) = ("/dev/null", "/dev/null")
    let process = try ChildProcess.start(command[0], command, environment: Programs.environment, streams: streams)
    return await process.waitForEnd() == .exited(0)
  }

  /// The folder of a world that says it is up; nil when it ended instead.
  func folder(of run: RunningCommand) async throws -> String? {
    _ = try await Self.eventually { run.output().contains("Interrupt to end") || run.process.end != nil }
    let line = run.output().split(separator: "\n").first { $0.hasPrefix("control") }
    return line?.split(separator: " ").last.map { String($0.dropLast("/control".count)) }
  }

  static func eventually(_ isSo: () -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if isSo() { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  /// Ids of the processes whose command line names a path.
  static func processes(naming path: String) -> [pid_t] {
    guard !path.isEmpty, let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [pid_t] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let id = pid_t(name), Worlds.contents(of: "/proc/\(id)/cmdline")?.contains(path) == true { found.append(id) }
    }
    return found
  }
}
