import ModemModel

/// What was collected and found, as one text, with all personal and secret values masked.
struct DiagnosisReport: Codable, Hashable, Sendable {
  struct Section: Codable, Hashable, Sendable {
    var title: String
    var text: String
  }

  var version: String
  /// RFC 3339.
  var made: String
  var findings: [Finding]
  /// Titles of the sections.
  var lookedAt: [String]
  /// What could not be read, and who could read it.
  var unread: [String]
  var sections: [Section]
  /// The file of the report; nil if it went to standard output.
  var file: String?

  init(_ collector: Collector, made: Timestamp) {
    var mask = collector.mask
    version = Product.version
    self.made = made.description
    // Other programs wrote parts of these texts.
    let shown: (String, inout ReportMask) -> String = { text, mask in printable(mask(text)) }
    findings = Findings.all(of: collector.seen).map { finding in
      Finding(
        finding.id, finding.weight, seen: shown(finding.seen, &mask), why: shown(finding.why, &mask),
        next: shown(finding.next, &mask))
    }
    lookedAt = collector.sections.map(\.title)
    unread = collector.unread.map { shown($0, &mask) }
    sections = collector.sections.map { Section(title: $0.title, text: shown($0.text, &mask)) }
  }

  /// The whole report for people.
  var text: String {
    var text = """
      modemctl diagnose \(version), \(made)
      Personal values have names in this file, as imsi#1: the same name is the same value all over it. Look through it before you give it away.


      """
    text += head("What is wrong") + findingsText + "\n"
    if !unread.isEmpty { text += head("What could not be read") + unread.map { "- \($0)\n" }.joined() + "\n" }
    text += sections.map { head($0.title) + $0.text + "\n\n" }.joined()
    return text + "End of the report.\n"
  }

  /// The findings in words, numbered.
  var findingsText: String {
    guard !findings.isEmpty else {
      return "Nothing that modemctl knows of. Looked at: \(lookedAt.joined(separator: "; ")).\n"
    }
    return findings.enumerated().map { place, finding in
      let weight =
        switch finding.weight {
        case .wrong: ""
        case .attention: "Attention: "
        case .note: "Note: "
        }
      return
        "\(place + 1). \(weight)\(finding.seen)\n   Why it matters: \(finding.why)\n   What to do: \(finding.next)\n"
    }.joined()
  }

  private func head(_ title: String) -> String { "== \(title) ==\n" }
}

/// Without control characters: other programs wrote these texts.
func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || (0x7f...0x9f).contains(scalar.value)
        let isDirection = (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        return isControl || isDirection ? "\u{fffd}" : scalar
      }))
}
