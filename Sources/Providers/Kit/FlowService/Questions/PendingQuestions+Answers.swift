import AuthCore

extension PendingQuestions {
  /// What somebody hands in.
  package enum Answer: Hashable, Sendable {
    case code, mail, pin
  }
}

extension CodeQuestion.Wanted {
  var answer: PendingQuestions.Answer {
    switch self {
    case .code: .code
    case .mail: .mail
    case .pin: .pin
    }
  }

  /// As in "nobody gave …".
  var words: String {
    switch self {
    case .code: "the code"
    case .mail(.link): "the mail's link"
    case .mail(.code): "the mail's code"
    case .pin: "the PIN"
    }
  }

  /// The expected form, for the error.
  var form: String {
    switch self {
    case .code: "4 to 16 letters and digits"
    case .mail(.link): "the mail's link, or its code, of 4 to 2048 characters without blanks"
    case .mail(.code): "the mail's code, or its link, of 4 to 2048 characters without blanks"
    case .pin(let lengths, _):
      lengths.count == 1
        ? "\(lengths.lowerBound) digits" : "\(lengths.lowerBound) to \(lengths.upperBound) digits"
    }
  }

  func fits(_ text: String) -> Bool {
    switch self {
    case .code:
      (4...16).contains(text.utf8.count)
        && text.utf8.allSatisfy { Self.isDigit($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) }
    case .mail: (4...2048).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    case .pin(let lengths, _): lengths.contains(text.utf8.count) && text.utf8.allSatisfy(Self.isDigit)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
