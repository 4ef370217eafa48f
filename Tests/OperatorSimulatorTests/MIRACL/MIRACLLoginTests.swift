import JSONTree
import MPin
import OperatorSimulator
import MIRACLSimulation
import Testing

/// Logins at the simulated MIRACL platform, as the website sees them too.
@Suite("The simulated MIRACL: logins", .timeLimit(.minutes(5)))
struct MIRACLLoginTests {
  @Test("A new user logs in at a website, and the website learns who it is")
  func website() async throws {
    let stage = MIRACLStage()
    let opened = try await stage.call("POST", "https://site.example/login")
    let (visit, qr) = (try #require(opened["session"]), try #require(opened["qr"]))
    #expect(qr.hasPrefix("https://mcl.example/mobile-login/#"))
    let accessID = String(qr.split(separator: "#")[1])
    let details = try await stage.post("/rps/v2/codeStatus", ["wid": .string(accessID), "status": .string("wid")])
    #expect(details["projectId"] == "shop" && details.json["pinLength"]?.integer == 4)
    #expect(details["verificationMethod"] == "standardEmail" && details["projectName"] == "Example Shop")
    let member = try await stage.register("0000", try await stage.activate(accessID: accessID))
    let user =
      ["wid": .string(accessID), "status": .string("user"), "userId": .string(MIRACLStage.user)] as [String: JSONValue]
    #expect(try await stage.post("/rps/v2/codeStatus", user).status == 200)
    let login = try await stage.logIn(member, "0000", scope: "oidc", session: accessID)
    #expect(login.status == 200 && login["jwt"] == nil && login["message"] == "OK")
    let seen = try await stage.call("GET", "https://site.example/login/\(visit)")
    #expect(seen["status"] == "authenticated" && seen["user"] == MIRACLStage.user)
    // As after a renewal; nobody else may take the session.
    #expect(try await stage.logIn(member, "0000", scope: "oidc", session: accessID).status == 200)
    let eve = try await stage.register("1111", try await stage.activate("eve@shop.example"), "eve@shop.example")
    let again = try await stage.logIn(eve, "1111", scope: "oidc", session: accessID)
    #expect(again.code == "INVALID_AUTHENTICATION_SESSION")
    #expect(try await stage.logIn(eve, "1111", scope: "oidc").code == "INVALID_AUTHENTICATION_SESSION")
  }

  @Test(
    "A session's state is what the client said last", arguments: [("wid", "wid"), ("user", "user"), ("abort", "abort")])
  func states(word: String, status: String) async throws {
    let stage = MIRACLStage()
    let opened = try await stage.post("/rps/v2/session", ["projectId": .string("shop")])
    let access = ["webOTT": opened.json["webOTT"] ?? .null]
    #expect(try await stage.post("/rps/v2/access", access)["status"] == "new")
    let told = ["wid": opened.json["accessId"] ?? .null, "status": .string(word), "userId": .string("a@b")]
    #expect(try await stage.post("/rps/v2/codeStatus", told).status == 200)
    #expect(try await stage.post("/rps/v2/access", access)["status"] == status)
    stage.clock.goOn(seconds: 301)
    #expect(try await stage.post("/rps/v2/codeStatus", told).code == "INVALID_REQUEST_PARAMETERS")
    #expect(try await stage.post("/rps/v2/access", access)["status"] == (word == "abort" ? "abort" : "expired"))
  }

  @Test("A session for one user takes no other")
  func expectedUser() async throws {
    let stage = MIRACLStage()
    let opened = try await stage.call("POST", "https://site.example/login?user=grace@shop.example")
    let accessID = String(try #require(opened["qr"]).split(separator: "#")[1])
    let details = try await stage.post("/rps/v2/codeStatus", ["wid": .string(accessID), "status": .string("wid")])
    #expect(details["prerollId"] == "grace@shop.example")
    let ada = try await stage.register("1234", try await stage.activate())
    #expect(
      try await stage.logIn(ada, "1234", scope: "oidc", session: accessID).code == "INVALID_AUTHENTICATION_SESSION")
  }

  @Test(
    "Wrong PINs are counted, a right one begins anew, and the last one revokes",
    arguments: [SimulatedMIRACLProject.Wording.current, .former])
  func wrongPINs(wording: SimulatedMIRACLProject.Wording) async throws {
    let stage = MIRACLStage {
      $0.errorBody = wording
      $0.errorCodes = wording
    }
    let (wrong, revoked) =
      wording == .current ? ("UNSUCCESSFUL_AUTHENTICATION", "REVOKED_MPINID") : ("INVALID_AUTH", "MPINID_REVOKED")
    let member = try await stage.register("1234", try await stage.activate())
    for _ in 0..<2 { #expect(try await stage.logIn(member, "1235").code == wrong) }
    #expect(try await stage.logIn(member, "1234").status == 200)
    for _ in 0..<2 { #expect(try await stage.logIn(member, "11234").code == wrong) }
    let last = try await stage.logIn(member, "0234")
    #expect(last.code == revoked && last.status == 410)
    #expect((last.json["requestID"] != nil) == (wording == .former))
    #expect(try await stage.logIn(member, "1234").code == revoked)
  }

  @Test("An old identity is dead")
  func expired() async throws {
    let stage = MIRACLStage { $0.identitySeconds = 1000 }
    let member = try await stage.register("1234", try await stage.activate())
    stage.clock.goOn(seconds: 999)
    #expect(try await stage.logIn(member, "1234").status == 200)
    stage.clock.goOn(seconds: 1)
    #expect(try await stage.logIn(member, "1234").code == "EXPIRED_MPINID")
  }

  @Test("Tokens for a backend are signed by the published key, and good for a minute")
  func backend() async throws {
    let stage = MIRACLStage()
    let member = try await stage.register("1234", try await stage.activate())
    let token = try #require(try await stage.logIn(member, "1234")["jwt"])
    let keySet = try await stage.call("GET", "https://api.example/.well-known/jwks").json
    let claims = SimulatedSigningKey.claims(of: token, signedBy: keySet)
    #expect(claims?["iss"]?.string == "https://api.example" && claims?["aud"]?.string == "shop")
    #expect(claims?["exp"]?.integer == stage.clock.seconds + 60)
    let shown = JSONValue.object(["jwt": .string(token)])
    #expect(try await stage.call("POST", "https://site.example/token", shown)["user"] == MIRACLStage.user)
    stage.clock.goOn(seconds: 60)
    #expect(try await stage.call("POST", "https://site.example/token", shown).status == 401)
    stage.words.say("miracl.authenticate", "otherKey")
    let forged = JSONValue.object(["jwt": .string(try #require(try await stage.logIn(member, "1234")["jwt"]))])
    #expect(try await stage.call("POST", "https://site.example/token", forged).status == 401)
  }

  @Test("After a change of the platform's secret a login still works, and offers a new secret until that one is used")
  func renewal() async throws {
    let stage = MIRACLStage()
    let old = try await stage.register("1234", try await stage.activate())
    #expect(try await stage.logIn(old, "1234").json["dvsRegister"] == nil)
    stage.words.say("miracl.generation", "2")
    let login = try await stage.logIn(old, "1234")
    let token = try #require(login.json["dvsRegister"]?["token"]?.string)
    #expect(login.json["dvsRegister"]?["curve"]?.string == "BN254CX")
    let renewed = try await stage.register("1234", token)
    #expect(renewed.dtas != old.dtas)
    let first = try await stage.logIn(renewed, "1234")
    #expect(first.status == 200 && first.json["dvsRegister"] == nil)
    #expect(try await stage.logIn(old, "1234").json["dvsRegister"] != nil)
  }

  @Test("A login must be begun, once, by what was registered")
  func calls() async throws {
    let stage = MIRACLStage()
    let member = try await stage.register("1234", try await stage.activate())
    let stranger = try await MIRACLStage().registered("1234")
    let pass = try PassOne(identity: member.identity, token: member.token, pin: UserPIN("1234"))
    let u = pass.commitment.hex
    #expect(try await stage.passOne(member, u, dtas: "x").code == "INVALID_REQUEST_PARAMETERS")
    #expect(try await stage.passOne(member, u, scope: "admin").code == "INVALID_REQUEST_PARAMETERS")
    #expect(try await stage.passOne(member, String(u.dropLast()) + "g").code == "INVALID_REQUEST_PARAMETERS")
    #expect(try await stage.passOne(stranger, u).code == "INVALID_REQUEST_PARAMETERS")
    let challenge = try ServerChallenge(hex: try #require(try await stage.passOne(member, u)["y"]))
    let proof: [String: JSONValue] = [
      "mpin_id": .string(member.identity.mpinIdHex), "V": .string(try pass.answer(challenge).hex),
    ]
    let token = try #require(try await stage.post("/rps/v2/pass2", proof)["authOTT"])
    #expect(try await stage.post("/rps/v2/pass2", proof).code == "INVALID_AUTHENTICATION_SESSION")
    let end: [String: JSONValue] = ["authOTT": .string(token), "wam": .string("dvs")]
    #expect(try await stage.post("/rps/v2/authenticate", end)["jwt"] != nil)
    #expect(try await stage.post("/rps/v2/authenticate", end).code == "INVALID_AUTHENTICATION_SESSION")
  }
}

extension MIRACLStage {
  func registered(_ pin: String) async throws -> Member { try await register(pin, try await activate()) }
}
