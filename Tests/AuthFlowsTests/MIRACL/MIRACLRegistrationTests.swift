import AuthCore
import AuthFlows
import JSONTree
import MIRACLTestSupport
import MPin
import Testing
import MIRACLFlows

@Suite("Registration at MIRACL")
struct MIRACLRegistrationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var settings = MIRACLSettings.shop
    var changes: [MIRACLStage.Change] = []
    var right = "activation-1"
    var pin: String? = "1234"
    var result: FlowResult = .registered
    var code: String?
    var steps = ["register", "secretShare1", "secretShare2", "choosePIN"]
    var testDescription: String { name }
  }

  private static func bad(
    _ name: String, _ change: MIRACLStage.Change, _ result: FlowResult, code: String? = nil,
    settings: MIRACLSettings = .shop, steps: [String]
  ) -> Row { Row(name: name, settings: settings, changes: [change], result: result, code: code, steps: steps) }

  private static let one = ["register"]
  private static let two = ["register", "secretShare1"]
  private static let three = ["register", "secretShare1", "secretShare2"]
  private static let evil = JSONValue.array([
    .string("https://api.mpin.example/share/1/x"), .string("https://evil.example/share/2/x"),
  ])

  static let newer: [Row] = [
    Row(name: "an identity is made"),
    bad(
      "another project", .member("register", "projectId", .string("x")), .stateMismatch, code: "projectId", steps: one),
    bad("no project", .member("register", "projectId", nil), .badAnswer, steps: one),
    bad("another curve", .member("register", "curve", .string("BLS381")), .badAnswer, code: "curve", steps: one),
    bad("no curve", .member("register", "curve", nil), .badAnswer, steps: one),
    bad("no id", .member("register", "mpinId", nil), .badAnswer, steps: one),
    bad("an id that is not hexadecimal", .member("register", "mpinId", .string("zz")), .badAnswer, steps: one),
    bad("no dtas", .member("register", "dtas", nil), .badAnswer, steps: one),
    bad("no shares", .member("register", "secretUrls", nil), .badAnswer, steps: one),
    bad(
      "one share", .member("register", "secretUrls", .array([.string("https://api.mpin.example/1")])), .badAnswer,
      steps: one),
    bad(
      "a share at a stranger's", .member("register", "secretUrls", evil), .stateMismatch, code: "untrustedHost",
      steps: one),
    bad(
      "a share in clear",
      .member(
        "register", "secretUrls",
        .array([.string("http://api.mpin.example/1"), .string("https://api.mpin.example/2")])), .stateMismatch,
      code: "untrustedHost", steps: one),
    bad("PINs of 3 digits", .member("register", "pinLength", .int(3)), .badAnswer, steps: one),
    bad("PINs of 7 digits", .member("register", "pinLength", .int(7)), .badAnswer, steps: one),
    bad("PINs of a text", .member("register", "pinLength", .string("four")), .badAnswer, steps: one),
    Row(
      name: "a quick code that is wrong", changes: [.problem("register", "INVALID_ACTIVATION_TOKEN")],
      result: .codeWrong, code: "INVALID_ACTIVATION_TOKEN", steps: one),
    bad(
      "the same in the older body", .problem("register", "INVALID_ACTIVATION_TOKEN", isOld: true), .codeWrong,
      code: "INVALID_ACTIVATION_TOKEN", steps: one),
    bad("the service fails", .reply("register", 503), .providerUnavailable, steps: one),
    bad("no JSON", .reply("register", 200, "-"), .badAnswer, steps: one),
    Row(
      name: "a share that is lost once is asked for once more", changes: [.fails("secretShare1", .closed)],
      steps: ["register", "secretShare1", "secretShare1Again", "secretShare2", "choosePIN"]),
    Row(
      name: "each share has a second try of its own",
      changes: [.fails("secretShare1", .timeout), .fails("secretShare2", .connect)],
      steps: ["register", "secretShare1", "secretShare1Again", "secretShare2", "secretShare2Again", "choosePIN"]),
    Row(
      name: "twice lost is lost", changes: [.fails("secretShare2", .timeout), .fails("secretShare2Again", .timeout)],
      result: .timeout, steps: three + ["secretShare2Again"]),
    bad("a wrong certificate is not tried again", .fails("secretShare1", .tls), .tlsError, steps: two),
    bad("an error's answer is not asked for again", .reply("secretShare1", 500), .providerUnavailable, steps: two),
    bad("a share too late", .reply("secretShare2", 408), .expired, steps: three),
    bad(
      "a share off the curve",
      .member("secretShare2", "dvsClientSecret", .string("04" + String(repeating: "11", count: 64))), .badAnswer,
      steps: three),
    bad("a share that is none", .member("secretShare1", "dvsClientSecret", nil), .badAnswer, steps: two),
    Row(name: "nobody chooses a PIN", pin: nil, result: .codeRequired),
    Row(
      name: "a PIN of another length than asked for", changes: [.member("register", "pinLength", .int(6))], pin: "1234",
      result: .badRequest, code: "PIN"),
    Row(name: "a PIN of letters", pin: "12ab", result: .badRequest, code: "PIN"),
    Row(name: "a PIN of 3 digits", pin: "123", result: .badRequest, code: "PIN"),
    Row(name: "a PIN of 7 digits", pin: "1234567", result: .badRequest, code: "PIN"),
  ]

  private static func old(
    _ name: String, _ change: MIRACLStage.Change, _ result: FlowResult, code: String? = nil, steps: [String]
  ) -> Row { bad(name, change, result, code: code, settings: .oldShop, steps: steps) }

  static let older: [Row] = [
    Row(name: "old: an identity is made", settings: .oldShop),
    old(
      "old: another project", .member("register", "projectId", .string("x")), .stateMismatch, code: "projectId",
      steps: one),
    old("old: no project", .member("register", "projectId", nil), .badAnswer, steps: one),
    old("old: no id", .member("register", "mpinId", nil), .badAnswer, steps: one),
    old("old: an id with a path", .member("register", "mpinId", .string("ab/../cd")), .badAnswer, steps: one),
    old("old: no regOTT", .member("register", "regOTT", nil), .badAnswer, steps: one),
    old(
      "old: a token that is wrong", .problem("register", "INVALID_ACTIVATION_TOKEN", isOld: true), .codeWrong,
      code: "INVALID_ACTIVATION_TOKEN", steps: one),
    old("old: the mail is not confirmed", .reply("secretShare1", 401), .codeRequired, steps: two),
    old("old: the mail is not confirmed, as 400", .reply("secretShare1", 400), .codeRequired, steps: two),
    old("old: no share", .member("secretShare1", "dvsClientSecretShare", nil), .badAnswer, steps: two),
    old("old: no second address", .member("secretShare1", "cs2url", nil), .badAnswer, steps: two),
    old(
      "old: a second address at a stranger's", .member("secretShare1", "cs2url", .string("https://evil.example/2")),
      .stateMismatch, code: "untrustedHost", steps: two),
    old(
      "old: another curve", .member("secretShare1", "curve", .string("BLS381")), .badAnswer, code: "curve", steps: two),
    old("old: the second share too late", .reply("secretShare2", 408), .expired, steps: three),
    Row(
      name: "old: the second share is asked for once more", settings: .oldShop, changes: [.fails("secretShare2", .dns)],
      steps: three + ["secretShare2Again", "choosePIN"]),
  ]

  @Test("A registration makes an identity, or says why not and keeps nothing", arguments: newer + older)
  func register(_ row: Row) async throws {
    let stage = MIRACLStage(row.settings, row.changes, answers: [row.pin].compactMap(\.self))
    let end = try await stage.flow.register(
      MIRACLRegistration(MIRACLStage.user, .activation(Secret(row.right)), canAsk: true), stage.run)
    #expect(end.outcome.result == row.result, "\(end.outcome)")
    #expect(end.outcome.code == row.code)
    #expect(stage.record.steps == row.steps)
    let kept = try await stage.store.list().whole
    #expect(kept == [end.answer].compactMap(\.self) && kept.count == (row.result == .registered ? 1 : 0))
    guard let identity = end.answer else { return }
    #expect(identity.pinLength == 4 && identity.state == .active && identity.dtas == "ZHRhcw==")
    #expect(identity.name.project == "project-1" && identity.name.service == "https://api.mpin.example/")
  }

  @Test("A token of a mail that is too old is no wrong code of somebody's")
  func oldToken() async throws {
    let stage = MIRACLStage(.shop, [.problem("register", "INVALID_ACTIVATION_TOKEN")], answers: ["right"])
    let end = try await stage.flow.register(MIRACLRegistration(MIRACLStage.user, canAsk: true), stage.run)
    #expect(end.outcome.result == .expired && end.outcome.code == "INVALID_ACTIVATION_TOKEN")
  }

  @Test("The platform, the website's session, or nobody says how many digits a PIN has")
  func lengths() async throws {
    let link = try MIRACLLink(MIRACLStage.link, .shop)
    for (change, link, lengths) in [
      (nil, nil, 4...6), (nil, link, 4...4), (.member("register", "pinLength", .int(5)), link, 5...5),
    ] as [(MIRACLStage.Change?, MIRACLLink?, ClosedRange<Int>)] {
      let stage = MIRACLStage(
        .shop, [change].compactMap(\.self), answers: [String(repeating: "7", count: lengths.lowerBound)])
      let end = try await stage.flow.register(
        MIRACLRegistration(MIRACLStage.user, .activation(Secret("quick-1")), link: link, canAsk: true), stage.run)
      #expect(end.answer?.pinLength == lengths.lowerBound)
      #expect(stage.record.questions.map(\.wanted) == [.pin(lengths: lengths, isNew: true)])
    }
  }

  @Test("What cannot be kept is not begun, and what is kept replaces what was there")
  func keeping() async throws {
    let stage = MIRACLStage()
    let first = try await stage.register()
    let second = try await stage.register(pin: "4321")
    #expect(try await stage.store.list().whole == [second] && first != second)
    await stage.store.fail(AuthError(.storeFailed, "the disk is full"))
    stage.then(answers: ["right", "1234"])
    await #expect(throws: AuthError.self) {
      try await stage.flow.register(MIRACLRegistration(MIRACLStage.user, canAsk: true), stage.run)
    }
    #expect(stage.record.calls.isEmpty)
  }

  @Test("Neither PIN nor secret is in what is kept, and what is kept can be read again")
  func document() async throws {
    let stage = MIRACLStage()
    let identity = try await stage.register(pin: "987654")
    let text = identity.document.text
    #expect(!text.contains("987654") && identity.pinLength == 6)
    #expect(try MIRACLIdentity(document: identity.document) == identity)
    for secret in ["u@shop.example", identity.token.revealed, identity.key.mpinIdHex] {
      #expect(text.contains(secret) && !"\(identity)".contains(secret))
    }
    guard case .object(let members) = identity.document else { return #expect(Bool(false), "no object") }
    for name in members.keys.sorted() where name != "dtas" {
      for value in [nil, .string("x"), .int(-1)] as [JSONValue?] where name != "user" || value == nil {
        guard !["service", "project"].contains(name) || value == nil else { continue }
        var damaged = members
        damaged[name] = value
        let damage = #expect(throws: MIRACLIdentity.Damage.self, "\(name)") {
          try MIRACLIdentity(document: .object(damaged))
        }
        #expect(damage.map { !$0.description.contains(identity.token.revealed) } ?? false)
      }
    }
  }
}
