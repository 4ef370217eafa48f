import ModemAPI
import ModemAPIClient
import ModemModel
import ModemSimulator
import PortAPI
import Synchronization
import Varlink

/// What became of one fault.
package struct FaultRow: Sendable {
  package let title: String
  package let kind: ModemProtocol
  package let asked: String
  /// What the caller was told.
  package let sight: String
  /// How long after the request the caller was told or, without a request, the first event came.
  package let toldAfter: Duration
  /// What programs that watch were told.
  package let events: [String]
  /// How long after the request, or after the modem's repair, a bearer was up.
  package let worksAfter: Duration
  /// Commands that the modem got in all.
  package let commands: Int
  /// The problems: a wrong answer, or something left behind.
  package let problems: [String]
}

/// Tries faults in a world, one after the other, and checks after each whether anything was left
/// behind.
package final class FaultTrial: Sendable {
  /// The time limits of modemd-port in a trial.
  package static let limits = [
    "query=1", "open=2", "attach=2", "connect=2", "addresses=1", "disconnect=2", "pin=2", "close=2",
  ]

  package let world: World
  private let kind: ModemProtocol
  private let modemID: String
  /// What is held while nothing is requested.
  private let before: Mutex<Remains>

  private init(_ world: World, _ kind: ModemProtocol, modemID: String, before: Remains) {
    (self.world, self.kind, self.modemID) = (world, kind, modemID)
    self.before = Mutex(before)
  }

  /// Starts a world for trials over one protocol.
  /// - Throws: `WorldError`.
  package static func start(_ scenario: Scenario, kind: ModemProtocol, programs: String? = nil) async throws
    -> FaultTrial
  {
    var options = World.Options(kind: kind, programs: programs)
    options.limits = limits
    let world = try await World.start(scenario, options)
    do {
      let id = try await modemID(in: world)
      let trial = FaultTrial(world, kind, modemID: id, before: Remains())
      world.modem.move(after: .zero)
      while await world.portName == "wwan0" { try await Task.sleep(for: .milliseconds(10)) }
      try await trial.warmUp()
      return trial
    } catch {
      await world.stop()
      throw error
    }
  }

  /// Makes everything that is made only once, such as the client that agrees on the link's format,
  /// timers and threads; then records what is held.
  private func warmUp() async throws {
    _ = try await connectAgain()
    _ = try await disconnect()
    world.modem.unplug()
    try await world.plugIn()
    _ = try await connectAgain()
    _ = try await disconnect()
    for _ in 0..<8 { try await refresh() }
    let now = try await world.quiet()
    before.withLock { $0 = now }
  }

  private static func modemID(in world: World) async throws -> String {
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    return try await client.call(BearerInterface.Get.self, .init()).bearer.modem
  }

  /// Tries one fault.
  package func run(_ fault: FaultCase) async throws -> FaultRow {
    let port = await world.process(of: .port)?.id
    let commandsBefore = world.modem.snapshot.commands.values.reduce(0, +)
    if fault.act.wantsBearer { _ = try await connectAgain() }
    let recorder = EventRecorder(world)
    try await recorder.start()
    world.modem.setFaults(fault.faults(kind))
    let asked = ContinuousClock.now
    fault.world(world.modem)
    let sight = try await perform(fault.act, recorder)
    let told = ContinuousClock.now - asked
    let repaired = fault.needsRepair ? ContinuousClock.now : asked
    world.modem.setFaults([])
    fault.repair(world.modem)
    let failure = try await connectAgain(comesBack: fault.comesBack)
    let worksAfter = ContinuousClock.now - repaired
    let commands = world.modem.snapshot.commands.values.reduce(0, +) - commandsBefore
    var problems = failure.map { ["the modem did not work again: \($0)"] } ?? []
    // Before the bearer goes down: a service only learns with its next reply that a watcher has
    // left.
    recorder.stop()
    problems += try await disconnect()
    let isSameProcess = await world.process(of: .port)?.id == port
    // A new process has another number of files, and modemd other connections: `KilledPortTests`
    // counts those over many moves.
    problems += try await world.settle(
      to: before.withLock { $0 }, besides: isSameProcess ? [] : World.Daemon.allCases
    ).map { "left behind: \($0)" }
    if !isSameProcess { try await warmUp() }
    problems += try await identityProblems()
    if !fault.sight(kind).allows(sight) { problems.append("the caller was told: \(sight ?? "nothing wrong")") }
    if let limit = fault.commandLimit, commands > limit { problems.append("\(commands) commands, at most \(limit)") }
    return FaultRow(
      title: fault.title, kind: kind, asked: fault.act.words, sight: sight ?? fault.act.success,
      toldAfter: told, events: recorder.words, worksAfter: worksAfter, commands: commands, problems: problems)
  }

  /// - Returns: what the caller was told; nil when all went well.
  private func perform(_ act: FaultCase.Act, _ recorder: EventRecorder) async throws -> String? {
    switch act {
    case .refresh(let count):
      return await withTaskGroup(of: String?.self) { group in
        for _ in 0..<count { group.addTask { await self.words { try await self.refresh() } } }
        return await group.reduce(nil) { $0 ?? $1 }
      }
    case .refreshUntilEvent:
      var first: String?
      for _ in 0..<20 {
        let next = await words { try await refresh() }
        first = first ?? next
        if next == nil || !recorder.words.isEmpty { break }
      }
      return first
    case .connect: return await words { try await connect() }
    case .disconnect: return await words { try await disconnectOnce() }
    case .reopen:
      world.modem.unplug()
      await recorder.waitForEvent()
      try await world.plugIn()
      return try await connectAgain()
    case .nothing:
      await recorder.waitForEvent()
      return nil
    }
  }

  private func words(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch {
      return world.shortened(faultWords(error))
    }
  }

  private func refresh() async throws {
    let client = try await ModemAPIClient.connect(to: await world.portSocket)
    _ = try await client.call(PortInterface.Refresh.self, .init())
  }

  private func connect() async throws {
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    _ = try await client.call(BearerInterface.Connect.self, .init())
  }

  private func disconnectOnce() async throws {
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    _ = try await client.call(BearerInterface.Disconnect.self, .init())
  }

  /// Requests the bearer until it is up, like a program.
  /// - Parameter comesBack: whether an unplugged modem comes back by itself.
  /// - Returns: the last error if it is not up after a minute.
  private func connectAgain(comesBack: Bool = false) async throws -> String? {
    let deadline = ContinuousClock.now + .seconds(60)
    var last: String?
    while ContinuousClock.now < deadline {
      if !comesBack, world.modem.snapshot.path == nil { try await world.plugIn() }
      last = await words { try await connect() }
      if last == nil { return nil }
      try await Task.sleep(for: .milliseconds(20))
    }
    return last
  }

  private func disconnect() async throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(20)
    var last: String?
    while ContinuousClock.now < deadline {
      last = await words { try await disconnectOnce() }
      if last == nil { return [] }
      try await Task.sleep(for: .milliseconds(20))
    }
    return ["the bearer could not be taken down: \(last ?? "")"]
  }

  /// The same modem, and only one entry for it.
  private func identityProblems() async throws -> [String] {
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    let modems = try await client.call(ModemInterface.List.self, .init()).modems
    return modems.map(\.id) == [modemID] ? [] : ["modemd shows \(modems.map(\.id)) in place of \(modemID)"]
  }
}

