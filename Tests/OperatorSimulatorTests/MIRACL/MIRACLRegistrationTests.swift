import JSONTree
import MPin
import OperatorSimulator
import MIRACLSimulation
import Testing

/// How users of the simulated MIRACL platform are verified and registered.
@Suite("The simulated MIRACL: registration", .timeLimit(.minutes(5)))
struct MIRACLRegistrationTests {
  static func mail(_ change: [String: JSONValue] = [:]) -> [String: JSONValue] {
    let asked: [String: JSONValue] = [
      "projectId": .string("shop"), "userId": .string(MIRACLStage.user), "deviceName": .string("test"),
    ]
    return asked.merging(change) { $1 }
  }

  @Test("A mail has the code or a link with it, and the next one may be asked for later", arguments: ["code", "link"])
  func mail(method: String) async throws {
    let stage = MIRACLStage { $0.verification = .init(rawValue: method)! }
    let sent = try await stage.post("/verification/email", Self.mail())
    #expect(sent["method"] == method && sent.json["backoff"]?.integer == stage.clock.seconds + 60)
    let text = try await stage.call("GET", "https://mail.example/to/\(MIRACLStage.user)").response.body
    #expect(text.contains("/verification/confirmation?user_id=ada%40shop.example&code=") == (method == "link"))
    let early = try await stage.post("/verification/email", Self.mail())
    #expect(early.code == "REQUEST_BACKOFF" && early.status == 429)
    #expect(early.json["context"]?["backoff"]?.integer == stage.clock.seconds + 60)
    stage.clock.goOn(seconds: 60)
    #expect(try await stage.post("/verification/email", Self.mail()).status == 200)
    #expect(stage.mailbox.mails(to: MIRACLStage.user).count == 2)
  }

  @Test(
    "What a mail cannot be sent for",
    arguments: [("projectId", "nobody"), ("userId", "no address"), ("deviceName", "")])
  func badMail(name: String, value: String) async throws {
    let stage = MIRACLStage()
    let answer = try await stage.post("/verification/email", Self.mail([name: .string(value)]))
    #expect(answer.code == "INVALID_REQUEST_PARAMETERS" && answer.json["context"]?["params"]?.string == name)
    #expect(stage.mailbox.mails(to: MIRACLStage.user).isEmpty)
  }

  @Test("A code is good once, for a time, for a few tries and for the device that asked")
  func codes() async throws {
    let stage = MIRACLStage()
    func confirm(_ code: String?, tag: String? = nil) async throws -> MIRACLStage.Answer {
      var members: [String: JSONValue] = ["userId": .string(MIRACLStage.user), "code": .string(code ?? "")]
      members["deviceTag"] = tag.map { .string($0) }
      return try await stage.post("/verification/confirmation", members)
    }
    func ask(_ change: [String: JSONValue] = [:]) async throws -> String? {
      stage.clock.goOn(seconds: 60)
      _ = try await stage.post("/verification/email", Self.mail(change))
      return stage.mailedCode()
    }
    let code = try await ask()
    let wrong = try await confirm("x")
    #expect(wrong.code == "UNSUCCESSFUL_VERIFICATION" && wrong.json["context"]?["projectId"]?.string == "shop")
    #expect(try await confirm(code)["projectId"] == "shop")
    #expect(try await confirm(code).code == "UNSUCCESSFUL_VERIFICATION")
    let late = try await ask()
    stage.clock.goOn(seconds: 600)
    #expect(try await confirm(late).code == "UNSUCCESSFUL_VERIFICATION")
    let guessed = try await ask()
    for guess in ["a", "b", "c"] { _ = try await confirm(guess) }
    #expect(try await confirm(guessed).code == "UNSUCCESSFUL_VERIFICATION")
    let tagged = try await ask(["deviceTag": .string("0f")])
    #expect(try await confirm(tagged).code == "UNSUCCESSFUL_VERIFICATION")
    #expect(try await confirm(tagged, tag: "0f").status == 200)
  }

