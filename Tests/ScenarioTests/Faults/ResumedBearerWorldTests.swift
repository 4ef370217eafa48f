import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import ScenarioRunner
import Testing

/// A bearer that somebody asked for, over the ends of its port, moves of its modem and other SIMs:
/// both daemons on a simulated modem.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ResumedBearerWorldTests {
  private static func shown(_ world: World) async throws -> BearerInterface.Bearer? {
    try? await world.client().call(BearerInterface.Get.self, .init()).bearer
  }

  private static func expectResumed(_ world: World) async throws {
    let isBack = try await world.eventually {
      let bearer = try await shown(world)
      return bearer?.state == .up && bearer?.resumption == .resumed
    }
    let last = try await shown(world)
    #expect(isBack, "\(String(describing: last))")
    let walk = try await world.walk("/checks/4915112345678")
    #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
  }

  /// The port has looked at its modem and SIM, and leaves the bearer down.
  private static func expectDown(_ world: World, because words: String?) async throws {
    let isDecided = try await world.eventually {
      let modem = try? await world.client().call(ModemInterface.Get.self, .init()).modem
      let bearer = try await shown(world)
      guard let modem, modem.fault == nil, modem.sim.state == .ready else { return false }
      return words == nil ? bearer?.resumption == nil : bearer?.resumption == .refused
    }
    let bearer = try #require(try await shown(world))
    #expect(isDecided, "\(bearer)")
    #expect(bearer.state == .down && bearer.nextAttempt == nil, "\(bearer)")
    if let words { #expect(bearer.resumptionText?.contains(words) == true, "\(bearer)") }
    #expect(world.modem.snapshot.bearers.isEmpty)
  }

  /// Names and contents of the notes.
  private static func notes(_ world: World) -> [String: String] {
    let path = world.folder.file("port-state")
    var notes: [String: String] = [:]
    guard let folder = opendir(path) else { return notes }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix("kept-bearer-") { notes[name] = Worlds.contents(of: "\(path)/\(name)") }
    }
    return notes
  }

  private static func replaceNote(_ world: World, _ change: (String) -> String) throws {
    let (name, text) = try #require(notes(world).first)
    let file = try #require(fopen("\(world.folder.file("port-state"))/\(name)", "we"))
    fputs(change(text), file)
    fclose(file)
  }

  @Test(arguments: ModemProtocol.allCases)
  func `after kill -9 of its port it comes back without a call, until Disconnect`(kind: ModemProtocol) async throws {
    try await Worlds.with(kind: kind) { world in
      let before = try await world.hostState()
      _ = try await world.client().call(BearerInterface.Connect.self, .init(apn: "internet"))
      for _ in 0..<2 {
        await world.end(.port)
        try await world.start(.port)
        try await Self.expectResumed(world)
        #expect(try await Self.shown(world)?.apn == "internet")
      }
      // In order too, as `systemctl restart` and an upgrade do it.
      #expect(await world.end(.port, with: SIGTERM) == .exited(0))
      #expect(world.modem.snapshot.bearers.isEmpty)
      try await world.start(.port)
      try await Self.expectResumed(world)

      _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
      #expect(Self.notes(world).isEmpty)
      await world.end(.port)
      try await world.start(.port)
      try await Self.expectDown(world, because: nil)
      #expect(try await world.hostState() == before)
      #expect(world.leaks.packets == 0)
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `after a replug it comes back, under another name too`(kind: ModemProtocol) async throws {
    try await Worlds.with(kind: kind) { world in
      _ = try await world.client().call(BearerInterface.Connect.self, .init())
      _ = try await world.perform("unplug")
      _ = try await world.eventually { try await Self.shown(world)?.state == .down }
      _ = try await world.perform("plug-in")
      let isBack = try await world.eventually { try await Self.shown(world)?.state == .up }
      #expect(isBack)
      _ = try await world.perform("move")
      let hasMoved = try await world.eventually {
        let modems = try await world.client().call(ModemInterface.List.self, .init()).modems
        return modems.count == 1 && modems[0].device.hasSuffix("-1") && modems[0].fault == nil
      }
      #expect(hasMoved)
      try await Self.expectResumed(world)
      #expect(Self.notes(world).count == 1)
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `with another SIM it stays down, until its own is back`(kind: ModemProtocol) async throws {
    let other = #"{ "otherSIMs": [ { "iccid": "8944110000000000028", "imsi": "234150123456789" } ] }"#
    try await Worlds.with(other, kind: kind) { world in
      _ = try await world.client().call(BearerInterface.Connect.self, .init())
      await world.end(.port)
      _ = try await world.perform("use-slot 2")
      try await world.start(.port)
      try await Self.expectDown(world, because: "another SIM")
      _ = try await world.perform("use-slot 1")
      try await Self.expectResumed(world)
    }
  }

  /// What `bearer.resume` says, and why the bearer stays down after a start of the machine: another
  /// boot id in the note.
  static let settings: [(String?, String?)] = [
    (nil, "rebooted since"), ("restart", "rebooted since"), ("off", nil), ("boot", nil),
  ]

  @Test(arguments: settings)
  func `after a reboot it comes back where that is configured`(setting: String?, refusal: String?) async throws {
    var options = World.Options()
    options.portSettings = setting.map { #"{ "bearer": { "resume": "\#($0)" } }"# }
    try await Worlds.with("{}", options: options) { world in
      _ = try await world.client().call(BearerInterface.Connect.self, .init())
      #expect(Self.notes(world).isEmpty == (setting == "off"))
      await world.end(.port)
      if setting != "off" {
        try Self.replaceNote(world) { text in
          let old = Worlds.contents(of: "/proc/sys/kernel/random/boot_id")?.split(separator: "\n").first ?? "-"
          #expect(text.contains(old))
          return text.replacing(old, with: "00000000-0000-4000-8000-000000000000")
        }
      }
      try await world.start(.port)
      if setting == "boot" {
        try await Self.expectResumed(world)
      } else {
        try await Self.expectDown(world, because: refusal)
        #expect(Self.notes(world).isEmpty)
      }
    }
  }

  @Test func `a check's own bearer does not come back, and a damaged note costs nothing but itself`() async throws {
    try await Worlds.with { world in
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(Self.notes(world).isEmpty)
      await world.end(.port)
      try await world.start(.port)
      try await Self.expectDown(world, because: nil)

      _ = try await world.client().call(BearerInterface.Connect.self, .init())
      await world.end(.port)
      try Self.replaceNote(world) { String($0.dropLast(20)) }
      try await world.start(.port)
      try await Self.expectDown(world, because: "kept-bearer-")
      let bearer = try await world.client().call(BearerInterface.Connect.self, .init()).bearer
      #expect(bearer.state == .up && bearer.resumption == nil)
      await world.end(.port)
      try await world.start(.port)
      try await Self.expectResumed(world)
    }
  }

  @Test func `modemctl tells what became of it`() async throws {
    try await Worlds.with { world in
      #expect(try await world.run(["modemctl", "connect"]).end == .exited(0))
      await world.end(.port)
      try await world.start(.port)
      try await Self.expectResumed(world)
      let shown = try await world.run(["modemctl", "bearer"])
      #expect(shown.output.contains("Kept") && shown.output.contains("resumed"), "\(shown.output)")
    }
  }
}
