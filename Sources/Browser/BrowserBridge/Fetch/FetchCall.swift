import JSONTree
import ModemModel
import NativeMessaging

/// What a page has posted: a message of native messaging, but for `answer`, whose flow is a text
/// that nobody can guess.
package struct FetchCall: Sendable {
  package enum Verb: Sendable {
    case ask(Ask, TicketQuestion)
    /// What the person entered, for the question with this key.
    case answer(key: String, value: WipedText)
  }

  /// Of the page's choice; each event of the call has it.
  package let id: Int
  package let verb: Verb

  /// Reads a body strictly: what is not known is refused.
  ///
  /// - Parameter asks: what the page's origin may ask.
  /// - Throws: `PageCall.Refused`, with the id if there is one.
  package init(_ body: [UInt8], asks: [Ask]) throws(PageCall.Refused) {
    guard let value = try? JSONReader.read(body, .init(depth: 8, values: 128)), case .object(let members) = value
    else { throw PageCall.Refused(id: nil, failure: .badMessage("the body is no JSON object")) }
    guard case .int(let id)? = members["id"], (0...Int(Int32.max)).contains(id) else {
      throw PageCall.Refused(id: nil, failure: .badArgument("id", "a number from 0 to 2147483647"))
    }
    do throws(PageFailure) {
      try PageCall.demand(members, among: ["id", "call", "parameters"], place: "")
      guard let call = members["call"]?.string else { throw .badArgument("call", "the name of a call") }
      guard case .object(let fields) = members["parameters"] ?? .object([:]) else {
        throw .badArgument("parameters", "an object")
      }
      self.id = id
      verb = try call == "answer" ? Self.answer(fields) : Self.ask(call, fields, asks)
    } catch {
      throw PageCall.Refused(id: id, failure: error)
    }
  }

  private static func ask(
    _ call: String, _ fields: [String: JSONValue], _ asks: [Ask]
  ) throws(PageFailure) -> Verb {
    guard let ask = asks.first(where: { $0.rawValue == call }) else {
      throw .notAllowed("this origin may call \(asks.map(\.rawValue).joined(separator: ", ")), and nothing else")
    }
    return .ask(ask, try TicketQuestion(ask, of: .object(fields)))
  }

  private static func answer(_ fields: [String: JSONValue]) throws(PageFailure) -> Verb {
    try PageCall.demand(fields, among: ["flow", "value"], place: "parameters.")
    guard let key = fields["flow"]?.string, key.utf8.count <= 64 else {
      throw .badArgument("parameters.flow", "the text that the question had")
    }
    // A code (org.modemd.PhoneSignIn.GiveCode): digits, and letters at some providers.
    guard let value = fields["value"]?.string, (1...16).contains(value.utf8.count),
      value.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) })
    else { throw .badArgument("parameters.value", "a code of 1 to 16 digits and letters") }
    return .answer(key: key, value: WipedText(value))
  }
}
