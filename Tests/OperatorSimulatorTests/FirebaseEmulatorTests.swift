import JSONTree
import ModemModel
import NetworkAddress
import Synchronization
import Testing

@testable import OperatorSimulator
import FirebaseSimulation

@Suite("The simulated Firebase")
struct FirebaseEmulatorTests {
  private static let number = "+447700900123"
  private static let accounts = "/identitytoolkit.googleapis.com/v1/accounts:"

  /// The service, and what it sent.
  private final class Stage: Sendable {
    private final class Sent: Sendable { let texts = Mutex<[String]>([]) }

    private let sent = Sent()
    let service: FirebaseEmulatorService

    init() {
      let sent = sent
      service = FirebaseEmulatorService(
        host: "firebase.example",
        ProviderEnvironment(
          subscribers: SimulatedSubscribers([], numbers: [:], start: Timestamp(milliseconds: 0)),
          now: { Timestamp(milliseconds: 1_800_000_000_000) },
          deliver: { number, sender, text in sent.texts.withLock { $0.append("\(number) \(sender) \(text)") } }))
    }

    var texts: [String] { sent.texts.withLock { $0 } }

    func ask(
      _ method: String = "POST", _ path: String, _ body: JSONValue = .object([:]), key: String? = "any",
      form: String? = nil
    ) async -> (status: Int, json: JSONValue) {
      let type = form == nil ? "application/json" : "application/x-www-form-urlencoded"
      let request = SimulatedRequest(
        method: method, isSecure: false, host: "firebase.example", path: path, query: key.map { ["key": $0] } ?? [:],
        headers: ["content-type": type], body: Array((form ?? body.text).utf8), source: IPAddress("192.0.2.2")!)
      let response = await service.answer(request)
      return (response?.status ?? 0, JSONValue(parsing: Array((response?.body ?? "").utf8)) ?? .null)
    }

    /// Has a code sent, and gives session and code.
    func code(for number: String = FirebaseEmulatorTests.number) async -> (session: String, code: String) {
      let sent = await ask(
        "POST", FirebaseEmulatorTests.accounts + "sendVerificationCode", .object(["phoneNumber": .string(number)]))
      return (sent.json["sessionInfo"]?.string ?? "", String(texts.last?.split(separator: " ")[2] ?? ""))
    }

    func signIn(_ fields: [String: String]) async -> (status: Int, json: JSONValue) {
      await ask(
        "POST", FirebaseEmulatorTests.accounts + "signInWithPhoneNumber", .object(fields.mapValues { .string($0) }))
    }
  }

  private static func message(_ reply: (status: Int, json: JSONValue)) -> String? {
    reply.json["error"]?["message"]?.string
  }