extension FaultCase {
  /// Whether the fault lasts until something is repaired.
  fileprivate var needsRepair: Bool {
    if case .refreshUntilEvent = act { true } else { false }
  }
}

extension FaultCase.Act {
  var wantsBearer: Bool {
    switch self {
    case .disconnect, .nothing(bearerIsUp: true): true
    case .refresh, .refreshUntilEvent, .connect, .reopen, .nothing: false
    }
  }

  var words: String {
    switch self {
    case .refresh(1): "refresh"
    case .refresh(let count): "refresh, \(count) at once"
    case .refreshUntilEvent: "refresh, again and again"
    case .connect: "connect"
    case .disconnect: "disconnect"
    case .reopen: "open the port, connect"
    case .nothing(let bearerIsUp): bearerIsUp ? "nothing; the bearer is up" : "nothing"
    }
  }

  /// What the caller sees when all goes well.
  fileprivate var success: String {
    if case .nothing = self { "" } else { "it works" }
  }
}

extension FaultCase.Sight {
  func allows(_ sight: String?) -> Bool {
    switch self {
    case .any: true
    case .works: sight == nil
    case .error(let words): sight.map { text in words.contains { text.contains($0) } } ?? false
    }
  }
}

/// An error of the interfaces in words.
package func faultWords(_ error: any Error) -> String {
  guard let error = error as? VarlinkError else { return "\(error)" }
  let name = error.name.split(separator: ".").last.map(String.init) ?? error.name
  if let refused = error.parameters(as: BearerInterface.Refused.self) {
    return "\(name) \(refused.code.map { "\($0): " } ?? "")\(refused.text)"
  }
  let text = ["cause", "text", "hint"].lazy.compactMap { error.field($0) }.first
  return text.map { "\(name): \($0)" } ?? name
}
