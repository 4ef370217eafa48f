import ModemAPI
import ModemctlCore

/// Draws a chain as bars: on a terminal again with each hop, elsewhere once at the end. Details and
/// the result follow.
struct TraceScreen: ChainScreen {
  /// Width where nobody says one.
  private static let usualWidth = 100

  private let console: Console
  private let paint: Paint
  private let reveals: Bool
  private var waterfall = Waterfall()
  private var hops: [CheckInterface.Hop] = []
  /// Lines of the last drawing, which the next one replaces.
  private var drawn = 0

  init(_ session: Session) {
    console = session.console
    paint = session.paint
    reveals = session.options.reveal
  }

  mutating func text(for reply: CheckInterface.Open.Reply) -> String? {
    if let hop = reply.hop {
      hops.append(hop)
      waterfall.add(hop)
      return console.screen().flatMap { redraw(on: $0) }
    }
    guard let outcome = reply.outcome else { return nil }
    var text = drawnAtEnd() ?? ""
    for hop in hops { text += "\n" + TraceText.details(hop, reveals: reveals, paint) }
    if let result = OutcomeText.result(outcome, paint) { text += "\n" + result }
    return text
  }

  /// Moves to the first line of the last drawing, clears everything below, and draws. Anything that
  /// does not fit the screen waits for the end, because lines that have scrolled away cannot be
  /// drawn again.
  private mutating func redraw(on screen: Console.Screen) -> String? {
    // One column stays free, because some terminals wrap after the last one.
    let lines = waterfall.lines(width: screen.columns - 1, paint)
    let up = drawn == 0 ? "" : "\u{1b}[\(drawn)A\r\u{1b}[J"
    guard lines.count < screen.rows else {
      defer { drawn = 0 }
      return drawn == 0 ? nil : up
    }
    drawn = lines.count
    return up + lines.map { $0 + "\n" }.joined()
  }

  private func drawnAtEnd() -> String? {
    guard drawn == 0, !waterfall.isEmpty else { return nil }
    let width = console.screen().map { $0.columns - 1 } ?? console.variable("COLUMNS").flatMap { Int($0) }
    return waterfall.lines(width: width ?? Self.usualWidth, paint).map { $0 + "\n" }.joined()
  }
}
