import ModemAPI
import ModemctlCore

/// Asks a person for what a kind of provider needs.
struct ProviderQuestions {
  let session: Session

  /// The kind.
  func kind(among kinds: [VerifyInterface.ProviderKind]) throws -> String {
    session.console.complain("Kinds: \(kinds.map(\.kind).joined(separator: ", "))\n")
    return try needed("kind")
  }

  /// The name.
  ///
  /// - Parameter standard: what an empty line means.
  func name(standard: String) throws -> String {
    try line("name [\(standard)]: ") ?? standard
  }

  /// Asks for the keys and secrets that the draft does not have yet.
  func complete(_ draft: inout ProviderDraft) throws {
    for row in draft.kind.keys where !row.secret && row.need != .optional && !draft.keys.contains(row.key) {
      explain(row)
      let answer = row.need == .required ? try needed(row.key) : try line("\(row.key): ")
      if let answer { try set(&draft, row.key, answer) }
      for secret in draft.kind.keys where secret.secret && secret.companion == row.key {
        try ask(for: secret, &draft)
      }
    }
    for secret in draft.kind.keys where secret.secret && secret.companion == nil && secret.need != .optional {
      try ask(for: secret, &draft)
    }
  }

  /// A value that does not fit is told, and asked for again.
  private func set(_ draft: inout ProviderDraft, _ key: String, _ answer: String) throws {
    var answer = answer
    while true {
      do {
        return try draft.set(key, to: answer)
      } catch let error as ModemctlError where error.status == .usage {
        session.complain(error.message)
        answer = try needed(key)
      }
    }
  }

  private func ask(for row: VerifyInterface.ProviderKey, _ draft: inout ProviderDraft) throws {
    guard draft.secrets[row.key] == nil, row.companion.map({ draft.keys.contains($0) }) ?? true else { return }
    explain(row)
    guard let answer = try session.console.readSecret("\(row.key) (not shown; or @ and a file's whole path): ") else {
      throw ModemctlError(.usage, "standard input ended before \(row.key)")
    }
    guard !answer.isEmpty else { return }
    let bytes =
      answer.hasPrefix("@/") ? try ArgumentFile.read(String(answer.dropFirst()), for: row.key) : Array(answer.utf8)
    try draft.set(secret: row.key, to: bytes)
  }

  private func explain(_ row: VerifyInterface.ProviderKey) {
    let note =
      switch (row.need, row.standard) {
      case (.required, _): ""
      case (_, let standard?): " (empty: \(standard))"
      case (_, nil): " (may be empty)"
      }
    session.console.complain("\n\(row.meaning)\(note)\n")
  }

  private func needed(_ key: String) throws -> String {
    while true {
      if let answer = try line("\(key): ") { return answer }
      session.complain("\(key) is needed")
    }
  }

  /// - Returns: nil for an empty line.
  private func line(_ prompt: String) throws -> String? {
    guard let line = try session.console.readText(prompt) else {
      throw ModemctlError(.usage, "standard input ended; give the rest with --set and --secret")
    }
    let blanks: Set<Character> = [" ", "\t", "\r"]
    var text = line.drop { blanks.contains($0) }
    while let last = text.last, blanks.contains(last) { text.removeLast() }
    return text.isEmpty ? nil : String(text)
  }
}
