import AuthCore
import JSONTree
import MPin
import ModemModel
import RedirectChain
import Web

/// Makes an identity: a key pair, its registration, the two shares of its secret, and the token,
/// which is the secret without the PIN.
///
/// The key pair, shares and secret exist in it and in its candidate, and are gone with them.
struct MIRACLEnrolmentMachine: FlowMachine {
  /// What it made.
  enum Answer: Sendable {
    /// All but the PIN, which another machine goes on with.
    case candidate(MIRACLCandidate)
    case identity(MIRACLIdentity)

    var identity: MIRACLIdentity? {
      if case .identity(let identity) = self { identity } else { nil }
    }

    var candidate: MIRACLCandidate? {
      if case .candidate(let candidate) = self { candidate } else { nil }
    }
  }

  private enum State {
    case ready
    case registering(DVSKeyPair)
    /// Older platforms: the first share needs a request of its own.
    case signing(DVSKeyPair, mpinId: String)
    case sharing(DVSKeyPair, MIRACLDraft, [ClientSecretShare], isSecondTry: Bool)
    case asking(MIRACLCandidate, ClosedRange<Int>)
    case ended
  }

  static var usesBearer: Bool { false }

  private let settings: MIRACLSettings
  private let calls: MIRACLCalls
  private let enrolment: MIRACLEnrolment
  private let randomness: RandomSource
  private let candidate: MIRACLCandidate?
  private var state = State.ready

  /// - Parameter candidate: what an earlier machine made, which lacks only the PIN.
  init(
    _ settings: MIRACLSettings, _ service: MIRACLService?, _ enrolment: MIRACLEnrolment,
    from candidate: MIRACLCandidate? = nil, randomness: RandomSource
  ) {
    self.settings = settings
    self.candidate = candidate
    calls = MIRACLCalls(settings, service)
    self.enrolment = enrolment
    self.randomness = randomness
  }

  mutating func start(at now: Timestamp) -> FlowAction<Answer> {
    if let candidate { return choosePIN(candidate, now) }
    do throws(MPinError) {
      let keys = try DVSKeyPair(randomness: randomness)
      state = .registering(keys)
      return .send(registration(keys))
    } catch {
      return end(error.outcome)
    }
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch (state, event) {
    case (.registering(let keys), .answered(let reply)): return registered(reply, keys, now)
    case (.signing(let keys, let mpinId), .answered(let reply)):
      guard reply.isSuccess else { return end(MIRACLProblem(reply).outcome(of: .signature, at: now)) }
      return share(reply, mpinId: mpinId, keys, now)
    case (.sharing(let keys, let draft, let shares, _), .answered(let reply)):
      return shared(reply, keys, draft, shares, now)
    case (.sharing(let keys, let draft, let shares, isSecondTry: false), .unanswered(let failure))
    where failure.isOfTransport:
      return fetch(keys, draft, shares, again: true, now)
    case (.asking(let candidate, let lengths), .code(let text)): return chosen(text, lengths, candidate, now)
    case (.asking, .noCode(let failure)): return end(FlowOutcome(.codeRequired, failure.description))
    case (.registering, .unanswered(let failure)), (.signing, .unanswered(let failure)),
      (.sharing, .unanswered(let failure)):
      return end(failure.outcome)
    case (.ready, _), (.registering, _), (.signing, _), (.sharing, _), (.asking, _), (.ended, _):
      return end(FlowOutcome(.badAnswer, "the registration got an event that belongs to no step of it; begin again"))
    }
  }

  // MARK: The registration

  private func registration(_ keys: DVSKeyPair) -> BackendCall {
    let key = JSONValue.string(keys.publicKey.hex)
    let device = JSONValue.string(settings.deviceName)
    let user = JSONValue.string(enrolment.name.user.revealed)
    switch (settings.generation, enrolment.right) {
    case (.registration, let right):
      return calls.post(
        "register", .registration,
        [
          "userId": user, "deviceName": device, "activationToken": .string(right.token.revealed), "publicKey": key,
          "deviceTag": settings.deviceTag.map { .string($0) },
        ])
    case (.rps, .activation(let activation)):
      return calls.call(
        "register", .put, .user,
        .members([
          "userId": user, "deviceName": device, "activateCode": .string(activation.token.revealed),
        ]))
    case (.rps, .renewal(let token)):
      return calls.post(
        "register", .renewal, ["publicKey": key, "deviceName": device, "dvsRegisterToken": .string(token.revealed)])
    }
  }

  private mutating func registered(_ reply: BackendReply, _ keys: DVSKeyPair, _ now: Timestamp) -> FlowAction<Answer> {
    guard reply.isSuccess else { return refused(reply, now) }
    switch (settings.generation, enrolment.right) {
    case (.registration, _):
      do throws(MIRACLDraft.Fault) {
        return fetch(keys, try MIRACLDraft(registration: reply.json, keys, settings), [], again: false, now)
      } catch {
        return end(error.outcome(reply))
      }
    case (.rps, .renewal): return share(reply, mpinId: reply.json?["mpinId"]?.string, keys, now)
    case (.rps, .activation): return askSignature(reply, keys)
    }
  }

  private mutating func refused(_ reply: BackendReply, _ now: Timestamp) -> FlowAction<Answer> {
    let problem = MIRACLProblem(reply)
    var outcome = problem.outcome(of: .registration, at: now)
    if problem.code == "INVALID_ACTIVATION_TOKEN", case .activation(let activation) = enrolment.right,
      activation.isTyped
    {
      outcome.result = .codeWrong
      outcome.text = "the service does not take the code: it is wrong, too old or was used; get a new one"
    }
    return end(outcome)
  }

