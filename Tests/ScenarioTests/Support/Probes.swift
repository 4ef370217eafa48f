import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import Testing

@testable import ScenarioRunner

/// Sockets of other programs in a world, made by the script that the kernel tier uses too.
struct Probes {
  let world: World
  private let script: String

  init(_ world: World) throws {
    self.world = world
    script = try #require(Worlds.contents(of: "\(Worlds.repository)/Tests/Kernel/guest/probe.py"))
  }

  /// What became of a socket of that user's in the host: an errno's name, CONNECTED, SENT or
  /// TIMEOUT.
  func socket(as user: Int, _ words: [String]) async throws -> String {
    let result = try await world.run(
      ["setpriv", "--reuid", "\(user)", "--clear-groups", "/usr/bin/python3", "-c", script] + words)
    #expect(result.error == "")
    return result.output.trimmed
  }

  /// The same, of the operator's.
  func networkSocket(_ words: [String]) async throws -> String {
    let result = try await world.runInNetwork(["/usr/bin/python3", "-c", script] + words)
    #expect(result.error == "")
    return result.output.trimmed
  }

  /// Runs `body` while something in the host listens on every address of both families at port
  /// 7777, and checks that it heard nothing.
  func expectSilence(_ body: () async throws -> Void) async throws {
    let notes = world.folder.file("heard")
    let listener = try await world.begin(["/usr/bin/python3", "-c", script, "listen", notes, "7777"])
    defer { listener.process.send(SIGTERM) }
    let isReady = try await world.eventually { Worlds.contents(of: notes)?.hasPrefix("ready") == true }
    #expect(isReady)
    #expect(try await socket(as: 0, ["tcp", "127.0.0.1", "7777"]) == "CONNECTED", "the listener is none")
    try await body()
    // What was sent before a whole check has arrived before it.
    let walk = try await world.walk("/checks/4915112345678")
    #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
    let heard = (Worlds.contents(of: notes) ?? "").split(separator: "\n").filter {
      $0 != "ready" && $0 != "tcp 127.0.0.1"
    }
    #expect(heard == [])
  }
}

extension World {
  func connect() async throws -> BearerInterface.Bearer {
    try await client().call(BearerInterface.Connect.self, .init()).bearer
  }

  /// Runs a command in the operator's namespace.
  func runInNetwork(_ command: [String]) async throws -> CommandResult {
    let stem = folder.file("command-\(UInt32.random(in: 0 ... .max))")
    var streams = ChildProcess.Streams()
    (streams.output, streams.error) = ("\(stem).out", "\(stem).err")
    let process = try await spawn(command[0], command, in: links.network, streams)
    processes.append(process)
    let running = RunningCommand(process: process, outputPath: streams.output, errorPath: streams.error)
    return CommandResult(end: await process.waitForEnd(), output: running.output(), error: running.error())
  }

  /// The way of the machine's own packets to each of these, as `ip route get` tells it.
  func ways(to targets: [String]) async throws -> [String] {
    var ways: [String] = []
    for target in targets {
      let result = try await run(["ip", "-o", "route", "get", target])
      let way = result.end == .exited(0) ? result.output.trimmed : result.error.trimmed
      // The table is named as soon as there is any rule beside the kernel's own.
      ways.append(way.replacing(" table local ", with: " "))
    }
    return ways
  }
}

extension String {
  fileprivate var trimmed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