  @Test("An activation token registers its user once, and with a key alone")
  func activation() async throws {
    let stage = MIRACLStage()
    let keys = try DVSKeyPair().publicKey.hex
    func register(_ token: String, _ key: String, _ user: String = MIRACLStage.user) async throws -> MIRACLStage.Answer
    {
      try await stage.post(
        "/registration",
        [
          "userId": .string(user), "deviceName": .string("test"), "activationToken": .string(token),
          "publicKey": .string(key),
        ])
    }
    let token = try await stage.activate()
    #expect(try await register(token, "00").code == "INVALID_REQUEST_PARAMETERS")
    #expect(try await register("0123", keys).code == "INVALID_ACTIVATION_TOKEN")
    let answer = try await register(token, keys)
    #expect(answer.json["pinLength"]?.integer == 4 && answer.json["secretUrls"]?.items.count == 2)
    #expect(try await register(token, keys).code == "INVALID_ACTIVATION_TOKEN")
    stage.clock.goOn(seconds: 60)
    #expect(try await register(try await stage.activate(), keys, "eve@shop.example").code == "INVALID_ACTIVATION_TOKEN")
    stage.clock.goOn(seconds: 60)
    let late = try await stage.activate()
    stage.clock.goOn(seconds: 300)
    #expect(try await register(late, keys).code == "INVALID_ACTIVATION_TOKEN")
  }

