import BrokerTestSupport
import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// A world whose machine is in a fleet: a real mosquitto on the machine, modemd-fleet, and somebody
/// at a desk of the office, who sees everything that the broker lets the office see.
struct FleetWorld {
  static let machine = "kiosk-0042"
  /// The number of the SIM, and another subscriber's.
  static let own = "+4915112345678"
  static let neighbour = "+4915155555502"
  static let isReady = ["mosquitto", "mosquitto_sub", "mosquitto_pub"].allSatisfy { name in
    ["/usr/sbin", "/usr/bin"].contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  private static let scenario = """
    { "providers": [ { "kind": "truID", "client": { "id": "c1ient", "secret": "s3cret-of-truid" } } ],
      "subscribers": [
        { "number": "\(own)", "simChangedMinutesAgo": 20000 }, { "number": "\(neighbour)" } ],
      "modemdProviders": { "truid": {
        "kind": "truID", "networks": ["262"], "api": "https://eu.api.truid.example", "clientID": "c1ient",
        "route": "bearer", "version": "v0.2" } },
      "modemdCredentials": { "truid.client-secret": "s3cret-of-truid" } MORE }
    """

  let world: World
  let broker: Broker
  let desk: Credentials
  let watcher: RunningCommand
  var folder: String { world.folder.file("fleet") }
  var settingsPath: String { "\(folder)/fleet.json" }
  var controlPath: String { "\(folder)/control" }

  /// A message as the desk sees it.
  struct Message {
    let topic: String
    let correlation: String
    let body: JSONValue?
    let text: String
  }

  /// Runs `body` in a fresh world, and looks whether anything that belongs to nobody was told.
  ///
  /// - Parameter more: more members of the scenario.
  static func run(_ more: String = "", _ body: (FleetWorld) async throws -> Void) async throws {
    try await Worlds.with(scenario.replacing("MORE", with: more)) { world in
      // Its network namespace outlives every daemon's end.
      let anchor = try await world.begin(["sleep", "600"])
      var options = Broker.Options()
      options.prefix = ["nsenter", "--net=/proc/\(anchor.process.id)/ns/net"]
      let broker = try Broker(options)
      let desk = try broker.credentials("desk")
      let watcher = try await world.begin(
        ["stdbuf", "-oL", "mosquitto_sub", "-V", "5", "-h", broker.host, "-p", "\(broker.officePort)"]
          + tls(desk) + ["-q", "1", "-t", "modemd/1/#", "-F", "%t\\t%D\\t%p"])
      let fleet = FleetWorld(world: world, broker: broker, desk: desk, watcher: watcher)
      mkdir(fleet.folder, 0o700)
      mkdir("\(fleet.folder)/state", 0o700)
      try fleet.write(requesters: allowed)
      try await body(fleet)
      // What went over the broker, and what the daemon logged.
      let texts = [
        CollectedText(name: "the broker's messages", text: watcher.output()),
        CollectedText(name: "the broker's log", text: broker.log),
      ]
      #expect(!watcher.output().isEmpty)
      for text in texts { #expect(world.secretSearch.findings(in: text) == []) }
    }
  }

  static let allowed = """
    { "desk": ["modem.list", "modem.get", "bearer.get", "bearer.connect", "bearer.disconnect", "check.prepare",
        "check.open", "verify.number", "metrics.get", "diagnostics.get", "service.reload"] }
    """

  private static func tls(_ credentials: Credentials) -> [String] {
    ["--cafile", credentials.authorities, "--cert", credentials.certificate, "--key", credentials.key]
  }

  /// Writes modemd-fleet's settings.
  func write(requesters: String, _ more: String = "") throws {
    let own = try broker.credentials(Self.machine, file: "machine-\(UInt32.random(in: 0 ... .max))")
    try world.folder.write(
      """
      { "broker": { "host": "\(broker.host)", "port": \(broker.machinesPort) }, "machine": "\(Self.machine)",
        "authorities": "\(own.authorities)", "certificate": "\(own.certificate)", "key": "\(own.key)", "fleetSize": 1,
        "commands": { "requesters": \(requesters), "open": { "hosts": ["check.aggregator.example"] },
          "atOnce": 8, "aMinute": 600 } \(more) }
      """, to: "fleet/fleet.json", mode: 0o600)
  }

  /// Starts modemd-fleet, and waits until the broker has it.
  func start() async throws -> RunningCommand {
    let births = messages("status").count
    let agent = try await world.begin([
      "modemd-fleet", "--configuration", settingsPath, "--socket", world.folder.socket, "--metrics",
      world.folder.file("metrics"), "--control", controlPath, "--state-directory", "\(folder)/state",
    ])
    #expect(
      try await world.eventually {
        agent.process.end != nil
          || messages("status").dropFirst(births).contains { $0.body?["state"]?.string == "online" }
      }, "\(agent.error())\n\(broker.log.suffix(2000))")
    #expect(agent.process.end == nil, "\(agent.error())")
    return agent
  }

  /// Ends modemd-fleet, which must have nothing secret in its log.
  func stop(_ agent: RunningCommand) async {
    agent.process.send(SIGTERM)
    #expect(await agent.process.waitForEnd() == .exited(0), "\(agent.error())")
    #expect(world.secretSearch.findings(in: CollectedText(name: "modemd-fleet", text: agent.error())) == [])
  }

  /// What the desk has seen on a topic of the machine so far; below it, with a slash at the end.
  func messages(_ rest: String) -> [Message] {
    let place = "modemd/1/\(Self.machine)/\(rest)"
    return watcher.output().split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, parts[0] == place || (place.hasSuffix("/") && parts[0].hasPrefix(place)) else {
        return nil
      }
      return Message(
        topic: parts[0], correlation: parts[1], body: JSONValue(parsing: Array(parts[2].utf8)), text: parts[2])
    }
  }

