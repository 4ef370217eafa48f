// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import MIRACLFlows
import MIRACLTestSupport
import MPin
import ModemModel
import RedirectChain
import Synchronization

/// MIRACL: registrations on platforms of both generations, logins, a code for another device, and
/// signatures. What the platform answers is recorded once from one with real arithmetic.
extension RecordedFlow {
  private static let user = try! MIRACLUser(text: "u@shop.example")
  private static let link = "https://mcl.mpin.example/mobile-login/#\(MIRACLPlatform.accessID)"

  private static func settings(_ change: (inout MIRACLSettings) -> Void = { _ in }) -> MIRACLSettings {
    var settings = MIRACLSettings(api: try! Endpoint("https://api.mpin.example"), project: MIRACLPlatform.project)
    settings.trustedDomains = ["mpin.example"]
    change(&settings)
    return settings
  }

  private struct Recording: Sendable {
    var platform = MIRACLPlatform()
    var answers: [String: [RecordedAnswer]] = [:]
    var codes: [String]
    /// What the platform answers otherwise, by step.
    var changes: [String: @Sendable (RecordedAnswer) -> RecordedAnswer] = [:]
  }

  private typealias Ask = @Sendable (MIRACLFlow, FlowRun) async throws -> FlowOutcome

  /// Walks a flow on a platform, and keeps what that answered.
  private static func record(
    _ flow: (RandomSource) -> MIRACLFlow, _ recording: Recording, _ ask: Ask
  ) async -> Recording {
    let state = RecordingState(recording)
    let lanes = FlowLanes(
      open: { _, _ in BearerReply(.failed(ChainFailure(.noModem, "there is no modem"))) },
      send: { call in
        .success(
          state.contents.withLock { contents in
            let plain = RecordedAnswer(contents.platform.answer(call))
            let answer = contents.changes[call.step]?(plain) ?? plain
            contents.answers[call.step, default: []].append(answer)
            return answer.backendReply
          })
      },
      askForCode: { _ in
        state.contents.withLock { contents in
          guard !contents.codes.isEmpty else { return .failure(CodeFailure(.late, "nobody gave it in time")) }
          return .success(Secret(contents.codes.removeFirst()))
        }
      })
    let random = RandomSource { buffer throws(MPinError) in
      buffer.copyBytes(from: state.contents.withLock { $0.platform.draws.next() })
    }
    let run = FlowRun(FlowDriver(lanes, now: { RecordedFlowStage.start })) { _ in }
    _ = try? await ask(flow(random), run)
    return state.contents.withLock { $0 }
  }

  private final class RecordingState: Sendable {
    let contents: Mutex<Recording>
    init(_ recording: Recording) { contents = Mutex(recording) }
  }

  /// The numbers that a client is given to draw, from the first.
  private static func draws() -> RandomSource {
    let draws = Draws()
    return RandomSource { buffer throws(MPinError) in buffer.copyBytes(from: draws.next()) }
  }

  private final class Draws: Sendable {
    private let draws = Mutex(MIRACLPlatform().draws)
    func next() -> [UInt8] { draws.withLock { $0.next() } }
  }

  private static func recorded(
    _ name: String, _ result: FlowResult, _ settings: MIRACLSettings, _ known: (MIRACLIdentity, MIRACLPlatform)? = nil,
    codes: [String], changes: [String: @Sendable (RecordedAnswer) -> RecordedAnswer] = [:], deciding: String? = nil,
    _ ask: @escaping Ask
  ) async -> RecordedFlow {
    let store = { @Sendable () async -> MemoryIdentities in
      let store = MemoryIdentities()
      if let known { _ = try? await store.keep(known.0, over: nil) }
      return store
    }
    let first = await store()
    let recording = await record(
      { MIRACLFlow(settings, first, randomness: $0) },
      Recording(platform: known?.1 ?? MIRACLPlatform(), codes: codes, changes: changes), ask)
    var made = RecordedFlow("MIRACL, \(name)", result, recording.answers) { run in
      try await ask(MIRACLFlow(settings, await store(), randomness: draws()), run)
    }
    made.codes = codes
    made.secrets = ["1234", "u@shop", "activation-1", "quick-1"]
    if let deciding {
      made.allows = { given in
        given[deciding].map { $0.failure == nil && (200...299).contains($0.status) } ?? false
      }
    }
    return made
  }

  /// A registered user, on the platform that knows them.
  private static func registered() async -> (MIRACLIdentity, MIRACLPlatform)? {
    let store = MemoryIdentities()
    let settings = settings()
    let recording = await record(
      { MIRACLFlow(settings, store, randomness: $0) }, Recording(codes: ["right", "1234"])
    ) { flow, run in try await flow.register(MIRACLRegistration(user, canAsk: true), run).outcome }
    let name = try? await store.list().whole.first
    return name.map { ($0, recording.platform) }
  }

  package static func miracl() async -> [RecordedFlow] {
    guard let known = await registered() else { return [] }
    let shop = settings()
    let website = try! MIRACLFlow(shop, MemoryIdentities()).link(link)
    let landing = settings { $0.asksLanding = true }
    let register: Ask = { flow, run in try await flow.register(MIRACLRegistration(user, canAsk: true), run).outcome }
    let wanted: @Sendable (RecordedAnswer) -> RecordedAnswer = { answer in
      guard case .object(var members)? = JSONValue(parsing: answer.body) else { return answer }
      members["hash"] = .string(MIRACLPlatform.hash)
      return RecordedAnswer(answer.status, JSONValue.object(members).text)
    }
    var flows = [
      await recorded(
        "a registration by mail", .registered, shop, codes: ["right", "1234"], deciding: "register", register),
      await recorded(
        "a registration on an older platform", .registered, settings { $0.generation = .rps },
        codes: ["right", "1234"], register),
      await recorded("a session behind a landing page", .covered, landing, codes: []) { flow, run in
        try await flow.session(website, run).outcome
      },
      await recorded("a website's login", .signedIn, shop, known, codes: ["1234"], deciding: "authenticate") {
        flow, run in
        try await flow.logIn(MIRACLLogin(link: website, canAsk: true), run).outcome
      },
      await recorded("a login", .signedIn, shop, known, codes: ["1234"], deciding: "authenticate") { flow, run in
        try await flow.logIn(MIRACLLogin(canAsk: true), run).outcome
      },
      await recorded("a login with a wrong PIN", .pinWrong, shop, known, codes: ["4321"], deciding: "authenticate") {
        flow, run in
        try await flow.logIn(MIRACLLogin(canAsk: true), run).outcome
      },
      await recorded("a code for another device", .authorized, shop, known, codes: ["1234"], deciding: "authenticate") {
        flow, run in
        try await flow.quickCode(of: nil, canAsk: true, run).outcome
      },
      await recorded("an older signing session", .signed, shop, known, codes: ["1234"]) { flow, run in
        try await flow.sign(.session(Secret("session-1")), canAsk: true, run).outcome
      },
    ]
    flows.append(
      await recorded(
        "a website's document", .signed, shop, known, codes: ["1234"], changes: ["sessionDetails": wanted]
      ) { flow, run in try await flow.sign(.link(website), canAsk: true, run).outcome })
    return flows
  }
}
