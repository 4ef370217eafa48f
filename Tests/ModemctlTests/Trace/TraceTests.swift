import Glibc
import ModemAPI
import ModemAPIServer
import ModemService
@_spi(Exchange) import RedirectChain
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("open --trace", .timeLimit(.minutes(1))) struct TraceTests {
  private static let chain: CheckService.ChainRunner = { request, _, onHop in
    for index in 1...3 {
      var hop = ChainHop(.init(index: index, url: request.url, headers: [], cookieNames: ["a"]))
      hop.address = "203.0.113.\(index)"
      hop.status = 302
      hop.times.firstByte = 30
      hop.times.end = 31
      onHop(hop)
    }
    return .answer(ChainAnswer(status: 200, contentType: "text/plain", body: Array("done".utf8)))
  }

  /// Runs `open --trace` on a screen, and gives what was written piece by piece.
  private static func pieces(_ screen: Console.Screen?, _ variables: [String: String] = [:]) async throws -> [String] {
    var pieces: [String] = []
    try await MemoryService.run(chain: chain) { service in
      let recorder = RecordingConsole()
      let written = recorder.pieces()
      var console = recorder.console(variables: ["MODEMD_SOCKET": service.path].merging(variables) { $1 })
      console.screen = { screen }
      let status = await Modemctl.run(["open", "https://check.example/x?secret=1", "--trace"], on: console)
      #expect(Ending(rawValue: status) == .done, "\(recorder.messages)")
      recorder.finish()
      for await piece in written { pieces.append(piece) }
    }
    return pieces
  }

  @Test("On a terminal the drawing grows: each hop replaces the last drawing, within the screen's width")
  func grows() async throws {
    let pieces = try await Self.pieces(.init(columns: 60, rows: 24))
    #expect(pieces.count == 4)
    #expect(!pieces[0].hasPrefix("\u{1b}") && pieces[0].split(separator: "\n").count == 3)
    #expect(pieces[1].hasPrefix("\u{1b}[3A\r\u{1b}[J") && pieces[2].hasPrefix("\u{1b}[4A\r\u{1b}[J"))
    #expect(pieces[2].split(separator: "\n").count == 5)
    #expect(
      pieces.prefix(3).joined().split(separator: "\n").allSatisfy { line in
        line.replacing(#/\e\[[0-9]*[AJ]|\r/#, with: "").count <= 59
      })
    // The drawing stands; what follows is not drawn over it.
    #expect(!pieces[3].contains("\u{1b}[") && pieces[3].contains("Hop 3 302") && pieces[3].contains("done"))
    #expect(!pieces.joined().contains("secret"))
  }

  @Test("Elsewhere it is drawn once, without a control character, as wide as COLUMNS says")
  func plain() async throws {
    let pieces = try await Self.pieces(nil, ["COLUMNS": "72"])
    #expect(pieces.count == 1)
    #expect(!pieces[0].contains("\u{1b}") && !pieces[0].contains("\r"))
    #expect(pieces[0].split(separator: "\n").prefix(4).map(\.count).max() == 72)
  }

  @Test("What does not fit on the screen is drawn at the end")
  func tooTall() async throws {
    let pieces = try await Self.pieces(.init(columns: 80, rows: 5))
    // Two hops fit, the third does not: the drawing is taken back, and comes whole at the end.
    #expect(pieces.count == 4)
    #expect(pieces[2] == "\u{1b}[4A\r\u{1b}[J")
    #expect(pieces[3].split(separator: "\n").count > 5 && !pieces[3].contains("\u{1b}["))
  }

  @Test(
    "A server's text never steers the terminal",
    arguments: ["a\u{1b}[2Jb", "a\u{7}b", "a\nb", "a\u{9b}b", "a\u{202e}b"])
  func controls(text: String) {
    var hop = WaterfallTests.hop(1, start: 0, .init(end: 1))
    hop.cookies = [text]
    hop.setCookies = [text]
    hop.traceFields = [.init(name: text, value: text)]
    hop.answerFields = [.init(name: "Location", value: text)]
    let shown = TraceText.details(hop, reveals: true, Paint(isOn: false))
    #expect(!shown.contains(text) && shown.contains("a?"))
    let isSafe = shown.unicodeScalars.allSatisfy {
      $0 == "\n" || ![.control, .format].contains($0.properties.generalCategory)
    }
    #expect(isSafe)
    #expect(shown.contains("< Location"))
    #expect(!TraceText.details(hop, reveals: false, Paint(isOn: false)).contains("Location"))
  }

  @Test("Who may not have secrets revealed is told so, and the chain does not begin")
  func denied() async throws {
    try await MemoryService.run(
      access: .init(groupIDs: [0], ownUserID: 4_000_000),
      chain: { _, _, _ in .failed(ChainFailure(.cancelled, "it began")) }
    ) { service in
      guard geteuid() != 0 else { return }
      let run = await service.modemctl("open", "https://check.example/", "--trace", "--reveal")
      #expect(run.status == .denied && run.messages.contains("access.revealGroups"))
    }
  }
}