  /// Sends a command as the desk.
  ///
  /// - Returns: the correlation data.
  func send(
    _ command: String, _ payload: String = "{}", as requester: String = "desk", correlation: String? = nil,
    expiry: Int? = 60, machine: String = machine, _ more: [String] = []
  ) async throws -> String {
    let correlation = correlation ?? "correlation-\(UInt64.random(in: 0 ... .max))-0000000000000000"
    let credentials = requester == "desk" ? desk : try broker.credentials(requester)
    let sent = try await world.run(
      ["mosquitto_pub", "-V", "5", "-h", broker.host, "-p", "\(broker.officePort)"] + Self.tls(credentials)
        + ["-q", "1", "-t", "modemd/1/\(machine)/command/\(requester)/\(command)", "-m", payload]
        + ["-D", "publish", "correlation-data", correlation]
        + (expiry.map { ["-D", "publish", "message-expiry-interval", "\($0)"] } ?? []) + more)
    #expect(sent.end == .exited(0), "\(sent.error)")
    return correlation
  }

  /// The replies to a command so far.
  func replies(_ correlation: String) -> [Message] {
    messages("reply/desk").filter { $0.correlation == correlation }
  }

  /// Sends a command and waits for its last reply.
  func ask(_ command: String, _ payload: String = "{}") async throws -> Message {
    let correlation = try await send(command, payload)
    return try await end(of: correlation, command)
  }

  /// Waits for the last reply to a command.
  func end(of correlation: String, _ name: String) async throws -> Message {
    var last: Message?
    #expect(
      try await world.eventually {
        last = replies(correlation).first { ["outcome", "error"].contains($0.body?["event"]?.string) }
        return last != nil
      }, "\(name) has no end: \(replies(correlation).map(\.text)) \(messages("audit").map(\.text))")
    return try #require(last)
  }

  /// The last word of a topic.
  func last(_ rest: String) -> JSONValue? { messages(rest).last?.body }
}
