// For the log: what happened and the bearer's state, without addresses or access points.

extension BearerMachine.Phase {
  var name: String {
    switch self {
    case .idle: "idle"
    case .comingUp: "coming up"
    case .up: "up"
    case .damaged: "damaged"
    case .breakingOff: "breaking off"
    case .goingDown: "going down"
    case .releasing: "releasing"
    }
  }
}

extension BearerMachine.Event {
  var name: String {
    switch self {
    case .asked: "asked"
    case .begun: "begun"
    case .missed: "missed"
    case .granted: "granted"
    case .givenUp: "given up"
    case .ended: "ended"
    case .trying: "trying"
    case .attaching: "attaching"
    case .connecting: "connecting"
    case .configuring: "configuring"
    case .installed: "installed"
    case .failed: "failed"
    case .renewed: "renewed"
    case .probed: "probed"
    case .damaged: "damaged"
    case .verified: "verified"
    case .lost: "lost"
    case .modemTold: "modem told"
    case .takenDown: "taken down"
    case .released: "released"
    case .timer: "timer"
    case .goodNews: "good news"
    case .resumed: "resumed"
    case .wantedAgain: "wanted again"
    case .resumption: "resumption"
    }
  }
}