  private mutating func askSignature(_ reply: BackendReply, _ keys: DVSKeyPair) -> FlowAction<Answer> {
    let answer = reply.json
    guard let mpinId = answer?["mpinId"]?.string, mpinId.utf8.allSatisfy(Self.isHexadecimal) else {
      return end(.lacking("mpinId", reply))
    }
    guard let token = answer?["regOTT"]?.string else { return end(.lacking("regOTT", reply)) }
    guard let project = answer?["projectId"]?.string else { return end(.lacking("projectId", reply)) }
    guard project == settings.project else { return end(.otherProject(reply)) }
    state = .signing(keys, mpinId: mpinId)
    return .send(
      calls.call(
        "secretShare1", .get, .signature, nil, path: "/\(mpinId)",
        FormFields(["regOTT": token, "publicKey": keys.publicKey.hex])))
  }

  private mutating func share(
    _ reply: BackendReply, mpinId: String?, _ keys: DVSKeyPair, _ now: Timestamp
  ) -> FlowAction<Answer> {
    do throws(MIRACLDraft.Fault) {
      let draft = try MIRACLDraft(share: reply.json, mpinId: mpinId, keys, settings)
      return fetch(keys, draft, [draft.share].compactMap(\.self), again: false, now)
    } catch {
      return end(error.outcome(reply))
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  // MARK: The shares

  /// Requests the next share. If the transport failed, it requests the same one once more.
  private mutating func fetch(
    _ keys: DVSKeyPair, _ draft: MIRACLDraft, _ shares: [ClientSecretShare], again: Bool, _ now: Timestamp
  ) -> FlowAction<Answer> {
    let position = shares.count - (draft.share == nil ? 0 : 1)
    guard draft.shareURLs.indices.contains(position) else {
      return choosePIN(MIRACLCandidate(keys: keys, draft: draft, shares: shares), now)
    }
    state = .sharing(keys, draft, shares, isSecondTry: again)
    return .send(calls.get("secretShare\(shares.count + 1)\(again ? "Again" : "")", draft.shareURLs[position]))
  }

  private mutating func shared(
    _ reply: BackendReply, _ keys: DVSKeyPair, _ draft: MIRACLDraft, _ shares: [ClientSecretShare], _ now: Timestamp
  ) -> FlowAction<Answer> {
    guard reply.isSuccess else { return end(MIRACLProblem(reply).outcome(of: .signature, at: now)) }
    guard let hex = reply.json?["dvsClientSecret"]?.string, let share = try? ClientSecretShare(hex: hex) else {
      return end(.lacking("dvsClientSecret", reply))
    }
    return fetch(keys, draft, shares + [share], again: false, now)
  }

  // MARK: The PIN

  private mutating func choosePIN(_ candidate: MIRACLCandidate, _ now: Timestamp) -> FlowAction<Answer> {
    switch enrolment.pin {
    case .given(let pin): return finish(pin, candidate, now)
    case .later:
      state = .ended
      return .finish(FlowOutcome(.authorized, "the user is registered but for the PIN"), .candidate(candidate))
    case .asked(let lengths):
      let lengths = candidate.draft.pinLengths ?? lengths
      state = .asking(candidate, lengths)
      return .askForCode(CodeQuestion("choosePIN", .pin(lengths: lengths, isNew: true), within: settings.pinTime))
    }
  }

  private mutating func chosen(
    _ text: Secret, _ lengths: ClosedRange<Int>, _ candidate: MIRACLCandidate, _ now: Timestamp
  ) -> FlowAction<Answer> {
    guard let pin = try? UserPIN(text.revealed), lengths.contains(pin.length) else {
      return end(FlowOutcome(.badRequest, code: "PIN", "a PIN has \(lengths.words) digits here; begin again"))
    }
    return finish(pin, candidate, now)
  }

  private mutating func finish(_ pin: UserPIN, _ candidate: MIRACLCandidate, _ now: Timestamp) -> FlowAction<Answer> {
    let (draft, shares) = (candidate.draft, candidate.shares)
    guard let first = shares.first, let second = shares.dropFirst().first else {
      return end(FlowOutcome(.badAnswer, "the platform gave less than two shares of the secret; begin again"))
    }
    do throws(MPinError) {
      let token = try MPinToken(identity: draft.key, shares: (first, second), keys: candidate.keys, pin: pin)
      let identity = MIRACLIdentity(
        name: enrolment.name, key: draft.key, token: token, dtas: draft.dtas, pinLength: pin.length, created: now)
      state = .ended
      return .finish(FlowOutcome(.registered, "the user is registered"), .identity(identity))
    } catch {
      return end(error.outcome)
    }
  }

  private mutating func end(_ outcome: FlowOutcome) -> FlowAction<Answer> {
    state = .ended
    return .finish(outcome, nil)
  }
}

extension MIRACLEnrolment.Right {
  var token: Secret {
    switch self {
    case .activation(let activation): activation.token
    case .renewal(let token): token
    }
  }
}

extension BackendFailure {
  /// Whether the request may not have arrived, so that another attempt may help.
  fileprivate var isOfTransport: Bool {
    switch kind {
    case .dns, .connect, .timeout, .closed: true
    case .tls, .tooLarge, .refused, .cancelled, .noDataPath: false
    }
  }
}

extension MPinError {
  /// Its meaning for a flow: a fault of a service's data or of this machine.
  var outcome: FlowOutcome {
    switch code {
    case .randomness, .library: FlowOutcome(.badAnswer, code: "\(code)", "this machine could not compute: \(message)")
    default: FlowOutcome(.badAnswer, code: "\(code)", "the service's answer cannot be used: \(message)")
    }
  }
}

extension ClosedRange<Int> {
  /// As in `4`, or `4 to 6`.
  var words: String { count == 1 ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)" }
}
