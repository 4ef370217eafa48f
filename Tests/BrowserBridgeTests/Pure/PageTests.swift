import LimitClock
import Testing

@testable import BrowserBridge

@Suite("Pages", .timeLimit(.minutes(1)))
struct PageTests {
  @Test func `a text cannot become markup, wherever it stands`() {
    let evil = "\"><script src='https://evil.example'>&amp;\u{0}\u{1b}[31m</script>"
    let html = Markup.element(.p, [.init(.id, evil)], evil).html
    #expect(html.count { $0 == "<" } == 2 && html.count { $0 == ">" } == 2, "\(html)")
    #expect(!html.contains("\u{0}") && !html.contains("\u{1b}") && html.contains("&amp;amp;"))
    #expect(html.count { $0 == "\"" } == 2 && !html.contains("'"))
  }

  @Test func `what is filled into a text is not read again`() {
    let text = Text(.en, name: "{number}")
    #expect(text(.back) == "Back to {number}")
    #expect(text(.numberLine, ["number": "{name}"]) == "Number: {name}")
  }

  @Test(arguments: Words.allCases)
  func `each text is there in both languages, with the same blanks`(_ words: Words) {
    let blanks = Language.allCases.map { language in
      words.text(language).matches(of: /\{[a-z]+\}/).map { String($0.output) }.sorted()
    }
    #expect(blanks[0] == blanks[1])
    #expect(words.text(.en) != words.text(.de) && !words.text(.en).isEmpty)
  }

  @Test(arguments: [
    (nil, Language.en), ("", .en), ("de", .de), ("de-AT,de;q=0.9,en;q=0.8", .de), ("en-GB,de;q=0.9", .en),
    ("fr,de;q=0.4,en;q=0.3", .de), ("fr", .en), ("de;q=0,en;q=0.1", .en), ("de;q=x", .en), (";;,,q=1", .en),
    ("*", .en),
  ])
  func `the browser's language is taken if it is one of the pages'`(_ accepted: String?, _ language: Language) {
    #expect(Language(accepted: accepted) == language)
  }

  @Test(arguments: [
    ("ticket=a&ticket=b", nil), ("ticket=https%3A%2F%2Fa.example%2Fx%2B", "https://a.example/x+"), ("other=1", nil),
    ("ticket", ""), (String(repeating: "a=1&", count: 20), nil),
  ])
  func `a parameter that stands twice is none`(_ query: String, _ value: String?) {
    #expect(FormFields(query)?["ticket"] == value)
  }
}
