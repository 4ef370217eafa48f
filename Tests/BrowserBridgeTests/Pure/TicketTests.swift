import LimitClock
import ModemModel
import SettingsFile
import Testing

@testable import BrowserBridge

@Suite("Tickets", .timeLimit(.minutes(1)))
struct TicketTests {
  static func settings(_ members: String = "") throws(SettingsError) -> WebSettings {
    let json = """
      { "backends": {
          "shop": { "name": "Shop", "tickets": "https://shop.example/t/", "return": "https://shop.example/back" \(members) },
          "bank": { "name": "Bank", "tickets": "https://bank.example:8443/tickets/", "return": "https://bank.example/?a=1" } } }
      """
    return try WebSettings(json: Array(json.utf8)) { _ in WipedText("a-token-of-16-and-more") }
  }

  static let id = "0123456789abcdef"

  @Test func `an address is a backend's with an id, and nothing else`() throws {
    let backends = try Self.settings().backends
    let address = try #require(TicketAddress("https://shop.example/t/\(Self.id)", among: backends))
    #expect(address.backend.key == "shop" && address.id == Self.id)
    #expect(TicketAddress("https://bank.example:8443/tickets/\(Self.id)", among: backends)?.backend.key == "bank")
    #expect(TicketAddress("https://SHOP.example:443/t/\(Self.id)", among: backends)?.id == Self.id)
    for wrong in [
      "http://shop.example/t/\(Self.id)", "https://evil.example/t/\(Self.id)",
      "https://shop.example.evil.example/t/\(Self.id)",
      "https://shop.example@evil.example/t/\(Self.id)", "https://evil.example/https://shop.example/t/\(Self.id)",
      "https://shop.example:8443/t/\(Self.id)", "https://bank.example/tickets/\(Self.id)",
      "https://shop.example/t/\(Self.id)?x=1", "https://shop.example/t/\(Self.id)#x",
      "https://shop.example/t/\(Self.id)/",
      "https://shop.example/t/../\(Self.id)", "https://shop.example/t/%2e%2e/\(Self.id)",
      "https://shop.example/T/\(Self.id)",
      "https://shop.example/t/short", "https://shop.example/t/",
      "https://shop.example/t/" + String(repeating: "a", count: 129),
      "//shop.example/t/\(Self.id)", "javascript:alert(1)", "", String(repeating: "a", count: 5000),
    ] {
      #expect(TicketAddress(wrong, among: backends) == nil, "\(wrong)")
    }
  }

