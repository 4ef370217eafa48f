import Glibc
import Logging
import ModemModel
import ModemPort
import NIOPosix
import PortAPI
import PortServer
import Testing
import Varlink

@testable import PortClient

/// Logins from modemd's side, over a port's real socket.
@Suite(.timeLimit(.minutes(1))) struct `Logins over the port's socket` {
  private func run(
    _ fixture: LoginFixture, _ body: @Sendable (PortLink, ModemPort) async throws -> Void
  ) async throws {
    try await serve(PortRouter.make(for: fixture.port, version: "test") { _, _ in true }) { link in
      try await fixture.run { port in try await body(link, port) }
    }
  }

  private func serve(_ router: VarlinkRouter, _ body: (PortLink) async throws -> Void) async throws {
    let path = "/tmp/modemd-test-logins-\(getpid())-\(UInt32.random(in: .min ... .max))"
    var limits = VarlinkServer.Limits()
    limits.frameBytes = PortRouter.mostCallBytes
    let server = try await VarlinkServer.start(
      router, at: .path(path, mode: 0o600), limits: limits, on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let result = await Result(catching: { try await body(PortLink(name: "scripted", path: path)) })
    await server.close()
    try result.get()
  }

  @Test(arguments: EAPMethod.allCases) func `a whole exchange passes byte by byte`(method: EAPMethod) async throws {
    guard let login = try RecordedLogin.read(method) else { return }
    let fixture = await LoginFixture()
    try await run(fixture) { link, _ in
      await fixture.backend.change { backend in
        backend.card = login.card
        backend.group = .success([0x5A])
      }
      let begun = try await link.beginEAP(EAPLoginRequest(method))
      #expect(begun.identity.revealed == login.identity && begun.groupIdentifier == [0x5A])
      let identity = try await link.answerEAP(login.server[0], of: begun.id)
      #expect(identity.event == .identity && identity.packet == login.peer[0])
      let response = try await link.answerEAP(login.server[1], of: begun.id)
      #expect(response.event == .response && response.packet == login.peer[1])
      if method == .akaPrime { #expect(response.networkName == "WLAN") }
      let end = try await link.answerEAP([3, login.server[1][1], 0, 4], of: begun.id)
      #expect(end.packet == nil)
    }
  }

  @Test(arguments: EAPMethod.allCases) func `a fast re-authentication passes`(method: EAPMethod) async throws {
    guard let login = try RecordedLogin.read(method) else { return }
    let fixture = await LoginFixture()
    try await run(fixture) { link, _ in
      await fixture.backend.change { $0.card = login.card }
      let request = EAPLoginRequest(method, realm: nil, reauthenticates: true)
      let first = try await link.beginEAP(request)
      for packet in login.server { _ = try await link.answerEAP(packet, of: first.id) }
      let second = try await link.beginEAP(request)
      #expect(second.identity.revealed == login.reauthenticationIdentity)
      #expect(try await link.answerEAP(login.reauthentication, of: second.id).event == .reauthentication)
      #expect(await fixture.backend.challenges == 1)
    }
  }

  @Test func `errors come back as what they were`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await run(fixture) { link, port in
      await #expect(throws: EAPFault.unknownLogin) { try await link.answerEAP([1], of: "no-such") }
      await fixture.backend.change { $0.card = { _ in throw ModemError(.notSupported, "no way to the SIM") } }
      let lack = try await link.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await link.answerEAP(login.server[0], of: lack)
      await #expect(throws: EAPFault.notSupported("no way to the SIM")) {
        try await link.answerEAP(login.server[1], of: lack)
      }
      await fixture.backend.change { $0.card = { _ in throw ModemError(.timeout, "no answer") } }
      let failing = try await link.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await link.answerEAP(login.server[0], of: failing)
      let failure = await #expect(throws: ModemError.self) { try await link.answerEAP(login.server[1], of: failing) }
      #expect(failure?.code == .failed && failure?.message.contains("no answer") == true)
      await fixture.backend.change { $0.card = login.card }
      for _ in 0..<4 { _ = try await port.answer(login) }
      await #expect(throws: EAPFault.tooMany(limit: 6, retryAfter: .seconds(60))) {
        try await link.beginEAP(EAPLoginRequest(.aka))
      }
      await fixture.backend.change { $0.sim = SIMStatus(state: .pinRequired) }
      _ = try await port.refresh()
      let locked = await #expect(throws: ModemError.self) { try await link.beginEAP(EAPLoginRequest(.aka)) }
      #expect(locked?.code == .simLocked)
    }
  }

  @Test func `wrong parameters are named, and longer packets are not read`() async throws {
    let fixture = await LoginFixture()
    try await run(fixture) { link, port in
      let client = try await VarlinkClient.connect(to: link.path)
      for realm in ["", "a b", "a@b", String(repeating: "a.", count: 127)] {
        let error = await #expect(throws: VarlinkError.self) {
          _ = try await client.call(PortInterface.BeginEAP.self, .init(method: .aka, realm: realm))
        }
        #expect(error?.field("parameter") == "realm")
      }
      let name = await #expect(throws: VarlinkError.self) {
        _ = try await client.call(PortInterface.BeginEAP.self, .init(method: .akaPrime, networkName: "a\n"))
      }
      #expect(name?.field("parameter") == "networkName")
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      let wrong = [
        "", "A", "AA", "AA=", "AB==", "AA==\n", " AA==", "AA-_", "AA==AA==", "====", "ÄÄ==",
        EAPPacketText.text(of: Array(repeating: 1, count: EAPPacketText.most + 1)),
      ]
      for packet in wrong {
        let error = await #expect(throws: VarlinkError.self, "\(packet.prefix(20))") {
          _ = try await client.call(PortInterface.AnswerEAP.self, .init(login: id, packet: packet))
        }
        #expect(error?.field("parameter") == "packet")
      }
      // The longest one is read, and is no packet of EAP.
      let longest = Array(repeating: UInt8(1), count: EAPPacketText.most)
      #expect(try await link.answerEAP(longest, of: id).event == .refused)
      for count in [0, EAPPacketText.most + 1] {
        await #expect(throws: ModemError.self) { try await link.answerEAP(Array(repeating: 1, count: count), of: id) }
      }
      #expect(await fixture.backend.challenges == 0)
    }
  }

  @Test func `base64 is read as it is written, and in no other way`() {
    for count in 1...70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      #expect(EAPPacketText.bytes(of: EAPPacketText.text(of: bytes)) == bytes)
    }
    // Bits that say nothing, padding that is missing or too long, another alphabet, white space.
    for text in ["/x==", "/w", "/w=", "/w===", "_w==", "/w==\n", "/ w==", "\0\0\0\0"] {
      #expect(EAPPacketText.bytes(of: text) == nil, "\(text)")
    }
  }

  @Test func `a port of an earlier version runs no logins, and that is told`() async throws {
    var router = VarlinkRouter(
      ServiceInformation(vendor: "modemd", product: "modemd-port", version: "0", url: "https://example.com")
    ) { _, _ in true }
    router.add(PortInterface.self)
    try await serve(router) { link in
      let fault = await #expect(throws: EAPFault.self) { try await link.beginEAP(EAPLoginRequest(.aka)) }
      guard case .notSupported(let text) = fault else { throw ModemError(.failed, "\(String(describing: fault))") }
      #expect(text.contains("earlier version") && text.contains("scripted"))
    }
  }

  @Test func `a caller who hangs up while the SIM answers ends the login`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await run(fixture) { link, port in
      let gate = Gate()
      await fixture.backend.change {
        $0.card = { _ in
          for await _ in gate.opening {}
          return .refused
        }
      }
      let id = try await link.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await link.answerEAP(login.server[0], of: id)
      let leaving = Task { try await link.answerEAP(login.server[1], of: id) }
      try await fixture.untilAsked(1)
      leaving.cancel()
      _ = await leaving.result
      var isOver = false
      while !isOver {
        do { _ = try await port.answerEAP(login.server[1], of: id) } catch EAPFault.unknownLogin { isOver = true } catch
        {}
      }
      gate.open()
      #expect(await fixture.backend.challenges == 1)
    }
  }

  @Test func `only who may use the port begins logins`() async throws {
    let fixture = await LoginFixture()
    try await serve(PortRouter.make(for: fixture.port, version: "test") { _, _ in false }) { link in
      try await fixture.run { _ in
        await #expect(throws: (any Error).self) { try await link.beginEAP(EAPLoginRequest(.aka)) }
      }
    }
  }

  @Test func `a reply that no port sends is refused`() {
    typealias Begun = PortInterface.BeginEAP.Reply
    for reply in [
      Begun(login: "a", identity: ""), Begun(login: "a", identity: String(repeating: "0", count: 254)),
      Begun(login: "a", identity: "0@a", gid1: "0"), Begun(login: "a", identity: "0@a", gid1: "xy"),
    ] { #expect(throws: ConversionError.self) { try EAPLogin(reply) } }
    #expect(throws: ConversionError.self) {
      try EAPReply(PortInterface.AnswerEAP.Reply(event: .response, packet: "?"))
    }
    let later = try? EAPReply(PortInterface.AnswerEAP.Reply(event: .other("a-word-of-later")))
    #expect(later?.event == .unknown)
  }
}
