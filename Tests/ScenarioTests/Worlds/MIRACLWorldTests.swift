import FoundationEssentials
import JSONTree
import MIRACLAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// MIRACL's website login from the QR code to the website that knows who came, with real arithmetic
/// on both sides.
@Suite("MIRACL in worlds", .serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MIRACLWorldTests {
  static let scenario = """
    { "providers": [ { "kind": "miracl", "pins": ["4711", "0815", "470811"], "projects": [
        { "id": "shop" }, { "id": "six", "pinLength": 6, "verification": "custom" },
        { "id": "older", "verification": "link", "errorBody": "former", "errorCodes": "former" } ] } ],
      "modemdProviders": {
        "shop": { "kind": "miracl", "api": "https://api.miracl.example", "project": "shop",
          "trustedDomains": ["miracl.example"], "clientID": "client-of-shop" },
        "by-bearer": { "kind": "miracl", "api": "https://api.miracl.example", "project": "shop",
          "trustedDomains": ["miracl.example"], "route": "bearer" },
        "six": { "kind": "miracl", "api": "https://api.miracl.example", "project": "six",
          "trustedDomains": ["miracl.example"], "clientID": "client-of-six" },
        "older": { "kind": "miracl", "api": "https://api.miracl.example", "project": "older", "generation": "rps",
          "landing": true, "trustedDomains": ["miracl.example"] } },
      "modemdCredentials": {
        "shop.client-secret": "miracl-client-secret-shop", "six.client-secret": "miracl-client-secret-six" } }
    """
  private static let platform: Set<String> = ["api.miracl.example", "authority.miracl.example", "mcl.miracl.example"]

  @Test(
    "A new user registers by the website's QR code and logs in; a known one needs the PIN alone, after a restart too")
  func websiteLogin() async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world)
      let first = try await person.visit()
      let none = try await person.logIn(first.qr)
      #expect(none.result == .notConfigured, "\(none.words)")
      let registered = try await person.register(link: first.qr)
      #expect(registered.result == .registered, "\(registered.words)")
      #expect(registered.last?.identity?.pinLength == 4 && registered.last?.identity?.user == person.address)
      let login = try await person.logIn(first.qr)
      #expect(login.result == .signedIn, "\(login.words)")
      #expect(login.last?.session?.project == "Example Shop" && login.last?.token == nil)
      var seen = try await person.site("/login/\(first.session)")
      #expect(seen["status"]?.string == "authenticated" && seen["user"]?.string == person.address)

      await world.end(.service)
      try await world.start(.service)
      let second = try await person.visit()
      #expect(try await person.site("/login/\(second.session)")["status"]?.string == "new")
      let again = try await person.logIn(second.qr)
      #expect(again.result == .signedIn, "\(again.words)")
      seen = try await person.site("/login/\(second.session)")
      #expect(seen["user"]?.string == person.address)

      // Each session is one login of one user.
      let taken = try await MIRACLPerson(world: world, address: "eve@shop.example", pin: "0815").register(
        link: second.qr)
      #expect(taken.result == .badRequest, "\(taken.words)")
      #expect(!world.requests(.network).contains { Self.platform.contains($0.host) })
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test("An application's backend takes the token of a login, and no other")
  func token() async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world, pin: "470811", project: "six")
      // modemd itself vouches for the user.
      let registered = try await person.register(.backend)
      #expect(registered.result == .registered && registered.last?.identity?.pinLength == 6, "\(registered.words)")
      let login = try await person.logIn()
      let token = try #require(login.last?.token, "\(login.words)")
      #expect(try await person.site("/token", .object(["jwt": .string(token)]))["user"]?.string == person.address)
      let forged = try await person.site("/token", .object(["jwt": .string(String(token.dropLast(8)) + "AAAAAAAA")]))
      #expect(forged["user"] == nil)
      // Another device of the user, played by another name of the same platform and project.
      let link = try #require(try await person.site("/verify?user=grace@shop.example", .object([:]))["link"]?.string)
      let other = MIRACLPerson(world: world, address: "grace@shop.example", pin: "470811", project: "six")
      let byLink = try await other.register(.link, proof: link)
      #expect(byLink.result == .registered, "\(byLink.words)")
      let wrongLink = try await person.register(.link, proof: link)
      #expect(wrongLink.result == .stateMismatch, "\(wrongLink.words)")
      let quick = try await person.run(MIRACLInterface.QuickCode.self, .init(user: person.address, provider: "six"))
      let code = try #require(quick.last?.code, "\(quick.words)")
      let device = try await person.register(.activation, proof: code)
      #expect(device.result == .registered, "\(device.words)")
      #expect(try await person.logIn().result == .signedIn)
    }
  }

  @Test(
    "Wrong PINs are told apart from the last one, after which the identity is dead here too",
    arguments: ["shop", "older"])
  func wrongPINs(project: String) async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world, project: project)
      let registered = try await person.register()
      #expect(registered.result == .registered, "\(registered.words)")
      for _ in 1...2 {
        let wrong = try await person.logIn(pin: "0815")
        #expect(wrong.result == .pinWrong, "\(wrong.words)")
      }
      #expect(try await person.logIn().result == .signedIn)
      for _ in 1...2 { #expect(try await person.logIn(pin: "0815").result == .pinWrong) }
      let last = try await person.logIn(pin: "0815")
      #expect(last.result == .identityRevoked, "\(last.words)")
      #expect(last.last?.outcome?.code == (project == "older" ? "MPINID_REVOKED" : "REVOKED_MPINID"))
      #expect(try await person.identity()?.state == .revoked)
      let dead = try await person.logIn()
      // Nothing is asked of the platform any more.
      #expect(dead.result == .identityRevoked && dead.steps.isEmpty, "\(dead.words)")
      _ = try await world.perform("tell clock 60")
      #expect(try await person.register().result == .registered)
      #expect(try await person.logIn().result == .signedIn)
    }
  }

  @Test("Older platforms: the landing page leads to it, registration by a mail's link, and renewal")
  func older() async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world, project: "older")
      let visit = try await person.visit()
      let registered = try await person.register(link: visit.qr)
      #expect(registered.result == .registered, "\(registered.words)")
      #expect(registered.names.prefix(2) == ["landing", "clientSettings"])
      let login = try await person.logIn(visit.qr)
      #expect(login.result == .signedIn && login.last?.renewed == false, "\(login.words)")
      _ = try await world.perform("tell miracl.generation 2")
      let renewed = try await person.logIn(try await person.visit().qr)
      #expect(renewed.result == .signedIn && renewed.last?.renewed == true, "\(renewed.words)")
      let after = try await person.logIn(try await person.visit().qr)
      #expect(after.result == .signedIn && after.last?.renewed == false, "\(after.words)")
    }
  }

  @Test(
    "The platform's new secret is taken at the next login, by the same PIN, and kept when modemd is killed after it")
  func renewal() async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world)
      #expect(try await person.register().result == .registered)
      _ = try await world.perform("tell miracl.generation 2")
      // The first try is lost with the registration of the new secret: the login counts all the
      // same.
      _ = try await world.perform("tell miracl.registration unavailable")
      let visit = try await person.visit()
      let kept = try await person.logIn(visit.qr)
      #expect(kept.result == .signedIn && kept.last?.renewed == false, "\(kept.words)")
      #expect(try await person.site("/login/\(visit.session)")["user"]?.string == person.address)
      _ = try await world.perform("tell miracl.registration")
      let renewed = try await person.logIn(try await person.visit().qr)
      #expect(renewed.result == .signedIn && renewed.last?.renewed == true, "\(renewed.words)")
      await world.end(.service)
      try await world.start(.service)
      let after = try await person.logIn(try await person.visit().qr)
      #expect(after.result == .signedIn && after.last?.renewed == false, "\(after.words)")
      #expect(try await person.logIn(pin: "0815").result == .pinWrong)
    }
  }

  @Test("A registration that modemd is killed in leaves the identity of before, which logs in")
  func killed() async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world)
      #expect(try await person.register().result == .registered)
      let before = try await person.identity()
      _ = try await world.perform("tell clock 60")
      _ = try await world.perform("tell miracl.secondShare silence")
      let shares = { world.requests(.uplink).filter { $0.host == "authority.miracl.example" }.count }
      let asked = shares()
      let lost = Task { try await person.register() }
      #expect(try await world.eventually { shares() == asked + 1 })
      await world.end(.service)
      // The connection ends, and no outcome came.
      await #expect(throws: (any Error).self) { _ = try await lost.value }
      try await world.start(.service)
      #expect(try await person.identity() == before)
      #expect(try await person.logIn().result == .signedIn)
    }
  }

  @Test("A document is signed: by its hash, in a website's session, and in an older one; the platform verifies it")
  func signatures() async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world)
      #expect(try await person.register().result == .registered)
      let hash = String(repeating: "5a", count: 32)
      let signed = try await person.sign(hash: hash)
      let signature = try #require(signed.last?.signature, "\(signed.words)")
      let verified = try await world.client().call(
        MIRACLInterface.VerifySignature.self, .init(signature: signature.document, provider: "shop"))
      #expect(verified.outcome?.result == .verified, "\(verified.outcome?.text ?? "-")")
      let shown: [String: JSONValue] = ["signature": signature.document, "timestamp": .int(signature.timestamp)]
      #expect(try await person.site("/signature", .object(shown))["hash"]?.string == hash)
      let later = try await world.client().call(
        MIRACLInterface.VerifySignature.self,
        .init(signature: signature.document, timestamp: signature.timestamp + 1, provider: "shop"))
      #expect(later.outcome?.result == .tokenRefused, "\(later.outcome?.text ?? "-")")

      let visit = try await person.visit("/sign")
      let wrongVerb = try await person.logIn(visit.qr)
      #expect(wrongVerb.result == .badRequest, "\(wrongVerb.words)")
      let there = try await person.sign(link: visit.qr)
      #expect(there.result == .signed && there.last?.description == "A document of Example Shop", "\(there.words)")
      #expect(try await person.site("/sign/\(visit.session)")["isSigned"]?.boolean == true)

      let older = try await person.visit("/sign?older=1&user=\(person.address)")
      let id = String(older.qr.split(separator: "#").last ?? "")
      let inSession = try await person.sign(session: id)
      #expect(inSession.result == .signed, "\(inSession.words)")
      #expect(try await person.site("/sign/\(older.session)")["isSigned"]?.boolean == true)
      let wrong = MIRACLPerson(world: world, pin: "0815")
      #expect(try await wrong.sign(hash: hash).result == .pinWrong)
    }
  }

  @Test("By configuration all of it keeps to the bearer")
  func bearer() async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world, provider: "by-bearer")
      let visit = try await person.visit()
      let registered = try await person.register(link: visit.qr)
      #expect(registered.result == .registered, "\(registered.words)")
      let login = try await person.logIn(visit.qr)
      #expect(login.result == .signedIn, "\(login.words)")
      #expect(try await person.site("/login/\(visit.session)")["user"]?.string == person.address)
      let lanes = (registered.steps + login.steps).filter { $0.host != nil }.map(\.lane)
      #expect(!lanes.isEmpty && lanes.allSatisfy { $0 == .bearer }, "\(lanes)")
      #expect(!world.requests(.uplink).contains { Self.platform.contains($0.host) })
      #expect(
        Set(world.requests(.network).map(\.host)).isSuperset(of: ["api.miracl.example", "authority.miracl.example"]))
      // The bearer goes away in the middle of a login: nothing takes another way.
      _ = try await world.perform("tell miracl.authenticate silence")
      let calls = { world.requests(.network).filter { $0.place == "/rps" }.count }
      let before = calls()
      async let lost = person.logIn()
      // Pass 1, pass 2, and the answer that does not come.
      #expect(try await world.eventually { calls() == before + 3 })
      _ = try await world.perform("drop-bearer 36")
      let end = try await lost
      #expect(end.result == .noDataPath, "\(end.words)")
      #expect(!world.requests(.uplink).contains { Self.platform.contains($0.host) })
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test("A session that was given up, or is over, or of another project")
  func sessions() async throws {
    try await Worlds.with(Self.scenario) { world in
      let person = MIRACLPerson(world: world)
      let visit = try await person.visit()
      let client = try await world.client()
      let asked = try await client.call(MIRACLInterface.GetSession.self, .init(link: visit.qr, provider: "shop"))
      #expect(asked.outcome?.result == .covered && asked.session?.pinLength == 4)
      let other = try await client.call(MIRACLInterface.GetSession.self, .init(link: visit.qr, provider: "six"))
      #expect(other.outcome?.result == .stateMismatch, "\(other.outcome?.text ?? "-")")
      let aborted = try await client.call(MIRACLInterface.AbortSession.self, .init(link: visit.qr, provider: "shop"))
      #expect(aborted.outcome?.result == .authorized, "\(aborted.outcome?.text ?? "-")")
      #expect(try await person.site("/login/\(visit.session)")["status"]?.string == "abort")
      let again = try await client.call(MIRACLInterface.GetSession.self, .init(link: visit.qr, provider: "shop"))
      #expect(again.outcome?.result == .badRequest, "\(again.outcome?.text ?? "-")")
      #expect(try await person.register().result == .registered)
      let late = try await person.visit()
      _ = try await world.perform("tell clock 301")
      let over = try await person.logIn(late.qr)
      #expect(over.result == .badRequest, "\(over.words)")
      #expect(try await person.site("/login/\(late.session)")["status"]?.string == "expired")
    }
  }
}
