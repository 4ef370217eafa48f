import Glibc
import ModemAPI
import ModemAPIClient
import PortAPI
import Testing

@testable import ScenarioRunner

/// What the daemons leave behind for others to find: names, files, memory.
@Suite(
  .serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason), .world("{}"))
struct LeftoverAttackTests {
  /// What ids were made of before: FNV-1a of the IMEI, 64 bits, folded to 32.
  private static func oldName(_ imei: [UInt8]) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in imei { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// The check digit of an IMEI (3GPP TS 23.003, annex B).
  private static func luhn(_ digits: [UInt8]) -> UInt8 {
    let sum = digits.enumerated().reduce(0) { sum, digit in
      let value = Int(digit.element - 0x30) * (digit.offset % 2 == 1 ? 2 : 1)
      return sum + value / 10 + value % 10
    }
    return UInt8((10 - sum % 10) % 10) + 0x30
  }

  private static func modem(_ world: World) async throws -> ModemInterface.Modem {
    try await world.client().call(ModemInterface.Get.self, .init()).modem
  }

  @Test(.attack(by: .otherUser, .broke))
  func `all IMEIs of a model are tried until one has the modem's id`() async throws {
    let world = try SharedWorld.current()
    let modem = try await Self.modem(world)
    let imei = Array(try #require(modem.imei).utf8)
    let id = modem.id.dropFirst("modem-".count)
    #expect(id.count == 16 && id.allSatisfy(\.isHexDigit))
    // Fifty thousand serial numbers on both sides of the right one; the right one is among them, or
    // the search would prove nothing.
    let serial = Int(String(decoding: imei[8..<14], as: UTF8.self)) ?? 0
    let wanted = [UInt32(id.prefix(8), radix: 16), UInt32(id.suffix(8), radix: 16)]
    var isAmong = false
    for number in max(serial - 50_000, 0)...min(serial + 50_000, 999_999) {
      let digits = Array("\(number)".utf8)
      var candidate = Array(imei[..<8])
      candidate += [UInt8](repeating: 0x30, count: 6 - digits.count)
      candidate += digits
      candidate.append(Self.luhn(candidate))
      isAmong = isAmong || candidate == imei
      if wanted.contains(Self.oldName(candidate)) { #expect(candidate != imei, "the id tells the IMEI") }
    }
    #expect(isAmong)
  }

  @Test(.attack(by: .otherUser, .held))
  func `the key of the ids is read by another user`() async throws {
    let world = try SharedWorld.current()
    world.admitMembers()
    let key = world.folder.file("id-key")
    for user in [LocalUser.first, .stranger] {
      let run = try await world.run(user.words + ["cat", key])
      #expect(run.end == .exited(1) && run.output.isEmpty && run.error.contains("ermission denied"), "\(run.error)")
    }
    var status = stat()
    stat(key, &status)
    #expect(status.st_mode & 0o777 == 0o600 && status.st_size == 32)
  }

  @Test func `a port that starts again calls the modem the same`() async throws {
    let world = try SharedWorld.current()
    let id = try await Self.modem(world).id
    await world.end(.port)
    try await world.start(.port)
    // Of the port itself: modemd may still tell what the one before it said.
    var state: PortInterface.State?
    let isRead = try await world.eventually {
      let port = try await ModemAPIClient.connect(to: world.folder.file("ports/wwan0"))
      state = try await port.call(PortInterface.GetState.self, .init()).state
      return state?.imei != nil
    }
    #expect(isRead && state?.id == id)
  }

  /// Starts a modemd of an unprivileged user, with limits that allow a core, until `body` ends.
  private static func withService(
    of user: LocalUser, _ world: World, _ body: (pid_t) async throws -> Void
  ) async throws {
    let folder = world.folder.file("service-\(user.userID)")
    mkdir(folder, 0o700)
    chown(folder, user.userID, user.userID)
    world.admitMembers()
    let service = try await world.begin(
      ["sh", "-c", #"ulimit -c unlimited; exec "$@""#, "sh"] + user.words
        + [
          "\(world.options.programs)/modemd", "--socket", "\(folder)/socket", "--ports", folder, "--state-directory",
          folder,
        ])
    let isServed = try await world.eventually { UnixSocket.isServed("\(folder)/socket") || service.process.end != nil }
    #expect(isServed && service.process.end == nil, "\(service.error())")
    try await body(service.process.id)
    await service.process.stop()
  }

  private static let mayRun: @Sendable () async throws -> Bool = {
    try await Scratch.run(LocalUser.first.words + ["test", "-x", Programs.folder + "/modemd"])
  }

  @Test(
    .attack(by: .otherUser, .broke),
    .enabled("the build products are kept from all but root", LeftoverAttackTests.mayRun))
  func `a program of modemd's own user reads its memory and its environment`() async throws {
    let world = try SharedWorld.current()
    try await Self.withService(of: .first, world) { id in
      for file in ["mem", "environ", "maps", "fd/0", "auxv"] {
        let run = try await world.run(LocalUser.first.words + ["head", "-c", "1", "/proc/\(id)/\(file)"])
        #expect(
          run.end == .exited(1) && run.output.isEmpty && run.error.contains("ermission denied"), "\(file): \(run.error)"
        )
      }
    }
  }

  @Test(
    .attack(by: .otherUser, .broke),
    .enabled("the build products are kept from all but root", LeftoverAttackTests.mayRun))
  func `a crash leaves modemd's memory in a file`() async throws {
    let world = try SharedWorld.current()
    try await Self.withService(of: .second, world) { id in
      let limits = try #require(Worlds.contents(of: "/proc/\(id)/limits"))
      let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
      #expect(line.split(separator: " ").filter { $0 == "0" }.count == 2, "\(line)")
      // Of a process that may be dumped they are its own user's.
      var status = stat()
      let isThere = stat("/proc/\(id)/environ", &status) == 0
      #expect(isThere && status.st_uid == 0)
    }
  }
}
