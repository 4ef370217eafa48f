import ModemAPI
import ModemAPIClient
import TS43API
import Testing

@testable import ScenarioRunner

/// What goes wrong at an entitlement server, as a table: what the caller is told, and how often the
/// SIM is asked.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct TS43FaultWorldTests {
  typealias Result = VerifyInterface.Outcome.Result

  enum Question { case verify, number, token }

  struct Row: CustomStringConvertible {
    /// A list of faults, in JSON.
    var faults: String
    var result: Result
    var code: String?
    var retryAfter: Int?
    /// Answers of the SIM.
    var challenges = 0
    var question = Question.number

    init(
      _ faults: String, _ result: Result, _ code: String? = nil, retryAfter: Int? = nil, challenges: Int = 0,
      asking question: Question = .number
    ) {
      self.faults = "[\(faults)]"
      (self.result, self.code, self.retryAfter) = (result, code, retryAfter)
      (self.challenges, self.question) = (challenges, question)
    }

    var description: String { "\(faults) \(question)" }
  }

  private static func fault(_ word: String, _ more: String = "") -> String {
    #"{"fault":"\#(word)"\#(more.isEmpty ? "" : ",\(more)")}"#
  }

  private static func status(_ status: Int, _ more: String = "", at place: String = "login") -> String {
    fault("httpStatus", #""status":\#(status),"at":"\#(place)"\#(more.isEmpty ? "" : ",\(more)")"#)
  }

  /// Logins without a TOKEN, none of which comes to one.
  static let logins: [Row] = [
    Row(status(400), .badRequest), Row(status(401), .clientRefused),
    Row(status(403, #""text":"Unknown subscriber""#), .subscriberUnknown),
    Row(status(403, #""text":"Not match Client Authentication Config.""#), .clientRefused),
    Row(status(404), .operatorUnsupported), Row(status(405), .operatorUnsupported),
    Row(status(406), .operatorUnsupported, "version"),
    Row(status(429, #""retryAfter":60"#), .rateLimited, retryAfter: 60),
    Row(status(500), .operatorError), Row(status(501), .operatorUnsupported),
    Row(status(503, #""retryAfter":30"#), .operatorError, retryAfter: 30), Row(status(511), .operatorUnsupported),
    Row(status(418), .badAnswer),
    Row(status(500, at: "relay"), .operatorError, challenges: 1),
    Row(status(511, at: "relay"), .operatorUnsupported, challenges: 1),
    Row(fault("redirect"), .redirectError),
    Row(fault("redirect", #""text":"http://login.entitlement.example/""#), .redirectError),
    Row(
      fault("redirect", #""text":"https://login.entitlement.example/authorize?response_type=code&client_id=x""#),
      .interactionRequired),
    Row(fault("page"), .interactionRequired), Row(fault("hangUp"), .providerUnavailable),
    Row(fault("notBase64"), .badAnswer), Row(fault("notJSON"), .badAnswer), Row(fault("noPacket"), .badAnswer),
    Row(fault("giantPacket"), .badAnswer),
    Row(fault("failure"), .operatorError, "eapFailure"), Row(fault("success"), .operatorError, "refused"),
    Row(fault("unknownAttribute"), .operatorError, "refused"), Row(fault("wrongLength"), .operatorError, "refused"),
    Row(fault("cutPacket"), .operatorError, "refused"), Row(fault("emptyAttribute"), .operatorError, "refused"),
    Row(fault("twoChallenges"), .operatorError, "refused"), Row(fault("noChallenge"), .operatorError, "refused"),
    Row(fault("noMAC"), .operatorError, "refused"), Row(fault("otherMethod"), .operatorError, "refused"),
    Row(fault("endlessIdentities"), .operatorError, "refused"),
    Row(fault("noCookie"), .operatorError, "eapFailure", challenges: 1),
    Row(fault("wrongMAC"), .operatorError, "refused", challenges: 1),
    Row(fault("wrongAUTN"), .noSIMAnswer, "rejected", challenges: 1),
    Row(fault("endlessChallenges"), .operatorError, "refused", challenges: 1),
    Row(fault("malformedXML"), .badAnswer, "malformed", challenges: 1),
    Row(fault("dropToken"), .badAnswer, "noToken", challenges: 1),
    Row(fault("emptyBody"), .badAnswer, "empty", challenges: 1),
  ]

  /// Questions with a TOKEN.
  static let questions: [Row] = [
    Row(status(500, at: "token"), .operatorError),
    Row(status(503, #""retryAfter":5"#, at: "token"), .operatorError, retryAfter: 5),
    Row(fault("page"), .interactionRequired), Row(fault("malformedXML"), .badAnswer, "malformed"),
    Row(fault("truncatedXML"), .badAnswer), Row(fault("emptyBody"), .badAnswer, "empty"),
    Row(fault("doctype"), .badAnswer), Row(fault("entities"), .badAnswer),
    Row(fault("deepDocument"), .badAnswer, "tooLarge"),
    Row(fault("giantDocument"), .badAnswer, "tooLarge"), Row(fault("wrongContentType"), .numberRead),
    Row(fault("dropToken"), .numberRead), Row(fault("encodedNumber"), .numberRead),
    Row(fault("delay", #""milliseconds":300"#), .numberRead),
    Row(fault("otherNumber", #""text":"015112345678""#), .badAnswer),
    Row(fault("otherNumber", #""text":"nobody""#), .badAnswer),
    Row(fault("otherNumber", #""text":"\#(TS43World.neighbour)""#), .notVerified, asking: .verify),
    Row(fault("noAnswer"), .badAnswer), Row(fault("noAnswer"), .badAnswer, asking: .verify),
    Row(fault("noAnswer"), .badAnswer, asking: .token),
    Row(fault("verification", #""text":"2""#), .badAnswer, asking: .verify),
    Row(fault("verification", #""text":"0""#), .notVerified, asking: .verify),
    Row(fault("operationResult", #""code":100"#), .operatorError, "100"),
    Row(fault("operationResult", #""code":101"#), .operatorUnsupported, "101"),
    Row(fault("operationResult", #""code":102"#), .badRequest, "102"),
    Row(fault("operationResult", #""code":103"#), .operatorUnsupported, "103"),
    Row(fault("operationResult", #""code":104"#), .operatorError, "104"),
    Row(fault("operationResult", #""code":104"#), .notVerified, "104", asking: .verify),
    Row(fault("temporaryToken"), .badAnswer, asking: .token),
    Row(fault("expiry", #""text":"2001-01-01T00:00:00Z""#), .expired, asking: .token),
    Row(fault("expiry", #""text":"soon""#), .authorized, asking: .token),
    Row(fault("forgetToken", #""times":1"#), .numberRead, challenges: 1),
    Row(
      fault("forgetToken", #""times":1,"milliseconds":2"#) + "," + fault("sequenceBehind"), .numberRead, challenges: 2),
    Row(fault("forgetToken", #""times":1,"milliseconds":3"#) + "," + fault("detour"), .numberRead, challenges: 1),
    Row(
      fault("forgetToken", #""times":1,"milliseconds":4"#) + "," + fault("skippableAttribute"), .numberRead,
      challenges: 1),
    // The last: no token is left behind it.
    Row(fault("forgetToken"), .operatorUnsupported, challenges: 1),
  ]

  @Test func `there are more than thirty`() { #expect(Self.logins.count + Self.questions.count > 60) }

  @Test func `each fault of a login is told as what it is`() async throws {
    try await walk(Self.logins, TS43World.scenario())
  }

  @Test func `each fault of a question is told as what it is`() async throws {
    try await walk(Self.questions, TS43World.scenario(#", "rotatesTokens": false"#), beginsWithToken: true)
  }

  private func walk(_ rows: [Row], _ scenario: String, beginsWithToken: Bool = false) async throws {
    try await Worlds.with(scenario) { world in
      var left = TS43World.challengesPerMinute
      if beginsWithToken {
        #expect(try await TS43World.number(in: world).outcome?.result == .numberRead)
        left -= 1
      }
      for row in rows {
        if max(row.challenges, 1) > left {
          try await TS43World.forgetChallenges(world)
          left = TS43World.challengesPerMinute
        }
        let before = world.modem.snapshot.challenges
        _ = try await world.perform("tell ts43.faults \(row.faults)")
        let (outcome, words) = try await Self.ask(row.question, world)
        #expect(outcome?.result == row.result, "\(row): \(words)")
        if let code = row.code { #expect(outcome?.code == code, "\(row): \(words)") }
        #expect(outcome?.retryAfterMilliseconds == row.retryAfter.map { $0 * 1000 }, "\(row): \(words)")
        #expect(outcome?.result == .numberRead || outcome?.text.contains(where: \.isLetter) == true)
        let asked = world.modem.snapshot.challenges - before
        #expect(asked == row.challenges, "\(row): \(words)")
        left -= asked
      }
      #expect(world.modem.snapshot.openChannels.isEmpty)
      #expect(try await TS43World.bearerPackets(world) == TS43World.noPackets)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
      _ = try await world.perform("tell ts43.faults")
      try await TS43World.forgetChallenges(world)
      let well = try await TS43World.verify(in: world)
      #expect(well.outcome?.result == .verified, "behind all that: \(well.words)")
    }
  }

  private static func ask(_ question: Question, _ world: World) async throws -> (VerifyInterface.Outcome?, String) {
    switch question {
    case .verify:
      let flow = try await TS43World.verify(in: world)
      return (flow.outcome, flow.words)
    case .number:
      let flow = try await TS43World.number(in: world)
      #expect((flow.reply?.number != nil) == (flow.outcome?.result == .numberRead))
      return (flow.outcome, flow.words)
    case .token:
      let flow = try await TS43World.token(.verify, in: world)
      #expect((flow.reply?.token != nil) == (flow.outcome?.result == .authorized))
      return (flow.outcome, flow.words)
    }
  }
}