  @Test("A message carries six digits, which sign in once; a wrong code does not use them up")
  func signIn() async {
    let stage = Stage()
    let (session, code) = await stage.code()
    #expect(session.utf8.count == 226 && code.utf8.count == 6)
    #expect(stage.texts == ["\(Self.number) Firebase \(code) is your verification code for Example."])
    let wrong = await stage.signIn(["sessionInfo": session, "code": code == "000000" ? "000001" : "000000"])
    #expect(wrong.status == 400 && Self.message(wrong) == "INVALID_CODE")
    let right = await stage.signIn(["sessionInfo": session, "code": code])
    #expect(
      right.status == 200 && right.json["isNewUser"]?.boolean == true && right.json["expiresIn"]?.string == "3600")
    let token = right.json["idToken"]?.string ?? ""
    #expect(token.split(separator: ".", omittingEmptySubsequences: false).count == 3 && token.hasSuffix("."))
    let again = await stage.signIn(["sessionInfo": session, "code": code])
    #expect(Self.message(again) == "INVALID_SESSION_INFO")
    let (next, nextCode) = await stage.code()
    let known = await stage.signIn(["sessionInfo": next, "code": nextCode])
    #expect(known.json["isNewUser"]?.boolean == false && known.json["localId"] == right.json["localId"])
    let refresh = right.json["refreshToken"]?.string ?? ""
    let fresh = await stage.ask(
      "POST", "/securetoken.googleapis.com/v1/token", form: "grant_type=refresh_token&refresh_token=\(refresh)")
    #expect(fresh.status == 200 && fresh.json["user_id"] == right.json["localId"] && fresh.json["id_token"] != nil)
  }

  @Test(
    "Each mistake has the emulator's error",
    arguments: [
      (accounts + "sendVerificationCode", "{}", "any", 400, "INVALID_PHONE_NUMBER : Invalid format."),
      (
        accounts + "sendVerificationCode", #"{"phoneNumber":"0770"}"#, "any", 400,
        "INVALID_PHONE_NUMBER : Invalid format."
      ),
      (
        accounts + "sendVerificationCode", #"{"phoneNumber":"+4477"}"#, "", 403,
        "The request is missing a valid API key."
      ),
      (accounts + "signInWithPhoneNumber", "{}", "any", 400, "MISSING_SESSION_INFO"),
      (accounts + "signInWithPhoneNumber", #"{"sessionInfo":"s"}"#, "any", 400, "MISSING_CODE"),
      (accounts + "signInWithPhoneNumber", #"{"sessionInfo":"s","code":"1"}"#, "any", 400, "INVALID_SESSION_INFO"),
      (
        accounts + "signInWithPhoneNumber", #"{"phoneNumber":"+4477","temporaryProof":"p"}"#, "any", 400,
        "INVALID_TEMPORARY_PROOF"
      ),
      ("/securetoken.googleapis.com/v1/token", "{}", "any", 400, "INVALID_GRANT_TYPE"),
      ("/elsewhere", "{}", "any", 404, "NOT_FOUND"),
    ])
  func mistakes(path: String, body: String, key: String, status: Int, message: String) async throws {
    let reply = await Stage().ask("POST", path, try #require(JSONValue(parsing: Array(body.utf8))), key: key)
    #expect(reply.status == status && Self.message(reply) == message)
  }

  @Test("The older form of the methods does the same, and codes and users are managed")
  func management() async {
    let stage = Stage()
    let sent = await stage.ask(
      "POST", "/www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode",
      .object(["phoneNumber": .string(Self.number)]))
    let list = await stage.ask("GET", "/emulator/v1/projects/p/verificationCodes", key: nil)
    let code = list.json["verificationCodes"]?.items.first
    #expect(code?["sessionInfo"] == sent.json["sessionInfo"] && code?["phoneNumber"]?.string == Self.number)
    let fields = ["sessionInfo": sent.json["sessionInfo"]?.string ?? "", "code": code?["code"]?.string ?? ""]
    let user = await stage.ask(
      "POST", "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber",
      .object(fields.mapValues { .string($0) }))
    #expect(user.status == 200)
    #expect(await stage.ask("DELETE", "/emulator/v1/projects/p/accounts", key: nil).status == 200)
    let token = user.json["refreshToken"]?.string ?? ""
    let gone = await stage.ask(
      "POST", "/securetoken.googleapis.com/v1/token", form: "grant_type=refresh_token&refresh_token=\(token)")
    #expect(Self.message(gone) == "INVALID_REFRESH_TOKEN")
    #expect(await stage.ask("GET", "/emulator/v1/projects/p/config", key: nil).json["signIn"] != nil)
  }

  @Test("A number of another account gives a proof in place of tokens, and the proof signs in")
  func proof() async {
    let stage = Stage()
    let (first, firstCode) = await stage.code()
    _ = await stage.signIn(["sessionInfo": first, "code": firstCode])
    let (second, secondCode) = await stage.code(for: "+447700900124")
    let other = await stage.signIn(["sessionInfo": second, "code": secondCode])
    let (third, thirdCode) = await stage.code()
    let linked = await stage.signIn([
      "sessionInfo": third, "code": thirdCode, "idToken": other.json["idToken"]?.string ?? "", "operation": "LINK",
    ])
    let proof = linked.json["temporaryProof"]?.string ?? ""
    #expect(linked.status == 200 && linked.json["idToken"] == nil && proof.utf8.count == 119)
    let proven = await stage.signIn(["phoneNumber": Self.number, "temporaryProof": proof])
    #expect(proven.status == 200 && proven.json["phoneNumber"]?.string == Self.number)
    #expect(await stage.signIn(["phoneNumber": "+447700900124", "temporaryProof": proof]).status == 400)
  }

  @Test("It fails as it is told to")
  func moods() async {
    let stage = Stage()
    let config = "/emulator/v1/projects/p/config"
    let set = { (behaviour: String) in
      _ = await stage.ask(
        "PATCH", config, .object(["simulated": JSONValue(parsing: Array(behaviour.utf8)) ?? .null]), key: nil)
    }
    await set(#"{"refusals":{"sendVerificationCode":"QUOTA_EXCEEDED : x"}}"#)
    let refused = await stage.ask(
      "POST", Self.accounts + "sendVerificationCode", .object(["phoneNumber": .string(Self.number)]))
    #expect(refused.status == 429 && Self.message(refused) == "QUOTA_EXCEEDED : x")
    await set(#"{"messages":"none"}"#)
    _ = await stage.code()
    #expect(stage.texts.isEmpty)
    await set(#"{"messages":"decoy"}"#)
    let (session, decoy) = await stage.code()
    let code = String(stage.texts[0].split(separator: " ")[2])
    #expect(stage.texts.count == 2 && decoy.utf8.count == 6 && decoy != code)
    await set(#"{"disabledNumbers":["\#(Self.number)"]}"#)
    #expect(Self.message(await stage.signIn(["sessionInfo": session, "code": code])) == "USER_DISABLED")
  }

  @Test(
    "The app's backend tells of changes as the operator knows them, and leaves out what it does not know",
    arguments: [(5, false), (20_000, true), (nil, nil)] as [(Int?, Bool?)])
  func backend(minutes: Int?, isUnchanged: Bool?) async throws {
    let start = Timestamp(milliseconds: 1_800_000_000_000)
    let subscriber = SimulatedSubscribers.Subscriber(
      number: Self.number, network: PLMN("23410")!, simChangedMinutesAgo: minutes)
    let service = SIMCheckBackendService(
      host: "signin.app.example",
      ProviderEnvironment(subscribers: SimulatedSubscribers([subscriber], numbers: [:], start: start), now: { start }))
    let request = SimulatedRequest(
      method: "POST", isSecure: true, host: "signin.app.example", path: "/sim-check",
      headers: ["content-type": "application/json; charset=utf-8"],
      body: Array(#"{"phone_number":"447700900123"}"#.utf8), source: IPAddress("192.0.2.2")!)
    let response = await service.answer(request)
    #expect(response?.status == 200)
    let json = JSONValue(parsing: Array((response?.body ?? "").utf8))
    #expect(json?["no_sim_change"]?.boolean == isUnchanged)
    #expect((json?["no_sim_change"] == nil) == (isUnchanged == nil))
  }
}
