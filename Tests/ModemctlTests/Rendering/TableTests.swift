import ModemAPI
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("Tables, colours and keys")
struct TableTests {
  private let plain = Paint(isOn: false)

  @Test("Columns are aligned, numbers to the right, and the last text column ends where its text ends")
  func table() {
    let text = TableLayout.render(
      [.init("NAME"), .init("SIZE B", isNumber: true), .init("NOTE")],
      [[Cell("a"), Cell("1"), Cell(nil)], [Cell("longer"), Cell("12345678"), Cell("ü")]], plain)
    #expect(
      text == """
        NAME      SIZE B  NOTE
        a              1  -
        longer  12345678  ü

        """)
  }

  @Test("A column that grew stays as wide for the rows that follow")
  func growing() {
    var table = HopTable()
    let hop = { (index: Int, host: String) in
      CheckInterface.Hop(
        index: index, scheme: .https, host: host, port: 443, reused: false, times: .init(), cookies: [])
    }
    let host = String(repeating: "h", count: 60) + ".example"
    let wide = table.line(hop(1, host), plain)
    let next = table.line(hop(2, "a.example"), plain)
    #expect(wide.count == next.count && next.contains("https://a.example   "))
  }

  @Test(
    "Hosts have their port where it is not the scheme's own, and brackets around IPv6",
    arguments: [
      ("https", "a.example", 443, "https://a.example"), ("https", "a.example", 80, "https://a.example:80"),
      ("http", "a.example", 80, "http://a.example"), ("http", "2001:db8::1", 8080, "http://[2001:db8::1]:8080"),
      ("http", "[2001:db8::1]", 80, "http://[2001:db8::1]"),
    ])
  func origins(scheme: String, host: String, port: Int, text: String) throws {
    let scheme = CheckInterface.Hop.Scheme(word: scheme)
    let hop = CheckInterface.Hop(
      index: 1, scheme: scheme, host: host, port: port, reused: false, times: .init(), cookies: [])
    #expect(HopTable.origin(hop) == text)
  }

  @Test(
    "Milliseconds have one decimal",
    arguments: [
      (0, "0.0"), (0.04, "0.0"), (0.05, "0.1"), (9.96, "10.0"), (1234.5, "1234.5"), (-1.25, "-1.3"),
      (Double.nan, "-"), (Double.infinity, "-"), (1e300, "-"),
    ])
  func milliseconds(value: Double, text: String) { #expect(ShownTime.milliseconds(value) == text) }

  @Test("Groups without values are left out, and labels are aligned over all groups")
  func details() {
    let details = Details(groups: [
      .init("One", [("a", "1"), ("none", nil)]), .init("Empty", [("x", nil)]), .init("Two", [("longer", "2")]),
    ])
    #expect(details.render(plain) == "One\n  a       1\n\nTwo\n  longer  2\n")
  }

  @Test(
    "Colours come only on a terminal that knows them, and without NO_COLOR",
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true),
      (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm"], true),
    ] as [(Bool, [String: String], Bool)])
  func colours(isTerminal: Bool, variables: [String: String], allowed: Bool) {
    #expect(Console.allowsColour(isTerminal: isTerminal) { variables[$0] } == allowed)
    #expect(Paint(isOn: true)("x", .bad) == "\u{1b}[31mx\u{1b}[0m")
    #expect(Paint(isOn: false)("x", .bad) == "x" && Paint(isOn: true)("x", .plain) == "x")
  }

  @Test("Colours do not disturb the columns")
  func colouredTable() {
    let render = { (paint: Paint) in
      TableLayout.render([.init("A"), .init("B")], [[Cell("xx", .good), Cell("y")]], paint)
    }
    let bare = render(Paint(isOn: true)).replacing("\u{1b}[0m", with: "").replacing("\u{1b}[1m", with: "")
      .replacing("\u{1b}[32m", with: "")
    #expect(bare == render(plain))
  }

  @Test(
    "A secret line knows the keys of a terminal",
    arguments: [
      ("1234\n", .line("1234")), ("12\u{7f}34\r", .line("134")), ("12\u{8}\u{8}\u{8}9\n", .line("9")),
      ("99\u{15}1\n", .line("1")), ("1\u{3}", .interrupted), ("\u{4}", .end), ("12\u{4}", .line("12")), ("12", .more),
    ] as [(String, SecretLine.Step)])
  func secretLine(typed: String, end: SecretLine.Step) {
    var line = SecretLine()
    var last = SecretLine.Step.more
    for byte in typed.utf8 { last = line.type(byte) }
    #expect(last == end)
  }

  @Test(
    "Headers are a name and a value",
    arguments: [
      (["A: b"], ["A": "b"]), (["A:b"], ["A": "b"]), (["A: b: c "], ["A": "b: c "]),
      (["A:", "B:\t x"], ["A": "", "B": "x"]),
    ])
  func headers(arguments: [String], headers: [String: String]) throws {
    #expect(try HeaderArguments.read(arguments) == headers)
  }
}