  @Test func `the way back is the configured one, with the ticket's id`() throws {
    let address = try #require(
      TicketAddress("https://bank.example:8443/tickets/\(Self.id)", among: try Self.settings().backends))
    #expect(address.returnAddress() == "https://bank.example/?a=1&ticket=\(Self.id)")
    #expect(address.returnAddress("c0de") == "https://bank.example/?a=1&ticket=\(Self.id)&code=c0de")
  }

  @Test func `a ticket is read strictly`() throws {
    let address = try #require(TicketAddress("https://shop.example/t/\(Self.id)", among: try Self.settings().backends))
    let good = try OfferedTicket(
      Array(#"{"id":"\#(Self.id)","ask":"verify","expiresInSeconds":60,"return":"https://evil.example"}"#.utf8),
      of: address)
    #expect(good.ask == .verify && good.lifetime == .seconds(60))
    let rows: [(String, TicketFailure)] = [
      ("", .bad(field: "the document")), ("[]", .bad(field: "the document")),
      (#"{"id":"other-0123456789","ask":"verify","expiresInSeconds":60}"#, .bad(field: "id")),
      (#"{"id":"\#(Self.id)","ask":"delete","expiresInSeconds":60}"#, .bad(field: "ask")),
      (#"{"id":"\#(Self.id)","ask":"signIn","expiresInSeconds":60}"#, .notAllowed),
      (#"{"id":"\#(Self.id)","ask":"verify","expiresInSeconds":0}"#, .bad(field: "expiresInSeconds")),
      (#"{"id":"\#(Self.id)","ask":"verify","expiresInSeconds":901}"#, .bad(field: "expiresInSeconds")),
      (#"{"id":"\#(Self.id)","ask":"verify","expiresInSeconds":1e300}"#, .bad(field: "expiresInSeconds")),
      (#"{"id":"\#(Self.id)","id":"\#(Self.id)","ask":"verify"}"#, .bad(field: "the document")),
      (String(repeating: "[", count: 5000), .bad(field: "the document")),
      (
        #"{"id":"\#(Self.id)","ask":"verify","x":""# + String(repeating: "x", count: 20_000) + #""}"#,
        .bad(field: "the document")
      ),
    ]
    for (text, failure) in rows {
      #expect(throws: failure, "\(text.prefix(80))") { try OfferedTicket(Array(text.utf8), of: address) }
    }
  }

  @Test func `a claim asks what was offered, about a number in international form`() throws {
    let address = try #require(
      TicketAddress(
        "https://shop.example/t/\(Self.id)",
        among: try Self.settings(#", "asks": ["verify", "simChange", "signIn", "login"]"#).backends))
    func claim(_ members: String, _ offered: Ask = .verify) throws(TicketFailure) -> TicketQuestion {
      try TicketQuestion(Array(#"{"id":"\#(Self.id)",\#(members)}"#.utf8), of: address, offered: offered)
    }
    #expect(try claim(#""ask":"verify","number":"+447700900123""#).number?.revealed == "+447700900123")
    #expect(try claim(#""ask":"simChange""#, .simChange).number == nil)
    #expect(throws: TicketFailure.bad(field: "ask")) { try claim(#""ask":"signIn","number":"+447700900123""#) }
    for number in ["", "07700900123", "+1", "+44770090012345678", "+44 7700", "447700900123"] {
      #expect(throws: TicketFailure.bad(field: "number"), "\(number)") {
        try claim(#""ask":"verify","number":"\#(number)""#)
      }
    }
    #expect(throws: TicketFailure.bad(field: "number")) { try claim(#""ask":"verify""#) }
    #expect(throws: TicketFailure.bad(field: "link")) { try claim(#""ask":"login","link":7"#, .login) }
  }

  @Test func `a ticket acts once, and is remembered until it expires, in bounded memory`() throws {
    let backends = try Self.settings().backends
    func address(_ number: Int) throws -> TicketAddress {
      try #require(TicketAddress("https://shop.example/t/ticket-of-number-\(number)", among: backends))
    }
    let start = LimitClock.Instant(.zero)
    var used = UsedTickets(most: 2)
    #expect(used.use(try address(1), until: start + .seconds(10), at: start) == .first)
    #expect(used.use(try address(1), until: start + .seconds(10), at: start) == .used)
    #expect(try used.contains(address(1), at: start))
    #expect(try !used.contains(address(2), at: start))
    #expect(used.use(try address(2), until: start + .seconds(20), at: start) == .first)
    #expect(used.use(try address(3), until: start + .seconds(20), at: start + .seconds(9)) == .full)
    #expect(used.use(try address(3), until: start + .seconds(20), at: start + .seconds(10)) == .first)
    #expect(used.use(try address(2), until: start + .seconds(20), at: start + .seconds(19)) == .used)
  }

  @Test func `each user has tickets of each backend in a minute`() throws {
    let backends = try Self.settings(#", "startsPerMinute": 2"#).backends
    let shop = try #require(backends.last)
    #expect(shop.key == "shop")
    let start = LimitClock.Instant(.zero)
    var allowance = StartAllowance(most: 2)
    #expect(allowance.take(shop, 1, at: start) == nil && allowance.take(shop, 1, at: start) == nil)
    #expect(allowance.take(shop, 1, at: start) == 30)
    #expect(allowance.take(shop, 2, at: start) == nil, "another user")
    #expect(allowance.take(shop, 3, at: start) == 60, "nothing more can be remembered")
    #expect(allowance.take(shop, 1, at: start + .seconds(30)) == nil)
    #expect(allowance.take(shop, 3, at: start + .seconds(60)) == nil)
  }
}
