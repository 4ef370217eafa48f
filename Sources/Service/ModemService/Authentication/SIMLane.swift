import AuthCore
import LimitClock
import ModemModel
import OutsideNumber
import Synchronization

/// Asks SIMs for flows. No method of the public API leads here, but through a flow that got its
/// packets from a server that it knows by TLS.
///
/// The port limits how often its SIM is asked, whoever asks. Here each user gets three quarters of
/// that at most, so that one user cannot take all of it from the others; root has no such share.
final class SIMLane: Sendable {
  /// Packets of one user for one SIM that may ask it, within a minute and within a day that the
  /// machine is awake. The port allows 6, and 100 unless it is configured otherwise.
  static let shares: [(count: Int, span: Duration)] = [(4, .seconds(60)), (75, .seconds(86_400))]
  /// Beyond this number of users and SIMs, those that asked nothing within a day are forgotten.
  private static let mostEntries = 256

  private struct Share: Hashable {
    var user: UInt32
    var modem: String
  }

  /// When the packets came, the latest last.
  private let asked = Mutex<[Share: [LimitClock.Instant]]>([:])
  private let clock: LimitClock

  init(clock: LimitClock = .machine) { self.clock = clock }

  /// Asks the SIM of a modem.
  ///
  /// - Parameter modem: id, device or interface; nil for the only modem.
  /// - Throws: `CancellationError`.
  func ask(
    _ question: SIMQuestion, on modem: String?, of registry: ModemRegistry, for caller: Caller
  ) async throws -> Result<SIMReply, SIMFailure> {
    do {
      let entry = try registry.find(modem)
      let share = caller.isRoot ? nil : Share(user: caller.userID, modem: entry.state.id)
      switch question.ask {
      case .begin(let request):
        if let refusal = refusal(share) { return .failure(refusal) }
        return .success(.began(try await entry.link.beginEAP(request)))
      case .answer(let packet, let login):
        if let refusal = note(share) { return .failure(refusal) }
        let reply = try await entry.link.answerEAP(packet, of: login)
        if !reply.event.mayHaveAsked { takeBack(share) }
        return .success(.answered(reply))
      }
    } catch {
      try Task.checkCancellation()
      return .failure(SIMFailure(error))
    }
  }

  // MARK: Shares

  private func refusal(_ share: Share?) -> SIMFailure? {
    share.flatMap { share in asked.withLock { refusal($0[share] ?? []) } }
  }

  private func note(_ share: Share?) -> SIMFailure? {
    guard let share else { return nil }
    return asked.withLock { asked in
      let now = clock.now
      let day = Self.shares.map(\.span).max() ?? .zero
      if asked.count >= Self.mostEntries { asked = asked.filter { $0.value.last.map { now - $0 < day } ?? false } }
      var times = (asked[share] ?? []).filter { now - $0 < day }
      let refusal = refusal(times)
      if refusal == nil { times.append(now) }
      asked[share] = times
      return refusal
    }
  }

  /// The SIM was not asked after all.
  private func takeBack(_ share: Share?) {
    guard let share else { return }
    asked.withLock { _ = $0[share]?.popLast() }
  }

  private func refusal(_ times: [LimitClock.Instant]) -> SIMFailure? {
    let now = clock.now
    let waits = Self.shares.compactMap { count, span -> Duration? in
      guard times.count >= count else { return nil }
      let age = now - times[times.count - count]
      return age < span ? span - age : nil
    }
    guard let wait = waits.max() else { return nil }
    let seconds = wait.wholeSeconds
    return SIMFailure(
      .tooMany, retryAfter: seconds,
      "you had the SIM asked as often as one user may; it may be asked for you again in \(seconds) s")
  }
}

extension EAPReply.Event {
  /// Whether the SIM may have been asked before this reply.
  fileprivate var mayHaveAsked: Bool {
    switch self {
    case .response, .synchronisation, .rejected, .refused, .unknown: true
    case .identity, .reauthentication, .notification, .success, .failure: false
    }
  }
}

extension SIMFailure {
  /// What an error of a port means to a flow.
  init(_ error: any Error) {
    switch error {
    case let fault as EAPFault:
      switch fault {
      case .notSupported: self.init(.notSupported, fault.description)
      case .tooMany(_, let retryAfter): self.init(.tooMany, retryAfter: retryAfter.wholeSeconds, fault.description)
      case .unknownLogin: self.init(.modemFailed, fault.description)
      }
    case let error as ModemError:
      let kind: Kind =
        switch error.code {
        case .simAbsent: .simAbsent
        case .simLocked: .simLocked
        case .simNotReady: .simNotReady
        case .notSupported: .notSupported
        default: .modemFailed
        }
      self.init(kind, error.description)
    case let error as ServiceError: self.init(.modemFailed, error.message)
    default: self.init(.modemFailed, "\(error)")
    }
  }
}

extension Duration {
  /// Seconds, rounded up, at least one: who waits that long does not come too early.
  fileprivate var wholeSeconds: Int { max((bounded.millisecondsRoundedUp + 999) / 1000, 1) }
}
