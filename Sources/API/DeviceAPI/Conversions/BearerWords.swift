import ModemModel

// What org.modemd.Bearer and org.modemd.Port call the states of a bearer.

extension BearerState {
  /// The state's name on the wire, and its cause where it has one.
  package var wordAndCause: (String, NetworkCause?) {
    switch self {
    case .down(let cause): ("down", cause)
    case .attaching: ("attaching", nil)
    case .connecting: ("connecting", nil)
    case .configuring: ("configuring", nil)
    case .up: ("up", nil)
    case .disconnecting: ("disconnecting", nil)
    case .failed(let cause): ("failed", cause)
    }
  }
}

extension BearerStatus.Resumption {
  /// The name on the wire.
  package var word: String {
    switch self {
    case .pending: "pending"
    case .resumed: "resumed"
    case .refused: "refused"
    }
  }

  /// The reason, or what is waited for.
  package var text: String? {
    switch self {
    case .pending(let text): text
    case .resumed: nil
    case .refused(let text): text
    }
  }
}

extension BearerStatus.Traffic {
  /// The name on the wire.
  package var word: String {
    switch self {
    case .untested: "untested"
    case .answered: "answered"
    case .silent: "silent"
    }
  }

  /// The reason of silence.
  package var text: String? { if case .silent(let text) = self { text } else { nil } }
}
