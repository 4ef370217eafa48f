import JSONTree

/// One call of a page, as the extension passes it on.
package struct PageCall: Hashable, Sendable {
  package enum Verb: Hashable, Sendable {
    /// The first call of each page: whose page it is, as the browser told the extension.
    case open(PageOrigin)
    /// A flow: the call's name and what it asks, which whoever carries it out reads.
    case begin(String, JSONValue)
    /// What the person entered, for the flow with this id.
    case answer(flow: Int, value: String)
    /// Ends the flow with this id.
    case cancel(flow: Int)
  }

  /// Of the page's choice; each event of the call has it.
  package let id: Int
  package let verb: Verb

  /// Reads a message strictly: what is not known is refused.
  ///
  /// - Throws: `PageFailure` with the member that is wrong, and the id if there is one.
  package init(_ message: [UInt8]) throws(Refused) {
    guard let value = try? JSONReader.read(message, .init(depth: 8, values: 128)), case .object(let members) = value
    else { throw Refused(id: nil, failure: .badMessage("the message is no JSON object")) }
    guard case .int(let id)? = members["id"], (0...Int(Int32.max)).contains(id) else {
      throw Refused(id: nil, failure: .badArgument("id", "a number from 0 to 2147483647"))
    }
    do throws(PageFailure) {
      try Self.demand(members, among: ["id", "call", "parameters"], place: "")
      guard let call = members["call"]?.string else { throw .badArgument("call", "the name of a call") }
      let parameters = members["parameters"] ?? .object([:])
      guard case .object(let fields) = parameters else { throw .badArgument("parameters", "an object") }
      self.id = id
      verb = try Self.verb(call, fields)
    } catch {
      throw Refused(id: id, failure: error)
    }
  }

  /// Why a message is no call.
  package struct Refused: Error, Hashable, Sendable {
    package let id: Int?
    package let failure: PageFailure

    package init(id: Int?, failure: PageFailure) {
      self.id = id
      self.failure = failure
    }
  }

  private static func verb(_ call: String, _ fields: [String: JSONValue]) throws(PageFailure) -> Verb {
    switch call {
    case "open":
      try demand(fields, among: ["origin"], place: "parameters.")
      guard let origin = fields["origin"]?.string.flatMap(PageOrigin.init) else {
        throw .badArgument("parameters.origin", "the https origin of a page")
      }
      return .open(origin)
    case "answer":
      try demand(fields, among: ["flow", "value"], place: "parameters.")
      guard let value = fields["value"]?.string, (1...64).contains(value.utf8.count) else {
        throw .badArgument("parameters.value", "text of 1 to 64 bytes")
      }
      return .answer(flow: try flow(fields), value: value)
    case "cancel":
      try demand(fields, among: ["flow"], place: "parameters.")
      return .cancel(flow: try flow(fields))
    default:
      guard (1...32).contains(call.utf8.count), call.utf8.allSatisfy({ (0x41...0x7a).contains($0) }) else {
        throw .badArgument("call", "the name of a call")
      }
      return .begin(call, .object(fields))
    }
  }

  private static func flow(_ fields: [String: JSONValue]) throws(PageFailure) -> Int {
    guard case .int(let flow)? = fields["flow"] else { throw .badArgument("parameters.flow", "the id of a call") }
    return flow
  }

  /// Refuses members that nobody reads.
  package static func demand(
    _ members: [String: JSONValue], among known: Set<String>, place: String
  ) throws(PageFailure) {
    guard let stranger = members.keys.filter({ !known.contains($0) }).min() else { return }
    let name = stranger.utf8.count <= 40 && stranger.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    throw .badArgument(
      place + (name ? stranger : "(a member)"), "none of this name; known are \(known.sorted().joined(separator: ", "))"
    )
  }
}

/// Why a call has no outcome.
package enum PageFailure: Error, Hashable, Sendable {
  /// The message is not one of this protocol.
  case badMessage(String)
  /// A member is missing or wrong: its path, and what was expected.
  case badArgument(String, String)
  /// The page's origin, its extension or this call is not in the host's configuration.
  case notAllowed(String)
  /// `open` comes first, and once.
  case notOpened
  /// A flow is under way already.
  case busy
  /// Too many flows of this origin in a minute.
  case tooMany(retryAfterSeconds: Int)
  /// No flow with that id waits for that.
  case noSuchFlow
  /// modemd does not answer, or refuses: its error's name and a sentence.
  case modem(name: String, text: String)

  /// A word for programs. New ones may come.
  package var name: String {
    switch self {
    case .badMessage: "badMessage"
    case .badArgument: "badArgument"
    case .notAllowed: "notAllowed"
    case .notOpened: "notOpened"
    case .busy: "busy"
    case .tooMany: "tooMany"
    case .noSuchFlow: "noSuchFlow"
    case .modem(let name, _): name
    }
  }

  /// One sentence for people: what is wrong, and what to do.
  package var text: String {
    switch self {
    case .badMessage(let text): text
    case .badArgument(let field, let expected): "\(field) is missing or wrong; expected \(expected)"
    case .notAllowed(let text): text
    case .notOpened: "the first call of a page, and only the first, is open"
    case .busy: "another call of this page is under way; wait for its end, or cancel it"
    case .tooMany(let seconds): "this site has asked too often; try again in \(seconds) s"
    case .noSuchFlow: "no call with that id waits for this"
    case .modem(_, let text): text
    }
  }
}
