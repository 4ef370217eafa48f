import OperatorSimulator
import Glibc

/// The file in which the operator's process notes the secrets that its services make, for its owner alone.
struct IssuedSecrets: Sendable {
  private let path: String

  init(at path: String) { self.path = path }

  func add(_ value: String, kind: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let line = Array("\(kind)\t\(MessageLine.line(of: value))\n".utf8)
    _ = write(descriptor, line, line.count)
  }

  /// All that were made so far.
  var all: [ScenarioSecret] {
    (WorldFolder.read(path) ?? "").split(separator: "\n").compactMap { line in
      let halves = line.split(separator: "\t", maxSplits: 1)
      guard halves.count == 2 else { return nil }
      return ScenarioSecret(kind: String(halves[0]), value: MessageLine.text(of: String(halves[1])))
    }
  }
}
