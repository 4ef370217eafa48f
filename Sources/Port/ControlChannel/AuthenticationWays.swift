import ModemModel
import Synchronization

/// How a modem passes a challenge to its SIM.
package enum AuthenticationWay: Hashable, Sendable, CaseIterable {
  /// By a command of its own: AUTH AKA in MBIM, UIM Authenticate in QMI.
  case command
  /// As a card command on a channel to the USIM.
  case channel

  package var other: AuthenticationWay { self == .command ? .channel : .command }
}

/// Which way worked with a modem. Its backends share this, so that a modem is not asked again for
/// what it lacks after its port was opened anew.
package final class AuthenticationWays: Sendable {
  private let worked = Mutex<AuthenticationWay?>(nil)

  package init() {}

  /// The way that worked last; nil before one did.
  package var known: AuthenticationWay? { worked.withLock { $0 } }

  package func note(_ way: AuthenticationWay) { worked.withLock { $0 = way } }
}

extension AuthenticationWays {
  /// Asks the SIM by the way that worked last, and by the other one if the modem lacks the first.
  ///
  /// - Parameters:
  ///   - name: what is asked, for errors.
  ///   - ask: asks by one way, and returns what the SIM says, which is final. If it throws
  ///     `notSupported`, the modem lacks this way, and the SIM was not asked.
  package func ask(
    isolation: isolated (any Actor)? = #isolation, _ name: String,
    by ask: (AuthenticationWay) async throws(ModemError) -> Result<AKAAnswer, ModemError>
  ) async throws(ModemError) -> AKAAnswer {
    let first = known ?? .command
    var lacks: [String] = []
    for way in [first, first.other] {
      let said: Result<AKAAnswer, ModemError>
      do throws(ModemError) {
        said = try await ask(way)
      } catch {
        guard error.code == .notSupported else { throw error.aboutSIM }
        lacks.append(error.message)
        continue
      }
      note(way)
      return try said.get()
    }
    throw ModemError(
      .notSupported, "\(name): this modem has no way to ask its SIM", cause: lacks.joined(separator: "; "))
  }
}

extension ModemError {
  /// A modem that is busy with its SIM is a SIM that is not ready: the same caller may try again.
  fileprivate var aboutSIM: ModemError {
    code == .busy ? ModemError(.simNotReady, message, cause: cause) : self
  }
}
