import Glibc
import Testing

@testable import ScenarioRunner

/// Examples/fleet-worker with a real machine: the asker's number is verified over the SIM's bearer.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed && FleetWorld.isReady, Worlds.reason))
struct FleetWorkerWorldTests {
  private static let folder = "\(Worlds.repository)/Examples/fleet-worker"

  @Test func `a worker verifies a number through the machine that has its SIM, and no other number`() async throws {
    try await FleetWorld.run { fleet in
      let key = "\(fleet.folder)/fleet.key"
      try fleet.world.folder.write("0123456789abcdef0123456789abcdef\n", to: "fleet/fleet.key", mode: 0o600)
      try fleet.write(
        requesters: #"{ "worker-1": ["verify.number"] }"#, #", "numbers": "hashed", "fleetKey": "\#(key)""#)
      let agent = try await fleet.start()

      func program(_ name: String, as client: String, _ more: [String]) throws -> [String] {
        let own = try fleet.broker.credentials(client)
        return [
          "/usr/bin/python3", "-B", "-u", "\(Self.folder)/\(name)", "--broker",
          "\(fleet.broker.host):\(fleet.broker.officePort)", "--name", client, "--authorities", own.authorities,
          "--certificate", own.certificate, "--key", own.key,
        ] + more
      }
      let worker = try await fleet.world.begin(
        try program("fleet_worker.py", as: "worker-1", ["--fleet-key", key]))
      #expect(
        try await fleet.world.eventually { worker.process.end != nil || worker.error().contains("ready\n") },
        "\(worker.error())")

      // The machine reads the SIM's number in its own time.
      var answer = ""
      let isVerified = try await fleet.world.eventually {
        let ask = try program("fleet_ask.py", as: "shop", ["--progress", FleetWorld.own])
        answer = try await fleet.world.run(ask).output
        return answer.hasSuffix("5678 verified \(FleetWorld.machine)\n")
      }
      #expect(isVerified && answer.contains("5678 step: "), "\(answer)\n\(worker.error())")
      let other = try await fleet.world.run(try program("fleet_ask.py", as: "shop", [FleetWorld.neighbour]))
      #expect(other.output.hasPrefix("5502 noMachine ") && other.end == .exited(1), "\(other.output)\(other.error)")

      // The number's way: to the machine that has it, and nowhere else.
      let told = fleet.watcher.output().split(separator: "\n").filter { $0.contains(FleetWorld.own) }
      #expect(told.allSatisfy { $0.hasPrefix("modemd/1/\(FleetWorld.machine)/command/worker-1/verify.number\t") })
      #expect(!fleet.watcher.output().contains(FleetWorld.neighbour))
      #expect(!worker.error().contains("4915"))

      worker.process.send(SIGTERM)
      #expect(await worker.process.waitForEnd() == .exited(0), "\(worker.error())")
      await fleet.stop(agent)
    }
  }
}
