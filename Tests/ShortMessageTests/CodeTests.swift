import Testing

@testable import ShortMessage

@Suite("A one-time code")
struct CodeTests {
  @Test(
    "is found without being told what the message looks like",
    arguments: [
      ("Your code is 482913.", "482913"), ("G-482913 is your Google verification code.", "482913"),
      ("4829 is your PIN", "4829"), ("Use 12345678 to sign in", "12345678"),
      // Six digits before longer and earlier ones.
      ("In 2026 use 48291377, or 482913", "482913"), ("Code 1234 or 98765", "98765"), ("1234 and 5678", "1234"),
      ("Your code: 482-913", "482913"), ("Your code: 482 913.", "482913"), ("482913-17", "482913"),
      ("Ihr Code lautet: 482913. Gültig bis 12:30", "482913"), ("验证码482913，请勿泄露", "482913"),
      ("كودك هو ٤٨٢٩١٣", "482913"), ("コードは４８２９１３です", "482913"),
      // What touches a letter counts where nothing else is.
      ("Order AB1234: code 9876", "9876"), ("code482913", "482913"), ("x482913 but 4711", "4711"),
      ("Your code is 112233\n\n@example.com #482913", "482913"), ("Sign in\n@example.com #A1b2C3", "A1b2C3"),
      ("no digits here", nil), ("call +4915112345678", nil), ("12 and 345", nil), ("", nil), ("@example.com #12", nil),
      ("@ #482913x", "482913"),
    ] as [(String, String?)])
  func search(text: String, code: String?) {
    #expect(CodeSearch.code(in: text)?.revealed == code)
  }

  @Test(
    "is found by a pattern",
    arguments: [
      ("{digits}", "Your code is 482913", "482913"), ("code is {digits:6}", "Your CODE IS 482913 now", "482913"),
      ("code is {digits:4}", "Your code is 482913", nil), ("{digits:6} is", "1234 482913 is it", "482913"),
      ("{digits} is your", "4829 was, 1234 is your code", "1234"), ("PIN: {alnum:5}.", "PIN: A1b2C.", "A1b2C"),
      ("PIN: {alnum}", "PIN: ab", nil), ("code{any}{digits}", "code, as you asked: 482913", "482913"),
      ("a {any} b {digits:1-3}", "a x b 12", "12"), ("your   code {digits}", "your\n code\t 482913", "482913"),
      ("{{{digits}}}", "take {482913} now", "482913"), ("Größe {digits}", "GRÖSSE 4829", nil),
      ("größe {digits}", "GRÖßE 4829", "4829"), ("{digits:6}", "٤٨٢٩١٣", "482913"),
      ("{digits}!", "4829? 1234!", "1234"),
      ("x{digits}", "482913", nil), ("{digits:1}", "12 3", "3"), ("{digits}", "", nil),
      ("{any}{digits}{any}", "4829", "4829"),
      ("code{digits}", "code4829", "4829"), ("{alnum}", "code 4829", "code"),
    ] as [(String, String, String?)])
  func patterns(pattern: String, text: String, code: String?) throws {
    let made = try CodePattern(pattern)
    #expect(made.match(text)?.revealed == code)
  }

  @Test(
    "is not looked for with a pattern that says not where it is",
    arguments: [
      "", "no place", "{digits", "digits}", "{digit}", "{digits}{digits}", "{digits:0}", "{digits:9-4}",
      "{digits:1-33}",
      "{digits:}", "{digits:a}", "{digits:1-2-3}", "{any}", "{}", "{digits:-4}",
      String(repeating: "x", count: 200) + "{digits}",
    ])
  func badPatterns(text: String) {
    let error = #expect(throws: ShortMessageError.self) { try CodePattern(text) }
    #expect(error?.code == .badPattern)
    #expect(error?.message.contains("the pattern cannot be used") == true)
  }

  @Test("is looked for in bounded time, however nasty pattern and text are", .timeLimit(.minutes(1)))
  func nastyPattern() throws {
    let pattern = try CodePattern(String(repeating: "a{any}", count: 30) + "{digits}!")
    let text = String(repeating: "a", count: 20_000) + " 4829"
    #expect(pattern.match(text) == nil)
  }

  @Test("is asked for from a sender, whole and in either case")
  func senders() {
    #expect(MessageAddress("ExampleBank", kind: .alphanumeric).matches("EXAMPLEBANK"))
    #expect(!MessageAddress("ExampleBank", kind: .alphanumeric).matches("Example"))
    #expect(MessageAddress("+4915112345678", kind: .international).matches("+4915112345678"))
    #expect(!MessageAddress("+4915112345678", kind: .international).matches("4915112345678"))
  }
}
