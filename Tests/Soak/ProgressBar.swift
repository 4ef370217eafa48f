import Glibc
import OutsideNumber
import ScenarioRunner
import Synchronization

/// Shows the progress: on a terminal a changing line, elsewhere a line for each tenth.
final class ProgressBar: Sendable {
  private let name: String
  private let total: Int
  private let isTerminal = isatty(1) != 0
  private let started = ContinuousClock.now
  private let last = Mutex<(tenth: Int, shown: ContinuousClock.Instant?)>((0, nil))

  init(_ name: String, total: Int) {
    self.name = name
    self.total = total
  }

  func show(_ done: Int, _ words: String) {
    let now = ContinuousClock.now
    let isDue = last.withLock { last in
      let tenth = done * 10 / max(total, 1)
      let isDue =
        isTerminal ? last.shown.map { now - $0 > .milliseconds(200) } ?? true || done == total : tenth > last.tenth
      if isDue { last = (tenth, now) }
      return isDue
    }
    guard isDue else { return }
    let filled = done * 30 / max(total, 1)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
    let elapsed = now - started
    let rest = elapsed * (total - done) / max(done, 1)
    let line = "\(name) [\(bar)] \(done)/\(total)  \(words)  \(elapsed.words), about \(rest.words) left"
    Console.write((isTerminal ? "\r\u{1b}[K" : "") + line + (isTerminal ? "" : "\n"))
  }

  func end() {
    if isTerminal { Console.write("\n") }
  }
}
