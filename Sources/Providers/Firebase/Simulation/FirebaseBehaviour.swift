import JSONTree
import OperatorSimulator

/// How a simulated Firebase fails.
///
///     { "refusals": { "sendVerificationCode": "QUOTA_EXCEEDED : …" }, "messages": "none",
///       "sender": "Firebase", "disabledNumbers": ["+44…"], "secondFactorNumbers": [] }
package struct FirebaseBehaviour: Hashable, Sendable {
  /// What is sent for a code.
  package enum Messages: String, Hashable, Sendable, CaseIterable {
    case code
    /// Nothing comes.
    case none
    /// A message with another code follows at once, as it may happen.
    case decoy
  }

  /// Errors by method: `sendVerificationCode`, `signInWithPhoneNumber`, `token`.
  package var refusals: [String: String] = [:]
  package var messages = Messages.code
  package var sender = "Firebase"
  package var disabledNumbers: Set<String> = []
  package var secondFactorNumbers: Set<String> = []

  package init() {}

  /// What is missing, or is none of the words, is as it is without failures.
  package init(_ json: JSONValue) {
    if case .object(let members)? = json["refusals"] { refusals = members.compactMapValues(\.string) }
    messages = json["messages"]?.string.flatMap { Messages(rawValue: $0) } ?? messages
    sender = json["sender"]?.string ?? sender
    disabledNumbers = Set(json["disabledNumbers"]?.items.compactMap(\.string) ?? [])
    secondFactorNumbers = Set(json["secondFactorNumbers"]?.items.compactMap(\.string) ?? [])
  }

  func texts(code: String) -> [String] {
    let text = "\(code) is your verification code for Example."
    return switch messages {
    case .code: [text]
    case .none: []
    // Never the right one: its first digit is another.
    case .decoy: [text, "\(code.hasPrefix("9") ? "1" : "9")\(code.dropFirst()) is your code for something else."]
    }
  }
}
