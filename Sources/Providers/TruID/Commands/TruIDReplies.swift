import ModemAPI
import ModemctlCore
import TruIDAPI
import Varlink

extension TruIDInterface.PhoneCheck.Reply: ServerAnswerReply {
  package var findings: [(String, String?)] { (check?.findings ?? []) + [serverFinding] }
}

extension TruIDInterface.SubscriberCheck.Reply: ServerAnswerReply {
  package var findings: [(String, String?)] { (check?.findings ?? []) + [serverFinding] }
}

extension TruIDInterface.SIMCheck.Reply: FlowReply {
  package var findings: [(String, String?)] { check?.findings ?? [] }
}

extension TruIDInterface.Coverage.Reply: FlowReply {
  package var findings: [(String, String?)] {
    guard let served else { return [] }
    return [
      ("network", served.network), ("name", served.networkName.map { ForeignText.visible($0) }),
      ("country", served.country), ("dialling code", served.dialingCode), ("address", served.address),
      ("products", served.products.map { $0.map(\.words).joined(separator: ", ") }),
    ]
  }

  package func masked() -> Self {
    var reply = self
    reply.served?.address = Mask.hide(served?.address)
    return reply
  }
}

extension TruIDInterface.Traces.Reply: FlowReply {
  package var findings: [(String, String?)] {
    (traces ?? []).flatMap(\.entries).map { entry in
      let attributes = entry.attributes.map { " \($0.text)" } ?? ""
      return (entry.time, ForeignText.visible(entry.message + attributes))
    }
  }

  package func masked() -> Self {
    var reply = self
    reply.traces = traces?.map { trace in
      var trace = trace
      trace.entries = trace.entries.map { entry in
        var entry = entry
        entry.message = Mask.text(entry.message)
        entry.attributes = entry.attributes.map { Mask.json($0) }
        return entry
      }
      return trace
    }
    return reply
  }
}

extension TruIDInterface.Check {
  fileprivate var findings: [(String, String?)] {
    [
      ("check", id), ("network", network),
      ("SIM changed within", simChangeWithinMinutes.map { $0 > 525_600 ? "more than a year" : "\($0) minutes" }),
      ("looked back", simChangePeriodMinutes.map { "\($0) minutes" }), ("SIM changed", lastSIMChange),
      ("requests left", rateRemaining.map { left in "\(left)" + (rateLimit.map { " of \($0)" } ?? "") }),
    ]
  }
}

extension TruIDInterface.Product {
  fileprivate var words: String { [name ?? id, extent].compactMap(\.self).joined(separator: " ") }
}
