import FoundationEssentials
import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import ModemSimulator
import ScenarioRunner
import Testing
import Varlink

/// Messages that end whatever process gives them to libmbim 1.28: what that costs.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct CrashCostTests {
  /// A command's answer that nobody waits for. libmbim 1.28 prints it before anybody can look at
  /// it.
  struct Message: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ words: String, service: [UInt8], command: UInt32, _ information: [UInt8]) {
      testDescription = words
      let length = UInt32(48 + information.count)
      bytes =
        words32(0x8000_0003, length, 0x7fff_0000, 1, 0) + service + words32(command, 0, UInt32(information.count))
        + information
    }
  }

  private static let basicConnect: [UInt8] = [
    0xa2, 0x89, 0xcc, 0x33, 0xbc, 0xbb, 0x8b, 0x4f, 0xb6, 0xb0, 0x13, 0x3e, 0xc2, 0xaa, 0xe6, 0xdf,
  ]
  private static let uicc: [UInt8] = [
    0xc2, 0xf6, 0x58, 0x8e, 0xf0, 0x37, 0x4b, 0xc9, 0x86, 0x65, 0xf4, 0xd4, 0x4b, 0xd0, 0x93, 0x67,
  ]

  static let messages = [
    // 8.6 GB at once, for a list of services that is not there.
    Message("a count of 0x40000000", service: basicConnect, command: 16, words32(0x4000_0000, 0, 0)),
    // 1.8 GB bit by bit: each of 1800 entries is the rest of the message, in hexadecimal digits.
    Message(
      "1800 entries that are one", service: uicc, command: 5,
      words32(1800) + (0..<1800).flatMap { _ in words32(4, 0) }),
    // A wrong count that 1.28 frees twice.
    Message("numbers that are not there", service: basicConnect, command: 2, words32(1, 0, 0, 0, 0, 0, 1000)),
  ]

  /// Whether the installed libmbim is ended by them: since 1.32 (libmbim-glib.so.4.9) it refuses
  /// them.
  private static let areDeadly: Bool = {
    let first = getenv("LD_LIBRARY_PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    let folders =
      first + ["/usr/lib", "/usr/lib64", "/lib"] + ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu" }
    let targets = folders.compactMap { folder -> String? in
      var target = [CChar](repeating: 0, count: 256)
      let count = readlink("\(folder)/libmbim-glib.so.4", &target, 255)
      return count > 0 ? String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
    return targets.first?.hasPrefix("libmbim-glib.so.4.7") == true
  }()

  /// A second modem beside the world's own, with a port of its own.
  private func withSecondModem(_ world: World, _ body: (SimulatedModem, RunningCommand) async throws -> Void)
    async throws
  {
    var configuration = SimulatedModemConfiguration()
    configuration.imei = "004999010640018"
    let modem = SimulatedModem(configuration)
    let path = try modem.plugIn()
    defer { modem.unplug() }
    let port = try await world.begin(Self.port(world, device: path))
    try await body(modem, port)
  }

  /// The command line of the second modem's port. Its interface is the bearer's of the first: it is
  /// never brought up.
  private static func port(_ world: World, device: String) -> [String] {
    mkdir(world.folder.file("second"), 0o700)
    return [
      "\(world.options.programs)/modemd-port", "--device", device, "--protocol", "mbim", "--socket",
      world.folder.file("ports/second"), "--state-directory", world.folder.file("second"),
    ]
  }

  /// A chain over the first modem; it takes more than a second.
  private func chain(_ world: World) async throws -> CheckInterface.Outcome? {
    let stream = try await world.client().stream(
      CheckInterface.Open.self,
      .init(
        url: "https://\(world.scenario.chain.aggregator.name)/checks/4915112345678?slow_hop=3&slow_ms=1500",
        modem: "wwan0", timeoutMilliseconds: 60_000))
    for try await reply in stream {
      if let outcome = reply.outcome { return outcome }
    }
    return nil
  }

  private func modems(_ world: World) async throws -> [ModemInterface.Modem] {
    try await world.client().call(ModemInterface.List.self, .init()).modems
  }

  /// Says a message that ends the port, or ends it in the way in which the kernel does when memory
  /// is short.
  private func end(_ port: RunningCommand, of modem: SimulatedModem, _ message: Message) async -> ChildProcess.End {
    modem.say(message.bytes)
    if !Self.areDeadly { port.process.send(SIGKILL) }
    return await port.process.waitForEnd()
  }

  @Test(.enabled(if: !areDeadly, "libmbim 1.28 is installed, which such a message ends"), arguments: messages)
  func `a message that ended libmbim 1.28 is nothing to a later one`(message: Message) async throws {
    try await Worlds.with { world in
      try await withSecondModem(world) { second, port in
        let isOpen = try await world.eventually { try await modems(world).filter { $0.fault == nil }.count == 2 }
        second.say(message.bytes)
        // What the modem says behind it arrives.
        second.setSignal(rssi: -101)
        let goesOn = try await world.eventually {
          try await modems(world).contains { $0.registration.rssi == -101 }
        }
        #expect(isOpen && goesOn && port.process.end == nil)
      }
    }
  }

  @Test(arguments: messages) func `a message that ends the port costs one restart of it, within its memory`(
    message: Message
  )
    async throws
  {
    try await Worlds.with { world in
      try await withSecondModem(world) { second, port in
        #expect(try await world.eventually { try await modems(world).filter { $0.fault == nil }.count == 2 })
        let service = try #require(await world.process(of: .service))
        // The first modem is in use all the while.
        async let walk = chain(world)
        // On a busy machine, the port may have ended before what follows is looked at once.
        let first = Self.memory(of: port)
        async let later = Self.peak(of: port)
        let end = await end(port, of: second, message)
        guard case .signaled = end else {
          Issue.record("libmbim read the message: \(end)")
          return
        }
        #expect(try await world.eventually { try await modems(world).contains { $0.fault != nil } })
        let outcome = try await walk
        #expect(outcome?.answer?.status == 200, "\(String(describing: outcome?.failure))")
        #expect(service.end == nil, "modemd ended")
        #expect(world.modem.snapshot.bearers.count == 1)
        // What the port limits, and its program's own pages.
        let limit = 128 + 24 * max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) + 64
        let used = max(first, await later)
        #expect((1..<limit).contains(used), "\(used) MiB of \(limit)")

        _ = try await world.begin(Self.port(world, device: try #require(second.snapshot.path)))
        #expect(try await world.eventually { try await modems(world).filter { $0.fault == nil }.count == 2 })
      }
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  /// The most memory that a process had at one time before it ended, in MiB. The kernel's account
  /// of ended children has what this process itself had when it started them, and its browsers.
  private static func peak(of command: RunningCommand) async -> Int {
    var peak = 0
    while command.process.end == nil {
      peak = max(peak, memory(of: command))
      await Task.yield()
    }
    return peak
  }

  /// The most memory that a process has had so far, in MiB; 0 for one that has ended.
  private static func memory(of command: RunningCommand) -> Int {
    let lines = (try? String(contentsOfFile: "/proc/\(command.process.id)/status", encoding: .utf8)) ?? ""
    let line = lines.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let size = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }
    return (size ?? 0) / 1024
  }

  @Test func `a modem that ends its port again and again is left alone, until it is plugged in anew`() async throws {
    try await Worlds.with { world in
      let message = Self.messages[0]
      try await withSecondModem(world) { second, first in
        var port = first
        for _ in 0..<5 {
          #expect(try await world.eventually { try await modems(world).filter { $0.fault == nil }.count == 2 })
          guard case .signaled = await end(port, of: second, message) else {
            Issue.record("libmbim read the message")
            return
          }
          #expect(try await world.eventually { try await modems(world).contains { $0.fault != nil } })
          // As systemd does.
          port = try await world.begin(Self.port(world, device: try #require(second.snapshot.path)))
        }
        let opened = second.snapshot.commands[.open]
        #expect(
          try await world.eventually {
            try await modems(world).contains { $0.fault?.cause.contains("left alone") == true }
          })
        let fault = try #require(try await modems(world).compactMap(\.fault).first)
        #expect(fault.cause.contains("5 times within 10 minutes"))
        #expect(fault.cause.contains("systemctl restart"))
        #expect(try await modems(world).count == 2)
        #expect(port.process.end == nil)
        #expect(second.snapshot.commands[.open] == opened)
        #expect(try await modems(world).filter { $0.fault == nil }.count == 1)

        // systemd stops the unit in order when it is asked to, and when the device goes away.
        await port.process.stop(within: .seconds(20))
        second.unplug()
        _ = try await world.begin(Self.port(world, device: try second.plugIn()))
        #expect(try await world.eventually { try await modems(world).filter { $0.fault == nil }.count == 2 })
      }
    }
  }
}

/// Little-endian, as MBIM has it.
private func words32(_ numbers: UInt32...) -> [UInt8] {
  numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
}
