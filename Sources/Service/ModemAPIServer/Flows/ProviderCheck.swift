import AuthCore
import AuthFlows
import FlowService
import ModemAPI
import Varlink

/// Checks one provider for one caller, with requests that cost nothing.
struct ProviderCheck: Sendable {
  typealias Reply = VerifyInterface.CheckProvider.Reply

  let host: any FlowHost
  let peer: Peer

  /// - Parameters:
  ///   - name: the provider's name.
  ///   - modem: id, device or interface; nil for the only one, or none.
  /// - Throws: `AuthError` `noProvider`, and the service's errors about the modem.
  func check(_ name: String, modem: String?) async throws -> Reply {
    let (subscriber, absence) = try subscriber(modem)
    let provider = try host.providers.checkable(named: name, for: subscriber?.home)
    let run = host.run(on: subscriber?.modem, for: peer, askForCode: nil) { _ in }
    defer { run.end() }
    let (credentials, credentialsText) = await credentials(of: provider, subscriber, run)
    let (served, operatorText): (Reply.Coverage, String)
    if let obstacle = provider.obstacle {
      (served, operatorText) = (.notServed, obstacle)
    } else if let subscriber {
      (served, operatorText) =
        credentials == .refused
        ? (.notAsked, "the operator was not asked about, as the credentials are refused")
        : await operatorAnswer(of: provider, subscriber, run)
    } else {
      (served, operatorText) = (.notAsked, absence)
    }
    return Reply(
      kind: provider.kind, credentials: credentials, credentialsText: credentialsText, coverage: served,
      coverageText: operatorText, modem: subscriber?.modem)
  }

  /// The SIM, else why none is looked at. A modem that the caller named must be there.
  private func subscriber(_ modem: String?) throws -> (Subscriber?, String) {
    if let modem { return (try host.subscriber(modem), "") }
    do {
      return (try host.subscriber(nil), "")
    } catch {
      guard let declared = host.declared(error) else { throw error }
      let reason =
        declared.parameters(as: ModemInterface.MoreThanOneModem.self) == nil
        ? "there is no modem" : "there are several modems, and none was named"
      return (nil, "\(reason), so that no SIM's operator was asked about")
    }
  }

  private func credentials(
    of provider: CheckableProvider, _ subscriber: Subscriber?, _ run: FlowRun
  ) async -> (Reply.Credentials, String) {
    switch provider.credentials {
    case .notNeeded(let reason): return (.notNeeded, reason)
    case .notFree(let reason): return (.notFree, reason)
    case .ask(let ask):
      switch await answer({ try await ask(subscriber, run) }) {
      case .success(let outcome):
        switch outcome.result {
        case .authorized: return (.accepted, outcome.text)
        case .clientRefused: return (.refused, Self.text(outcome))
        default: return (.unknown, Self.text(outcome))
        }
      case .failure(let failure): return (.unknown, failure.text)
      }
    }
  }

  private func operatorAnswer(
    of provider: CheckableProvider, _ subscriber: Subscriber, _ run: FlowRun
  ) async -> (Reply.Coverage, String) {
    guard provider.isMeant else {
      let networks = provider.networks?.joined(separator: ", ") ?? "none"
      let own = subscriber.home.map { "of \($0)" } ?? "of a network that is not known"
      return (.notServed, "the file names the networks \(networks), and the SIM is \(own)")
    }
    guard let verifier = provider.verifier else {
      return (.notAsked, "providers of the kind \(provider.kind) are not asked about an operator")
    }
    switch await answer({ try await verifier.coverage(of: subscriber, for: nil, run) }) {
    case .success(nil):
      return (.notAsked, "there is no request that costs nothing and shows whether the operator is served")
    case .success(let outcome?):
      switch outcome.result {
      case .covered: return (.served, outcome.text)
      case .operatorUnsupported, .operatorMismatch, .subscriberUnknown: return (.notServed, Self.text(outcome))
      default: return (.unknown, Self.text(outcome))
      }
    case .failure(let failure): return (.unknown, failure.text)
    }
  }

  private struct Failure: Error {
    let text: String
  }

  /// What was answered, or why nothing was: a check of one thing goes on with the next.
  private func answer<Answer: Sendable>(
    _ ask: () async throws -> Answer
  ) async -> Result<Answer, Failure> {
    do {
      return .success(try await ask())
    } catch let error as AuthError {
      return .failure(Failure(text: error.message))
    } catch {
      return .failure(Failure(text: "it was not asked: \(error)"))
    }
  }

  private static func text(_ outcome: FlowOutcome) -> String {
    outcome.text + (outcome.code.map { " (\($0))" } ?? "")
  }
}
