import AuthCore
import AuthFlows
import Testing
import MIRACLFlows

@Suite("Links of MIRACL's websites")
struct MIRACLLinkTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    /// Nil where it is no link.
    var session: String?
    var user: String?
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(name: "the session is the fragment", text: "https://mcl.mpin.example/mobile-login/#a1b2c3", session: "a1b2c3"),
    Row(name: "blanks around it do not count", text: " \nhttps://mpin.example#s\n", session: "s"),
    Row(name: "the API's own host is trusted", text: "https://api.mpin.example/x?y=1#s-1._~", session: "s-1._~"),
    Row(name: "capitals in the host do not matter", text: "HTTPS://MCL.MPIN.EXAMPLE/#s", session: "s"),
    Row(
      name: "a push message",
      text: #"{"projectID":"project-1","userID":"u@shop.example","qrURL":"https://mcl.mpin.example/#s","more":1}"#,
      session: "s", user: "u@shop.example"),
    Row(name: "nothing", text: ""), Row(name: "no URL", text: "a1b2c3"),
    Row(name: "no fragment", text: "https://mcl.mpin.example/mobile-login/"),
    Row(name: "an empty fragment", text: "https://mcl.mpin.example/#"),
    Row(name: "a fragment with a blank", text: "https://mcl.mpin.example/#a b"),
    Row(name: "a second fragment", text: "https://mcl.mpin.example/#a#b"),
    Row(name: "a fragment that is too long", text: "https://mcl.mpin.example/#" + String(repeating: "a", count: 513)),
    Row(name: "in clear", text: "http://mcl.mpin.example/#s"), Row(name: "another scheme", text: "miracl://x/#s"),
    Row(name: "another host", text: "https://mcl.evil.example/#s"),
    Row(name: "a host that ends like a trusted one", text: "https://evilmpin.example/#s"),
    Row(name: "a trusted host as user name", text: "https://mcl.mpin.example@evil.example/#s"),
    Row(
      name: "a push message of another project",
      text: #"{"projectID":"project-2","userID":"u","qrURL":"https://mcl.mpin.example/#s"}"#),
    Row(name: "a push message without a user", text: #"{"projectID":"project-1","qrURL":"https://mpin.example/#s"}"#),
    Row(
      name: "a push message to another host",
      text: #"{"projectID":"project-1","userID":"u","qrURL":"https://evil.example/#s"}"#),
  ]

  @Test("A link is read, or refused without a word of it", arguments: rows)
  func read(_ row: Row) {
    do throws(AuthError) {
      let link = try MIRACLLink(row.text, .shop)
      #expect(link.session.revealed == row.session && link.user?.revealed == row.user)
      #expect("\(link)".contains("s-1") == false && !"\(link.session)".contains("a1b2"))
    } catch {
      #expect(row.session == nil, "\(error)")
      guard case .invalidArgument("link", _) = error.code else { return #expect(Bool(false), "\(error)") }
      #expect(!error.message.contains("a b") && !error.message.contains("u@"))
    }
  }

  @Test(
    "A user's name is text without control characters, and prints redacted",
    arguments: [
      ("u@shop.example", "u@shop.example"), ("  Jo Doe ", "Jo Doe"), ("", nil), ("   ", nil), ("a\u{7}b", nil),
      (String(repeating: "x", count: 256), nil),
      (String(repeating: "x", count: 255), String(repeating: "x", count: 255)),
    ] as [(String, String?)])
  func user(text: String, name: String?) {
    let user = try? MIRACLUser(text: text)
    #expect(user?.revealed == name)
    if let user, let name { #expect(!"\(user)".contains(name.prefix(6))) }
  }

  @Test(
    "A hash is 16 to 64 bytes in hexadecimal digits",
    arguments: [
      (String(repeating: "aB", count: 32), true), (String(repeating: "00", count: 16), true),
      (String(repeating: "00", count: 64), true), ("", false), (String(repeating: "00", count: 15), false),
      (String(repeating: "00", count: 65), false), (String(repeating: "0", count: 63), false),
      (String(repeating: "0g", count: 32), false),
    ])
  func hash(text: String, isHash: Bool) {
    #expect(MIRACLHash(text)?.hex == (isHash ? text.lowercased() : nil))
  }
}
