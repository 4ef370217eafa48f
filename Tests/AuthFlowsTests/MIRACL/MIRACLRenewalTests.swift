import AuthCore
import AuthFlows
import JSONTree
import MIRACLTestSupport
import Testing
import MIRACLFlows

@Suite("Renewal of MIRACL's secrets")
struct MIRACLRenewalTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var settings = MIRACLSettings.shop
    var changes: [MIRACLStage.Change] = []
    var isRenewed = false
    var testDescription: String { "\(settings.generation): \(name)" }
  }

  private static func rows(_ settings: MIRACLSettings) -> [Row] {
    [
      Row(name: "a new secret with the same PIN", settings: settings, isRenewed: true),
      Row(name: "refused", settings: settings, changes: [.problem("register", "INVALID_ACTIVATION_TOKEN")]),
      Row(name: "the service fails", settings: settings, changes: [.reply("register", 500)]),
      Row(name: "lost", settings: settings, changes: [.fails("register", .timeout)]),
      Row(name: "another curve", settings: settings, changes: [.member("register", "curve", .string("BLS381"))]),
      Row(name: "no id", settings: settings, changes: [.member("register", "mpinId", nil)]),
      Row(name: "a share is refused", settings: settings, changes: [.reply("secretShare2", 403)]),
      Row(
        name: "a share is lost twice", settings: settings,
        changes: [.fails("secretShare2", .closed), .fails("secretShare2Again", .closed)]),
      Row(
        name: "a share is lost once", settings: settings, changes: [.fails("secretShare2", .closed)], isRenewed: true),
    ]
  }

  @Test(
    "A failed renewal leaves the login and the old identity as they are",
    arguments: rows(.shop) + rows(.oldShop))
  func renew(_ row: Row) async throws {
    let stage = MIRACLStage(row.settings)
    let old = try await stage.register()
    stage.then(row.changes, answers: ["1234"])
    stage.offerRenewal()
    let link = try stage.flow.link(MIRACLStage.link)
    let end = try await stage.flow.logIn(MIRACLLogin(link: link, canAsk: true), stage.run)
    #expect(end.outcome.result == .signedIn && (end.answer?.isRenewed == true) == row.isRenewed)
    // The PIN is asked for once.
    #expect(stage.record.questions.count == 1)
    let kept = try #require(try await stage.store.list().whole.first)
    #expect((kept != old) == row.isRenewed && kept.name == old.name && kept.pinLength == 4)
    #expect((kept.key.publicKey != old.key.publicKey) == row.isRenewed)
    // What is kept works.
    stage.then(answers: ["1234"])
    let again = try await stage.flow.logIn(MIRACLLogin(canAsk: true), stage.run)
    #expect(again.outcome.result == .signedIn)
    guard row.isRenewed else { return }
    #expect(again.answer?.token?.revealed.hasPrefix("j.w.t") == true)
  }

  @Test("The new identity proves itself to the same session before the old one goes", arguments: [false, true])
  func secondLogin(fails: Bool) async throws {
    let stage = MIRACLStage()
    let old = try await stage.register()
    stage.then(answers: ["1234"])
    stage.offerRenewal()
    if fails {
      // The first login's verdict as the platform gives it, the second one's as a failure.
      stage.then(
        [.member("authenticate", "message", .string("first")), .problem("authenticate", "INVALID_AUTH", 401)],
        answers: ["1234"])
    }
    let end = try await stage.flow.logIn(
      MIRACLLogin(link: stage.flow.link(MIRACLStage.link), canAsk: true), stage.run)
    #expect(end.outcome.result == .signedIn && (end.answer?.isRenewed == true) == !fails)
    #expect((try await stage.store.list().whole.first == old) == fails)
    #expect(
      stage.record.steps == [
        "sessionDetails", "sessionUser", "askForPIN", "pass1", "pass2", "authenticate", "register", "secretShare1",
        "secretShare2", "pass1", "pass2", "authenticate",
      ])
    let sessions = stage.record.calls.filter { $0.step == "pass2" }.map { $0.field("WID") }
    #expect(sessions == [MIRACLPlatform.accessID, MIRACLPlatform.accessID])
    let register = stage.record.calls.first { $0.step == "register" }
    #expect(register?.field("activationToken") == "renewal-1")
  }

  @Test("A secret on another curve is not renewed, and one that cannot be kept is not used")
  func limits() async throws {
    let stage = MIRACLStage()
    let old = try await stage.register()
    let offer = JSONValue.object(["token": .string("renewal-1"), "curve": .string("BLS381")])
    stage.then([.member("authenticate", "dvsRegister", offer)], answers: ["1234"])
    #expect(try await stage.flow.logIn(MIRACLLogin(canAsk: true), stage.run).answer?.isRenewed != true)
    #expect(!stage.record.steps.contains("register"))
    stage.then(answers: ["1234"])
    stage.offerRenewal()
    await stage.store.fail(AuthError(.storeFailed, "the disk is full"))
    let end = try await stage.flow.logIn(MIRACLLogin(canAsk: true), stage.run)
    #expect(end.outcome.result == .signedIn && end.answer?.isRenewed != true)
    #expect(try await stage.store.list().whole == [old])
  }
}
