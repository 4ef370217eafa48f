import DeviceAPI
import FleetSettings
import JSONTree
import ModemAPI

/// What a command's replies say of what modemd said.
extension Discretion {
  /// The outcome's fields.
  func outcome(_ answer: MachineAnswer, numbers: FleetSettings.Numbers) -> [String: JSONValue] {
    switch answer {
    case .modems(let modems):
      ["modems": .array(modems.prefix(64).map { .object(body($0, numbers: numbers)) })]
    case .modem(let modem): ["modem": .object(body(modem, numbers: numbers))]
    case .bearer(let bearer): ["bearer": self.answer(bearer)]
    case .prepared(let reply):
      JSONValue.fields([
        "modem": .string(name(reply.modem)), "resolved": .array(reply.resolved.map { .string($0) }),
        "unresolved": .array(reply.unresolved.map { .string($0) }), "milliseconds": .double(reply.milliseconds),
      ])
    case .verified(let outcome): fields(outcome)
    case .opened(let outcome): fields(outcome)
    case .reloaded: [:]
    }
  }

  /// Without the bearer's address, and with the fleet's name of the modem.
  private func fields(_ outcome: VerifyInterface.Outcome) -> [String: JSONValue] {
    var outcome = outcome
    outcome.source = nil
    return members(JSONValue(wire: outcome))
  }

  /// Without what the server said: an identity service's answer has numbers and tokens. Its status
  /// and media type stay.
  private func fields(_ outcome: CheckInterface.Outcome) -> [String: JSONValue] {
    var outcome = outcome
    outcome.source = nil
    outcome.redirect = nil
    outcome.answer?.json = nil
    outcome.answer?.text = nil
    outcome.answer?.base64 = nil
    return members(JSONValue(wire: outcome))
  }

  /// What a step or hop says; nil if it says nothing.
  func progress(_ progress: MachineProgress) -> [String: JSONValue] {
    switch progress {
    case .step(let step): ["event": .string("step"), "step": self(JSONValue(wire: step))]
    case .hop(let hop): ["event": .string("hop"), "hop": self(JSONValue(wire: hop))]
    case .chainHop(var hop):
      ["event": .string("hop"), "hop": self(JSONValue(wire: plain(&hop)))]
    }
  }

  /// A hop without fields, cookies and lists, which are long and may be telling.
  private func plain(_ hop: inout CheckInterface.Hop) -> CheckInterface.Hop {
    hop.cookies = []
    (hop.url, hop.addresses, hop.setCookies) = (nil, nil, nil)
    (hop.requestFields, hop.answerFields, hop.traceFields) = (nil, nil, nil)
    return hop
  }

  private func members(_ value: JSONValue) -> [String: JSONValue] {
    guard case .object(let members) = self(value) else { return [:] }
    return members
  }

  /// The error that modemd answered.
  func error(_ failure: MachineFailure) -> (parameters: [String: JSONValue], text: String) {
    (members(failure.parameters), self(failure.text))
  }
}
