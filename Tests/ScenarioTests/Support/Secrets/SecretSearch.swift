import OperatorSimulator

@testable import ScenarioRunner

/// A text from a run: a log, or the output of a command.
struct CollectedText: Hashable, Sendable {
  /// The file's name, or the kind of text.
  var name: String
  var text: String

  init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// Knows every secret of a scenario, and finds those that texts contain.
///
/// Secrets are the numbers of SIMs and subscribers, IMSI, ICCID, PINs that are asked for, modemd's
/// credentials, what the providers' settings say is secret, and the codes and tokens that simulated
/// services have made.
struct SecretSearch: Sendable {
  /// A secret that appears in a text. Its value is not included.
  struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The text's name.
    var file: String
    /// From 1.
    var line: Int
    /// What was found, as in `number`.
    var kind: String

    var description: String { "\(file), line \(line): \(kind)" }
  }

  private struct Form: Hashable {
    var kind: String
    /// In UTF-8.
    var bytes: [UInt8]
    var isWord: Bool
  }

  private let forms: [Form]

  /// - Parameter issued: secrets that are not in the scenario, each with its kind.
  init(_ scenario: Scenario, issued: [(kind: String, value: String)] = []) {
    self.init(scenario.secrets + issued.map { ScenarioSecret(kind: $0.kind, value: $0.value) })
  }

  init(_ secrets: [ScenarioSecret]) {
    var forms: [Form] = []
    for secret in Set(secrets) {
      for match in secret.isNumber ? SecretForms.ofNumber(secret.value) : SecretForms.ofText(secret.value) {
        switch match {
        case .part(let text): forms.append(Form(kind: secret.kind, bytes: Array(text.utf8), isWord: false))
        case .word(let text): forms.append(Form(kind: secret.kind, bytes: Array(text.utf8), isWord: true))
        }
      }
    }
    self.forms = forms
  }

  /// Every secret in a text, once for each kind and line.
  func findings(in text: CollectedText) -> [Finding] {
    var findings: [Finding] = []
    for (index, line) in text.text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
      let line = Array(line)
      // As people write numbers: 0151 1234-5678.
      let joined = Self.joined(line)
      let kinds = forms.filter { form in
        Self.contains(line, form) || (!form.isWord && joined != line && Self.contains(joined, form))
      }
      for kind in Set(kinds.map(\.kind)).sorted() {
        findings.append(Finding(file: text.name, line: index + 1, kind: kind))
      }
    }
    return findings
  }

  /// Every secret in some texts.
  func findings(in texts: [CollectedText]) -> [Finding] { texts.flatMap { findings(in: $0) } }

  private static func contains(_ line: [UInt8], _ form: Form) -> Bool {
    let count = form.bytes.count
    guard let first = form.bytes.first, line.count >= count else { return false }
    var start = 0
    while start + count <= line.count, let found = line[start...(line.count - count)].firstIndex(of: first) {
      if line[found..<(found + count)].elementsEqual(form.bytes),
        !form.isWord || !(isOfWord(line, found - 1) || isOfWord(line, found + count))
      {
        return true
      }
      start = found + 1
    }
    return false
  }

  private static func isOfWord(_ line: [UInt8], _ index: Int) -> Bool {
    guard line.indices.contains(index) else { return false }
    let byte = line[index]
    return isDigit(byte) || (0x61...0x7a).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The line without single blanks, hyphens, slashes and brackets between digits.
  private static func joined(_ line: [UInt8]) -> [UInt8] {
    let separators = Set(" -/().".utf8)
    return line.enumerated().filter { index, byte in
      guard separators.contains(byte), index > 0, index + 1 < line.count else { return true }
      return !(isDigit(line[index - 1]) && isDigit(line[index + 1]))
    }.map(\.element)
  }
}

extension Scenario {
  /// Every secret that it contains.
  var secrets: [ScenarioSecret] {
    var secrets: [ScenarioSecret] = []
    for sim in [members.map(\.sim), otherSIMs].joined() where sim.state != .absent {
      secrets += sim.numbers.map { ScenarioSecret(number: $0, kind: "number") }
      secrets += (sim.numberRecords ?? []).filter { !$0.isEmpty }.map { ScenarioSecret(number: $0, kind: "number") }
      secrets.append(ScenarioSecret(number: sim.imsi, kind: "IMSI"))
      secrets.append(ScenarioSecret(number: sim.iccid, kind: "ICCID"))
      if sim.state == .pinRequired || sim.state == .pukRequired {
        secrets += [ScenarioSecret(kind: "PIN", value: sim.pin), ScenarioSecret(kind: "PUK", value: sim.puk)]
      }
    }
    secrets += subscribers.map { ScenarioSecret(number: $0.number, kind: "number") }
    secrets += modemdCredentials.map { ScenarioSecret(kind: "credential \($0.key)", value: $0.value) }
    return secrets + providers.flatMap(\.definition.secrets)
  }
}
