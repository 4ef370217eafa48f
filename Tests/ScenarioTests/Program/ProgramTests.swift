import Glibc
import Testing

@testable import ScenarioRunner

/// `modem-simulator` as people start it.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ProgramTests {
  private let demo = "\(Worlds.repository)/Scenarios/demo"

  @Test func `up ends with the command's exit status and leaves nothing`() async throws {
    try await Scratch.with { scratch in
      let script =
        #"echo "$MODEM_SIMULATOR_FOLDER"; test -S "$MODEMD_SOCKET" && test -c "$MODEM_SIMULATOR_PTY" && exit 7"#
      let run = try scratch.start(["up", demo, "--", "sh", "-c", script])
      #expect(await run.process.waitForEnd() == .exited(7), "\(run.error())")
      let folder = run.output().split(separator: "\n").first.map(String.init) ?? ""
      #expect(folder.hasPrefix(scratch.path))
      #expect(access(folder, F_OK) != 0)
      #expect(Scratch.processes(naming: folder) == [])
    }
  }

  @Test func `a command of up blocks and ignores no signal, and ends by those that it sends itself`() async throws {
    try await Scratch.with { scratch in
      let script = """
        grep -E '^Sig(Blk|Ign)' /proc/self/status
        for signal in INT TERM PIPE HUP; do sh -c "kill -$signal \\$\\$; echo survived $signal"; echo $?; done
        exec sh -c 'kill -TERM $$'
        """
      let run = try scratch.start(["up", demo, "--", "sh", "-c", script])
      // As a shell has it: 128 and the signal.
      #expect(await run.process.waitForEnd() == .exited(128 + SIGTERM), "\(run.error())")
      let lines = run.output().split(separator: "\n").map {
        $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      // 32 and 33 are the C library's own: no program can change what becomes of them, nor is sent
      // one.
      let own: UInt64 = 3 << 31
      let masks = lines.prefix(2).map { UInt64($0.suffix(16), radix: 16).map { $0 & ~own } }
      #expect(masks == [0, 0], "\(run.output()) \(run.error())")
      #expect(lines.dropFirst(2) == ["130", "143", "141", "129"], "\(run.output()) \(run.error())")
    }
  }

  @Test(arguments: ["mbim", "qmi"])
  func `modemctl finds the modem of the protocol that was asked for`(kind: String) async throws {
    try await Scratch.with { scratch in
      let run = try scratch.start(["up", "--protocol", kind, demo, "--", "modemctl", "list"])
      #expect(await run.process.waitForEnd() == .exited(0), "\(run.error())")
      #expect(run.output().lowercased().contains(kind), "\(run.output())")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a world that is held open ends at a signal, with all that it started`(signal: Int32) async throws {
    try await Scratch.with { scratch in
      let run = try scratch.start(["up", demo])
      let folder = try #require(try await scratch.folder(of: run))
      #expect(Scratch.processes(naming: folder).count == 4, "operator, uplink, modemd-port and modemd")
      run.process.send(signal)
      #expect(await run.process.waitForEnd() == .exited(0), "\(run.error())")
      #expect(run.output().contains("packets that left by the other uplink: 0"))
      #expect(Scratch.processes(naming: folder) == [])
      #expect(access(folder, F_OK) != 0)
    }
  }

  @Test func `what a shell left in the background ends with the world`() async throws {
    try await Scratch.with { scratch in
      // One in a session of its own, and one that takes no SIGTERM.
      let script = """
        setsid sleep 3601 & echo $!
        ready="$MODEM_SIMULATOR_FOLDER/ready"
        mkfifo "$ready"
        sh -c 'trap "" TERM; echo $$ >"$0"; exec sleep 3602' "$ready" &
        read id <"$ready"
        echo "$id"
        """
      let run = try scratch.start(["up", demo, "--", "sh", "-c", script])
      #expect(await run.process.waitForEnd().status == 0, "\(run.error())")
      let ids = run.output().split(whereSeparator: \.isNewline).compactMap { Int32($0) }
      #expect(ids.count == 2, "\(run.output())")
      for id in ids {
        let command = Worlds.contents(of: "/proc/\(id)/cmdline") ?? ""
        #expect(!command.contains("sleep"), "\(id) \(command)")
      }
    }
  }

  @Test func `when it is killed its processes end with it`() async throws {
    try await Scratch.with { scratch in
      let run = try scratch.start(["up", demo])
      let folder = try #require(try await scratch.folder(of: run))
      run.process.send(SIGKILL)
      _ = await run.process.waitForEnd()
      #expect(try await Scratch.eventually { Scratch.processes(naming: folder) == [] })
    }
  }

  @Test func `the demonstration shows number, bearer, hops and answer over both protocols`() async throws {
    try await Scratch.with { scratch in
      let run = try scratch.start(["demo", demo])
      #expect(await run.process.waitForEnd() == .exited(0), "\(run.error())")
      let output = run.output()
      for words in [
        "=== MBIM ===", "=== QMI ===", "+4915112345678", "262-01", "wwan0", "10.64.0.2", "2001:db8:64::2",
        "http://he.operator.example", #""match" : true"#, "com.example.app://callback?code=",
      ] {
        #expect(output.contains(words), "\(words) is missing in:\n\(output)")
      }
      #expect(output.hasSuffix("Packets that left by the other uplink: 0\n"))
    }
  }

  @Test(arguments: [("modemctl no-such-verb", 2, 0), ("false", 0, 1)])
  func `the demonstration runs a scenario's commands with their titles and times, and wants their exit status`(
    last: String, status: Int, result: Int32
  ) async throws {
    try await Scratch.with { scratch in
      let words = last.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ")
      let scenario = """
        { "demonstration": [
          { "title": "Signs of life", "command": ["modemctl", "list"] },
          { "title": "A word to the services", "command": ["modem-simulator", "control", "tell", "sample.mood", "two words"] },
          { "command": [\(words)], "status": \(status) } ] }
        """
      #expect(mkdir("\(scratch.path)/shown", 0o700) == 0)
      try WorldFolder(path: scratch.path).write(scenario, to: "shown/scenario.json")
      let run = try scratch.start(["demo", "\(scratch.path)/shown"])
      #expect(await run.process.waitForEnd() == .exited(result), "\(run.error())")
      let output = run.output()
      #expect(output.contains("--- Signs of life\n$ modemctl list\n"), "\(output)")
      #expect(output.contains("$ modem-simulator control tell sample.mood 'two words'\ndone\n("), "\(output)")
      #expect(output.contains(" ms, exit status 0)\n"))
      #expect(output.contains("=== QMI ===") == (result == 0))
      if result != 0 {
        #expect(run.error().contains("`false` ended with exit status 1; expected exit status 0"), "\(run.error())")
      }
    }
  }

  @Test func `a scenario that is wrong is one sentence and exit status 1`() async throws {
    try await Scratch.with { scratch in
      for verb in ["up", "demo"] {
        let run = try scratch.start([verb, "/nonexistent"])
        #expect(await run.process.waitForEnd() == .exited(1))
        #expect(run.error().hasPrefix("modem-simulator: there is no scenario in /nonexistent"))
      }
    }
  }

  /// Runs a command as a user without any right, in a mount namespace where `/dev/net/tun` is open
  /// to anyone, as udev leaves it.
  static let asNobody = [
    "unshare", "--mount", "sh", "-c",
    """
    mount -t tmpfs none /mnt && mknod -m 666 /mnt/tun c 10 200 && mount --bind /mnt/tun /dev/net/tun &&
    exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
    """, "sh",
  ]

  @Test(
    .enabled("this machine keeps user namespaces, or the build products, from all but root") {
      try await Scratch.run(
        asNobody + ["unshare", "--user", "--map-root-user", "test", "-x", Programs.folder + "/modemd"])
    })
  func `a world runs without root in a user namespace`() async throws {
    try await Scratch.with { scratch in
      chmod(scratch.path, 0o777)
      let check = "modemctl open https://check.aggregator.example/checks/4915112345678"
      let run = try scratch.start(
        ["up", demo, "--", "sh", "-c", "\(check) && modem-simulator control leaks"], through: Self.asNobody)
      #expect(await run.process.waitForEnd() == .exited(0), "\(run.error())")
      #expect(run.output().contains(#""match" : true"#))
      #expect(run.output().hasSuffix("\n0\n"))
    }
  }
}
