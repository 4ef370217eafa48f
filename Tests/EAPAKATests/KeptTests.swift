import ModemModel
import Testing

@testable import EAPAKA

/// What a login leaves for the next one (RFC 4187, 4.1 and 5).
@Suite("Pseudonyms and fast re-authentication", .timeLimit(.minutes(1)))
struct KeptTests {
  /// A login whose server gives these names.
  private func login(
    _ method: EAPMethod = .aka, pseudonym: [UInt8]? = nil, fast: [UInt8]? = nil, reauthenticates: Bool = true
  ) throws -> Login {
    var login = Login(method) { $0.reauthenticates = reauthenticates }
    try login.challenge { draft, keys in
      var inner = Draft(method, .challenge)
      if let pseudonym { try inner.add(.nextPseudonym, pseudonym) }
      if let fast { try inner.add(.nextReauthenticationIdentity, fast) }
      if !inner.attributes.isEmpty { try draft.add(encrypted: inner, keys.session) }
    }
    #expect(login.last?.event == .response)
    return login
  }

  @Test("Names that a server gives", arguments: EAPMethod.allCases)
  func names(_ method: EAPMethod) throws {
    let login = try login(method, pseudonym: Array("2abc".utf8), fast: Array("4abc".utf8))
    let kept = try #require(login.peer.kept)
    #expect(kept.pseudonym?.revealed == "2abc@\(Subscriber.realm)")
    #expect(kept.fast?.identity.revealed == "4abc")
    #expect(kept.fast?.counter == 1)
    #expect(kept.fast?.keys == login.keys?.session)
    var next = Login(method, kept: kept) { $0.reauthenticates = true }
    #expect(next.peer.identity.revealed == "4abc")
    // It is good for one login.
    #expect(next.peer.kept?.fast == nil)
    #expect(next.peer.kept?.pseudonym == kept.pseudonym)
    next.fast = login.keys
    #expect(try next.reauthenticate().event == .reauthentication)
    #expect(next.peer.kept?.fast == nil)
  }

  @Test("A pseudonym that has a realm keeps it")
  func realm() throws {
    #expect(try login(pseudonym: Array("2abc@x".utf8)).peer.kept?.pseudonym?.revealed == "2abc@x")
  }

  @Test(
    "Names that cannot be sent are not kept",
    arguments: [
      [], [0x32, 0], [0x32, 0x0a], [0x32, 0x20], [0x32, 0xff], [0x32, 0xc3, 0xa4], [UInt8](repeating: 0x32, count: 256),
    ])
  func badNames(_ name: [UInt8]) throws {
    #expect(try login(pseudonym: name, fast: name).peer.kept == nil)
  }

  @Test("A server that gives nothing leaves what there was")
  func nothing() throws {
    var login = try Login.again(.aka)
    try login.challenge()
    #expect(login.peer.kept?.pseudonym == Login.pseudonym)
    #expect(login.peer.kept?.fast == nil)
    #expect(try self.login().peer.kept == nil)
  }

  @Test("Switched off, nothing is kept and nothing is used")
  func switchedOff() throws {
    #expect(try login(pseudonym: [0x32], fast: [0x34], reauthenticates: false).peer.kept == nil)
    let kept = try Login.again(.aka).peer.offered
    #expect(Login(.aka, kept: kept).peer.identity == Subscriber.identity(.aka))
  }

  @Test("Another method, SIM or realm does not use it")
  func others() throws {
    let kept = try Login.again(.aka).peer.offered
    let prime = Login(.akaPrime, kept: kept) { $0.reauthenticates = true }
    #expect(prime.peer.identity == Subscriber.identity(.akaPrime))
    let other = EAPIdentity("0001010123456064@\(Subscriber.realm)")
    let sim = Login(.aka, kept: kept) {
      $0.reauthenticates = true
      $0.permanent = other
    }
    #expect(sim.peer.identity == other)
    #expect(sim.peer.kept == nil)
  }

  @Test("A login that fails afterwards leaves what there was before")
  func failure() throws {
    func kept(after change: (inout Login) throws -> Void) throws -> EAPReauthentication? {
      var login = try Login.again(.aka)
      try login.challenge { draft, keys in
        var inner = Draft(.aka, .challenge)
        try inner.add(.nextPseudonym, Array("2new".utf8))
        try draft.add(encrypted: inner, keys.session)
      }
      #expect(login.peer.kept?.pseudonym?.revealed.hasPrefix("2new") == true)
      try change(&login)
      return login.peer.kept
    }
    let failures: [(inout Login) throws -> Void] = [
      { try $0.send([4, 1, 0, 4]) }, { try $0.notify(16384) }, { try $0.notify(1031, isProtected: true) },
      { try $0.challenge(sequence: 0x21) },
    ]
    for failure in failures { #expect(try kept(after: failure)?.pseudonym == Login.pseudonym) }
    let success = try kept {
      try $0.notify(32768, isProtected: true)
      try $0.send([3, 2, 0, 4])
      try $0.send([1, 9, 0, 8, 23, 0, 0, 0])
    }
    #expect(success?.pseudonym?.revealed.hasPrefix("2new") == true)
  }

  @Test("A fast re-authentication renews its identity; its counter goes on and never turns over")
  func renewal() throws {
    func kept(counter: UInt16) throws -> EAPReauthentication? {
      var login = try Login.again(.aka, counter: 3)
      try login.reauthenticate(
        counter: counter,
        inside: { inner in
          try inner.add(.nextReauthenticationIdentity, Array("4next".utf8))
        })
      return login.peer.kept
    }
    let renewed = try kept(counter: 7)
    #expect(renewed?.fast?.identity.revealed == "4next")
    #expect(renewed?.fast?.counter == 8)
    #expect(renewed?.fast?.keys == (try Login.again(.aka).fast?.session))
    #expect(renewed?.pseudonym == Login.pseudonym)
    #expect(try kept(counter: .max)?.fast == nil)
    #expect(try kept(counter: 2)?.fast == nil)
  }
}
