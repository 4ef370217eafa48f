import ModemAPI
import ModemctlCore
import TS43API

extension TS43Interface.Verify.Reply: FlowReply {}

extension TS43Interface.PhoneNumber.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [
      ("operator's number", number), ("number on the SIM", simNumber),
      ("the same", same.map { $0 ? "yes" : "no; the operator's counts" }),
    ]
  }

  package func masked() -> Self {
    var reply = self
    reply.number = number.map { Mask.number($0) }
    reply.simNumber = simNumber.map { Mask.number($0) }
    return reply
  }
}

extension TS43Interface.SubscriberInfo.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [
      ("operator's number", number), ("kind of SIM id", simIDType.map { ForeignText.visible($0) }),
      ("SIM id", simID.map { ForeignText.visible($0) }),
      ("virtual operator", virtualOperator.map { ForeignText.visible($0) }),
    ]
  }

  package func masked() -> Self {
    var reply = self
    reply.number = number.map { Mask.number($0) }
    reply.simID = simID.map { Mask.digits($0, readable: 4) }
    return reply
  }
}

/// The token is what was asked for, and is of no use masked.
extension TS43Interface.TemporaryToken.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [
      ("token", token.map { ForeignText.visible($0) }), ("ends", expires), ("MCC", mcc), ("MNC", mnc), ("GID1", gid1),
    ]
  }
}
