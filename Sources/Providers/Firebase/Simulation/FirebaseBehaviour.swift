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
    /// A message with another code follows at once, as may happen.
    case decoy
  }

  /// Errors by method: `sendVerificationCode`, `signInWithPhoneNumber`, `token`.
  package var refusals: [String: String] = [:]
  package var messages = Messages.code
  package var sender = "Firebase"
  package var disabledNumbers: Set<String> = []
  package var secondFactorNumbers: Set<String> = []

  package init() {}

  /// Missing or unknown members mean that nothing fails.
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
    // Never the right code: its first digit differs.
    case .decoy: [text, "\(code.hasPrefix("9") ? "1" : "9")\(code.dropFirst()) is your code for something else."]
    }
  }
}
