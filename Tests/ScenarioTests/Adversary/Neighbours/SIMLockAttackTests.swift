import JSONTree
import ModemAPI
import ModemAPIClient
import ModemModel
import ModemSimulator
import Testing

@testable import ScenarioRunner

/// `daemon` may ask all of org.modemd.Modem by its interface's entry, and `sys` was given UnlockPIN
/// by an entry of its own.
private let lockedSIM = """
  { "sim": { "state": "pinRequired", "pin": "4711" },
    "otherSIMs": [ { "iccid": "8944110000000000028", "imsi": "234150123456789" } ],
    "settings": { "access": { "groups": ["daemon"], "table": {
      "org.modemd.Modem": ["daemon"], "org.modemd.Modem.UnlockPIN": ["sys"] } } } }
  """

/// Members of the group against the SIM: its PIN has three attempts, and another slot is another
/// subscription.
@Suite(
  .serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .world(lockedSIM))
struct SIMLockAttackTests {
  private static let unlock = "org.modemd.Modem.UnlockPIN"
  private static let denied = "org.varlink.service.PermissionDenied"
  private static let last = "org.modemd.Modem.LastAttempt"

  private static func pin(_ digits: String, _ more: String = "") -> String { #"{"pin":"\#(digits)"\#(more)}"# }

  /// The shared world with a fresh SIM that asks for its PIN.
  private static func begin(_ body: (World) async throws -> Void) async throws {
    let world = try SharedWorld.current()
    world.admitMembers()
    world.modem.removeSIM()
    #expect(try await world.eventually { try await state(of: world) == "absent" })
    var sim = SimulatedSIM()
    sim.pin = "4711"
    world.modem.insertSIM(sim)
    #expect(try await world.eventually { try await state(of: world) == "pinRequired" })
    try await body(world)
  }

  private static func state(of world: World) async throws -> String? {
    try await world.client().call(ModemInterface.Get.self, .init()).modem.sim.state.rawValue
  }

  @Test(.attack(by: .neighbour, .broke))
  func `a member tries three wrong PINs`() async throws {
    try await Self.begin { world in
      let got = try await LocalUser.first.call("org.modemd.Modem.Get", in: world)
      #expect(got.isAnswered, "\(got.text)")
      for digits in ["0000", "1111", "2222"] {
        let answer = try await LocalUser.first.call(Self.unlock, Self.pin(digits), in: world)
        #expect(answer.error == Self.denied)
      }
      #expect(world.modem.snapshot.pinAttempts == 3)
    }
  }

  @Test(.attack(by: .neighbour, .broke))
  func `a member has the modem use another SIM`() async throws {
    try await Self.begin { world in
      let slot = world.modem.snapshot.slot
      let answer = try await LocalUser.first.call("org.modemd.Modem.SwitchSlot", #"{"slot":2}"#, in: world)
      #expect(answer.error == Self.denied && world.modem.snapshot.slot == slot)
      // Who was given the one was not given the other.
      let trusted = try await LocalUser.trusted.call("org.modemd.Modem.SwitchSlot", #"{"slot":2}"#, in: world)
      #expect(trusted.error == Self.denied && world.modem.snapshot.slot == slot)
    }
  }

  @Test(.attack(by: .neighbour, .broke))
  func `who may enter PINs makes the last attempt`() async throws {
    try await Self.begin { world in
      for (digits, left) in [("0000", 2), ("1111", 1), ("2222", 1), ("4711", 1)] {
        let answer = try await LocalUser.trusted.call(Self.unlock, Self.pin(digits), in: world)
        #expect(answer.error == (left == 1 && digits != "1111" ? Self.last : "org.modemd.Modem.WrongPIN"))
        #expect(answer.parameters?["retriesLeft"]?.integer == left && world.modem.snapshot.pinAttempts == left)
      }
    }
  }

  @Test(.attack(by: .neighbour, .broke))
  func `who may enter PINs says that it may be the last attempt`() async throws {
    try await Self.begin { world in
      for _ in 0..<3 {
        let answer = try await LocalUser.trusted.call(
          Self.unlock, Self.pin("0000", #","lastAttempt":true"#), in: world)
        #expect(answer.error == Self.denied)
      }
      #expect(world.modem.snapshot.pinAttempts == 3)
    }
  }

  @Test(.attack(by: .neighbour, .broke))
  func `wrong PINs all at once overtake the count of what is left`() async throws {
    try await Self.begin { world in
      let errors = try await withThrowingTaskGroup(of: String?.self, returning: [String?].self) { group in
        for number in 0..<6 {
          group.addTask {
            try await LocalUser.trusted.call(Self.unlock, Self.pin("000\(number)"), in: world).error
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(errors.filter { $0 == "org.modemd.Modem.WrongPIN" }.count == 2)
      #expect(errors.filter { $0 == Self.last }.count == 4, "\(errors)")
      #expect(world.modem.snapshot.pinAttempts == 1)
    }
  }

  @Test(.attack(by: .neighbour, .broke))
  func `attempts are used up so that root's own slip blocks the SIM`() async throws {
    try await Self.begin { world in
      for digits in ["0000", "1111"] { _ = try await LocalUser.trusted.call(Self.unlock, Self.pin(digits), in: world) }
      let slip = try await world.run(["sh", "-c", "echo 4712 | modemctl unlock"])
      #expect(slip.end == .exited(6) && world.modem.snapshot.pinAttempts == 1)
      #expect(slip.error.contains("1 attempt is left") && slip.error.contains("--last-attempt"), "\(slip.error)")
      // Root means it, and is right.
      let meant = try await world.run(["sh", "-c", "echo 4711 | modemctl unlock --last-attempt"])
      #expect(meant.end == .exited(0), "\(meant.error)")
      #expect(world.modem.snapshot.pinAttempts == 3)
    }
  }
}
