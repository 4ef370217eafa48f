import FoundationEssentials
import JSONTree
import MPin
import OperatorSimulator
import MIRACLSimulation
import Testing

/// Signatures at the simulated MIRACL platform, and the calls that go wrong as a project says.
@Suite("The simulated MIRACL: signatures and faults", .timeLimit(.minutes(5)))
struct MIRACLSignatureTests {
  static let document = JSONValue.object(["contract": .int(7)])

  @Test(
    "A document is signed in a website's session, newer and older, and the platform certifies it",
    arguments: [false, true])
  func session(isOlder: Bool) async throws {
    let stage = MIRACLStage()
    let member = try await stage.registered("1234")
    let user = "user=\(MIRACLStage.user)"
    let opened = try await stage.call(
      "POST", "https://site.example/sign?\(user)\(isOlder ? "&older=1" : "")", Self.document)
    let (visit, hash) = (try #require(opened["session"]), try #require(opened["hash"]))
    let id = JSONValue.string(String(try #require(opened["qr"]).split(separator: "#")[1]))
    let bytes = try #require(MIRACLStage.bytes(hash))
    let signature = try stage.sign(bytes, member, "1234", at: stage.clock.seconds)
    let other = try stage.sign(Array(bytes.reversed()), member, "1234", at: stage.clock.seconds)
    func send(_ signature: JSONValue) async throws -> MIRACLStage.Answer {
      if isOlder {
        // As these clients send it.
        let signature = MIRACLStage.changed(signature, "timestamp", nil)
        return try await stage.call(
          "PUT", "https://api.example/dvs/session",
          .object(["id": id, "signature": signature, "timestamp": .int(stage.clock.seconds)]))
      }
      let text = JSONValue.string(MIRACLStage.base64(signature.text))
      return try await stage.post("/rps/v2/codeStatus", ["wid": id, "status": .string("signed"), "signature": text])
    }
    if isOlder {
      let details = try await stage.post("/dvs/session/details", ["id": id])
      #expect(details["hash"] == hash && details["description"] == "A document of Example Shop")
    } else {
      let details = try await stage.post("/rps/v2/codeStatus", ["wid": id, "status": .string("wid")])
      #expect(details["hash"] == hash && details["description"] == "A document of Example Shop")
    }
    #expect(try await send(other).status == 400)
    #expect(try await send(signature).status == 200)
    #expect(try await send(signature).status == 400)
    let seen = try await stage.call("GET", "https://site.example/sign/\(visit)")
    #expect(seen["status"] == "signed" && seen.json["isSigned"]?.boolean == true)
  }

  @Test("An older session that was given up takes no signature")
  func aborted() async throws {
    let stage = MIRACLStage()
    let member = try await stage.registered("1234")
    let opened = try await stage.call(
      "POST", "https://site.example/sign?older=1&user=\(MIRACLStage.user)", Self.document)
    let id = JSONValue.string(String(try #require(opened["qr"]).split(separator: "#")[1]))
    let url = "https://api.example/dvs/session"
    #expect(try await stage.call("DELETE", url, .object(["id": id])).status == 200)
    let signature = try stage.sign(
      try #require(MIRACLStage.bytes(opened["hash"] ?? "")), member, "1234", at: stage.clock.seconds)
    let sent = JSONValue.object(["id": id, "signature": signature, "timestamp": .int(stage.clock.seconds)])
    #expect(try await stage.call("PUT", url, sent).code == "INVALID_REQUEST_PARAMETERS")
  }

  @Test("A signature is refused that is of a wrong PIN, another document, another time, or nobody")
  func refused() async throws {
    let stage = MIRACLStage()
    let member = try await stage.registered("1234")
    let now = stage.clock.seconds
    func isTaken(_ signature: JSONValue, _ time: Int) async throws -> Bool {
      let shown = JSONValue.object(["signature": signature, "timestamp": .int(time)])
      return try await stage.call("POST", "https://site.example/signature", shown).json["isSigned"]?.boolean == true
    }
    let hash: [UInt8] = Array(0..<32)
    let signature = try stage.sign(hash, member, "1234", at: now)
    #expect(try await isTaken(signature, now))
    #expect(try await !isTaken(stage.sign(hash, member, "1243", at: now), now))
    #expect(try await !isTaken(signature, now + 1))
    #expect(try await !isTaken(stage.sign(hash, member, "1234", at: now + 61), now + 61))
    #expect(try await !isTaken(MIRACLStage.changed(signature, "hash", "00"), now))
    let stranger = try await MIRACLStage().registered("1234")
    #expect(try await !isTaken(stage.sign(hash, stranger, "1234", at: now), now))
    stage.words.say("miracl.verify", "otherKey")
    #expect(try await !isTaken(signature, now))
  }

  @Test(
    "A fault meets the calls that it says, of the user that it says",
    arguments: [
      (0, nil, [500, 500, 500]), (1, nil, [200, 500, 500]), (1, 1, [200, 500, 200]), (0, 2, [500, 500, 200]),
    ])
  func faults(skip: Int, times: Int?, statuses: [Int]) async throws {
    let stage = MIRACLStage {
      var fault = MIRACLFault(.session, .error("OUT_OF_ORDER", status: 500))
      (fault.skip, fault.times) = (skip, times)
      $0.faults = [fault]
    }
    for status in statuses {
      #expect(try await stage.post("/rps/v2/session", ["projectId": .string("shop")]).status == status)
    }
    #expect(try await stage.post("/rps/v2/session", ["projectId": .string("other")]).status == 200)
  }

  @Test("Answers of registration that a client must refuse")
  func twists() async throws {
    let stage = MIRACLStage()
    func registration() async throws -> MIRACLStage.Answer {
      stage.clock.goOn(seconds: 60)
      let token = try await stage.activate()
      return try await stage.post(
        "/registration",
        [
          "userId": .string(MIRACLStage.user), "deviceName": .string("test"), "activationToken": .string(token),
          "publicKey": .string(try DVSKeyPair().publicKey.hex),
        ])
    }
    stage.words.say("miracl.registration", "otherCurve")
    #expect(try await registration()["curve"] == "BLS381")
    stage.words.say("miracl.registration", "otherProject")
    #expect(try await registration()["projectId"] == "another-project")
    stage.words.say("miracl.registration", nil)
    let urls = (try await registration().json["secretUrls"]?.items ?? []).compactMap(\.string)
    let first = try #require(try await stage.call("GET", urls[0])["dvsClientSecret"])
    stage.words.say("miracl.secondShare", "cancellingShare")
    let opposite = try #require(try await stage.call("GET", urls[1])["dvsClientSecret"])
    #expect(opposite != first && opposite.prefix(66) == first.prefix(66))
    stage.words.say("miracl.secondShare", "badShare")
    let bad = try #require(try await stage.call("GET", urls[1])["dvsClientSecret"])
    #expect(throws: MPinError.self) { try ClientSecretShare(hex: bad) }
    stage.words.say("miracl.firstShare", "hangUp")
    #expect(try await stage.call("GET", urls[0]).response.delivery == .hangUp)
    let member = try await stage.registered("1234", after: 60)
    stage.words.say("miracl.pass1", "zeroChallenge")
    let u = try PassOne(identity: member.identity, token: member.token, pin: UserPIN("1234")).commitment.hex
    let zero = try #require(try await stage.passOne(member, u)["y"])
    #expect(throws: MPinError.self) { try ServerChallenge(hex: zero) }
  }
}

extension MIRACLStage {
  /// Registers with no fault in the way.
  func registered(_ pin: String, after seconds: Int) async throws -> Member {
    for place in MIRACLFault.Place.allCases { words.say("miracl.\(place.rawValue)", nil) }
    clock.goOn(seconds: seconds)
    return try await registered(pin)
  }

  static func bytes(_ hex: String) -> [UInt8]? {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
  }

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  static func changed(_ value: JSONValue, _ name: String, _ text: String?) -> JSONValue {
    guard case .object(var members) = value else { return value }
    members[name] = text.map { .string($0) }
    return .object(members)
  }
}
