/// What a fault does to a command before its protocol handles it.
enum Treatment: Hashable, Sendable {
  /// Nothing is done; this happens instead of an answer.
  case instead([EndpointAction])
  /// Nothing is done, and the answer reports that.
  case refused(Refusal)
  /// The command is done; `FaultyDelivery` decides about the answer.
  case done

  enum Refusal: Hashable, Sendable {
    case failure
    /// An MBIM status or QMI error.
    case status(UInt32)
    /// A 3GPP cause.
    case network(cause: Int)
  }

  init(_ action: SimulatedFault.Action?) {
    switch action {
    case .swallow: self = .instead([])
    case .hangUp: self = .instead([.hangUp])
    case .restart: self = .instead([.restart])
    case .replug(let delay, let elsewhere): self = .instead([.replug(after: delay, elsewhere: elsewhere)])
    case .fail: self = .refused(.failure)
    case .answer(let status): self = .refused(.status(status))
    case .refuse(let cause): self = .refused(.network(cause: cause))
    case nil, .delay, .lose, .double, .overtake, .mismatch, .cut, .noise, .storm, .hangUpAfter: self = .done
    }
  }
}

/// Changes bytes of an answer for a fault, in one protocol's layout.
protocol AnswerDamage {
  static func mismatched(_ answer: [UInt8], _ mismatch: SimulatedFault.Mismatch) -> [UInt8]
  /// The second half of the answer's content is missing; its lengths are correct.
  static func cut(_ answer: [UInt8]) -> [UInt8]
}

/// How an answer, and the indications that its command caused, leave the modem.
struct FaultyDelivery {
  let action: SimulatedFault.Action?

  /// - Parameter cardDelay: how long the card took; it shows where no fault does.
  init(action: SimulatedFault.Action?, cardDelay: Duration?) { self.action = action ?? cardDelay.map { .delay($0) } }

  /// - Parameters:
  ///   - damage: the protocol's layout.
  ///   - storm: the indications of one repetition.
  func callAsFunction<Damage: AnswerDamage>(
    _ answer: [UInt8], _ caused: [[UInt8]], _ damage: Damage.Type, storm: (ModemEvent) -> [[UInt8]]
  ) -> [EndpointAction] {
    func now(_ messages: [[UInt8]]) -> [EndpointAction] { messages.map { .send($0, after: .zero) } }
    switch action {
    case .delay(let delay): return ([answer] + caused).map { .send($0, after: delay) }
    case .lose: return now(caused)
    case .double: return now([answer, answer] + caused)
    case .overtake(let limit): return [.holdBack(answer, atMost: limit)] + now(caused)
    case .mismatch(let mismatch): return now([damage.mismatched(answer, mismatch)] + caused)
    case .cut: return now([damage.cut(answer)] + caused)
    case .noise: return now([[UInt8](repeating: 0xff, count: 16), answer] + caused)
    case .storm(let subject, let count):
      let messages = storm(subject.event)
      return now([answer] + caused) + (0..<max(count, 0)).flatMap { _ in now(messages) }
    case .hangUpAfter: return now([Array(answer.prefix(answer.count / 2))]) + [.hangUp]
    case nil, .refuse, .fail, .answer, .swallow, .hangUp, .restart, .replug: return now([answer] + caused)
    }
  }
}

extension SimulatedFault.Storm {
  var event: ModemEvent {
    switch self {
    case .signal: .signal
    case .registration: .registration
    case .sim: .sim
    }
  }
}