  @Test("A backend that knows its user has a link made, with its own credentials alone")
  func custom() async throws {
    let stage = MIRACLStage { $0.verification = .custom }
    let link = try await stage.call("POST", "https://site.example/verify?user=\(MIRACLStage.user)")["link"]
    let code = try #require(link?.split(separator: "&code=").last.map(String.init))
    let confirmed = try await stage.post(
      "/verification/confirmation", ["userId": .string(MIRACLStage.user), "code": .string(code)])
    let member = try await stage.register("1234", try #require(confirmed["actToken"]))
    #expect(try await stage.logIn(member, "1234").status == 200)
    for (name, secret) in [("c", "t"), ("x", "s"), ("o", "t")] {
      let refused = try await stage.post(
        "/verification", Self.mail(["delivery": .string("no")]), headers: MIRACLStage.basic(name, secret))
      #expect(refused.status == 401)
    }
    #expect(try await stage.post("/verification/email", Self.mail()).code == "UNSUCCESSFUL_VERIFICATION")
    #expect(stage.mailbox.mails(to: MIRACLStage.user).isEmpty)
  }

  @Test("A quick code registers a second device, once for each login of the first")
  func quickCode() async throws {
    let stage = MIRACLStage()
    let first = try await stage.registered("1234")
    func quickCode(_ scope: String) async throws -> MIRACLStage.Answer {
      let login = try await stage.logIn(first, "1234", scope: scope)
      let asked: [String: JSONValue] = [
        "projectId": .string("shop"), "jwt": .string(login["jwt"] ?? ""), "deviceName": .string("test"),
      ]
      let answer = try await stage.post("/verification/quickcode", asked)
      if answer.status == 200 {
        #expect(try await stage.post("/verification/quickcode", asked).code == "LIMITED_QUICKCODE_GENERATION")
      }
      return answer
    }
    #expect(try await quickCode("jwt").code == "INVALID_REQUEST_PARAMETERS")
    let made = try await quickCode("reg-code")
    #expect(made.json["ttlSeconds"]?.integer == 600)
    let confirmed = try await stage.post(
      "/verification/confirmation", ["userId": .string(MIRACLStage.user), "code": made.json["code"] ?? .null])
    let second = try await stage.register("9999", try #require(confirmed["actToken"]))
    #expect(try await stage.logIn(second, "9999").status == 200)
    let third = try await stage.register("0101", try #require(try await quickCode("reg-code")["code"]))
    #expect(try await stage.logIn(third, "0101").status == 200)
    #expect(try await stage.logIn(first, "1234").status == 200)
  }

  @Test("Older clients register with a code, or wait for the mail's link", arguments: [true, false])
  func older(hasCode: Bool) async throws {
    let stage = MIRACLStage()
    var asked: [String: JSONValue] = ["projectId": .string("shop"), "userId": .string(MIRACLStage.user)]
    asked["deviceName"] = .string("test")
    if hasCode { asked["activateCode"] = .string(try await stage.activate()) }
    let begun = try await stage.call("PUT", "https://api.example/rps/v2/user", .object(asked))
    let (mpinID, token) = (try #require(begun["mpinId"]), try #require(begun["regOTT"]))
    let keys = try DVSKeyPair()
    let url = "https://api.example/rps/v2/signature/\(mpinID)?publicKey=\(keys.publicKey.hex)&regOTT="
    #expect(try await stage.call("GET", url + "x").code == "INVALID_ACTIVATION_TOKEN")
    if !hasCode {
      #expect(try await stage.call("GET", url + token).status == 401)
      let link = try #require(stage.mailbox.mails(to: MIRACLStage.user).last?.text.split(separator: " ").last)
      #expect(try await stage.call("GET", String(link)).status == 200)
    }
    let share = try await stage.call("GET", url + token)
    let second = try await stage.call("GET", try #require(share["cs2url"]))
    let member = try stage.member(
      mpinID, share["dtas"], [share["dvsClientSecretShare"], second["dvsClientSecret"]], keys, "4711")
    #expect(try await stage.logIn(member, "4711").status == 200)
    #expect(try await stage.call("GET", url + token).code == "INVALID_ACTIVATION_TOKEN")
  }

  @Test("Older clients renew their secret")
  func olderRenewal() async throws {
    let stage = MIRACLStage()
    let member = try await stage.registered("1234")
    stage.words.say("miracl.generation", "2")
    let token = try await stage.logIn(member, "1234").json["dvsRegister"]?["token"] ?? .null
    let keys = try DVSKeyPair()
    let asked: [String: JSONValue] = [
      "publicKey": .string(keys.publicKey.hex), "deviceName": .string("test"), "dvsRegisterToken": token,
    ]
    let share = try await stage.post("/rps/v2/dvsregister", asked)
    let second = try await stage.call("GET", try #require(share["cs2url"]))
    let renewed = try stage.member(
      share["mpinId"], share["dtas"], [share["dvsClientSecretShare"], second["dvsClientSecret"]], keys, "1234")
    #expect(try await stage.logIn(renewed, "1234").status == 200)
    #expect(try await stage.post("/rps/v2/dvsregister", asked).code == "INVALID_ACTIVATION_TOKEN")
  }

  @Test(
    "What the page behind the QR code tells older clients",
    arguments: [
      ("shop", SimulatedMIRACLProject.Landing.open, 200), ("shop", .forbidden, 406), ("shop", .deprecated, 412),
      ("nobody", .open, 406), (nil, .open, 406),
    ] as [(String?, SimulatedMIRACLProject.Landing, Int)])
  func landing(project: String?, landing: SimulatedMIRACLProject.Landing, status: Int) async throws {
    let stage = MIRACLStage { $0.landing = landing }
    let headers = project.map { ["x-miracl-cid": $0] } ?? [:]
    let answer = try await stage.call("GET", "https://mcl.example/mobile-login/service", headers: headers)
    #expect(answer.status == status)
    guard status == 200 else { return }
    #expect(answer["url"] == "https://api.example" && answer["rps_prefix"] == "rps" && answer["type"] == "online")
    let settings = try await stage.call("GET", "https://api.example/rps/clientSettings")
    #expect(settings["codeStatusURL"] == "/rps/v2/codeStatus")
  }
}
