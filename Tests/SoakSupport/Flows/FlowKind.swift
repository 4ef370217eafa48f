import CAMARAAPI
import FirebaseAPI
import IPificationAPI
import MIRACLAPI
import MobileConnectAPI
import ModemAPI
import ModemAPIClient
import NumberRecyclingAPI
import ScenarioRunner
import TS43API
import TruIDAPI
import Varlink

/// What a soak asks modemd for, over and over.
package enum FlowKind: String, CaseIterable, Sendable {
  /// A check URL's six hops.
  case chain
  case truID, ipification, numberVerification, simSwap, mobileConnect, ts43, firebase, miracl, numberRecycling
  /// org.modemd.Verify.Number, by one provider after the other.
  case verifyNumber

  /// How many go at the same time. Short messages and a person's PIN belong to one flow at a time.
  var atOnce: Int {
    switch self {
    case .chain: 8
    case .firebase, .miracl: 1
    default: 2
    }
  }
}

/// How one call ended.
enum FlowEnd: Hashable, Sendable {
  /// With the verdict that is true.
  case right(String)
  /// Without a verdict: a fault was in the way.
  case none(String)
  /// With a verdict that is not true. `verified` for another's number is the worst.
  case wrong(String)

  var word: String {
    switch self {
    case .right(let word), .none(let word), .wrong(let word): word
    }
  }
}

/// Calls of all kinds in one world, and the judgement of what they are told.
struct FlowCaller: Sendable {
  let world: World

  private typealias Result = VerifyInterface.Outcome.Result

  /// Makes one call.
  ///
  /// - Parameters:
  ///   - isOther: whether it is about another's number, or gives another's PIN.
  ///   - round: chooses among the providers, where there are several.
  func call(_ kind: FlowKind, isOther: Bool, round: Int) async -> FlowEnd {
    do {
      let number = isOther ? SoakScenario.neighbour : SoakScenario.own
      switch kind {
      case .chain: return try await chain(number, isOther)
      case .truID:
        return try await verdict(
          TruIDInterface.SubscriberCheck.self, .init(number: number, provider: "truid"), isOther)
      case .ipification:
        return try await verdict(
          IPificationInterface.Verify.self, .init(number: number, provider: "ipification"), isOther)
      case .numberVerification:
        return try await verdict(
          NumberVerificationInterface.Verify.self, .init(number: number, provider: "operator"), isOther)
      case .mobileConnect:
        return try await verdict(
          MobileConnectInterface.Validate.self, .init(number: number, provider: "plus"), isOther)
      case .ts43:
        return try await verdict(TS43Interface.Verify.self, .init(number: number, provider: "entitlement"), isOther)
      case .verifyNumber:
        let names = SoakScenario.verifiers
        return try await verdict(
          VerifyInterface.Number.self, .init(number: number, provider: names[round % names.count]), isOther)
      case .simSwap:
        let reply = try await last(SIMSwapInterface.Check.self, .init(maximumAgeHours: 240, provider: "operator"))
        return Self.judge(reply?.outcome?.result, true: .simUnchanged, false: .simSwapped)
      case .numberRecycling: return try await recycling(isOther)
      case .firebase: return try await signIn(isOther)
      case .miracl: return try await logIn(isOther)
      }
    } catch let error as VarlinkError {
      return .none(error.name)
    } catch {
      return .none("no answer")
    }
  }

  private func chain(_ number: String, _ isOther: Bool) async throws -> FlowEnd {
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    let url = "https://\(world.scenario.chain.aggregator.name)/checks/\(number.dropFirst())"
    let reply = try await client.call(CheckInterface.Open.self, .init(url: url, timeoutMilliseconds: 10_000))
    guard let outcome = reply.outcome else { return .none("no outcome") }
    guard case .object(let answer)? = outcome.answer?.json, case .bool(let isMatch)? = answer["match"] else {
      return .none(outcome.failure?.cause.rawValue ?? "answer \(outcome.answer?.status ?? 0)")
    }
    return isMatch != isOther ? .right("match \(isMatch)") : .wrong("match \(isMatch)")
  }

  private func verdict<Method: FlowMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, _ isOther: Bool
  ) async throws -> FlowEnd {
    let result = try await last(method, parameters)?.outcome?.result
    return Self.judge(result, true: isOther ? .notVerified : .verified, false: isOther ? .verified : .notVerified)
  }

  private static func judge(_ result: Result?, true right: Result, false wrong: Result) -> FlowEnd {
    switch result {
    case right: .right(right.rawValue)
    case wrong: .wrong(wrong.rawValue)
    case let other: .none(other?.rawValue ?? "no outcome")
    }
  }

  private func recycling(_ isOther: Bool) async throws -> FlowEnd {
    let day = isOther ? "2026-02-28" : "2026-03-01"
    let reply = try await last(
      NumberRecyclingInterface.Check.self, .init(number: SoakScenario.own, since: day, provider: "recycling"))
    guard reply?.outcome?.result == .answered, let changed = reply?.changed else {
      return .none(reply?.outcome?.result.rawValue ?? "no outcome")
    }
    return changed == isOther ? .right("changed \(changed)") : .wrong("changed \(changed)")
  }

  /// The number itself, or one whose SIM was changed five minutes ago.
  private func signIn(_ isOther: Bool) async throws -> FlowEnd {
    let number = isOther ? SoakScenario.swapped : SoakScenario.own
    let reply = try await last(PhoneSignInInterface.SignIn.self, .init(number: number, provider: "project"))
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    for message in try await client.call(MessagesInterface.List.self, .init()).messages {
      _ = try? await client.call(MessagesInterface.Delete.self, .init(id: message.id))
    }
    switch reply?.outcome?.result {
    case .signedIn: return !isOther && reply?.user?.number == number ? .right("signedIn") : .wrong("signedIn")
    // No message is sent: the number has another SIM than before, or the modem another number.
    case .simSwapped: return isOther ? .right("simSwapped") : .wrong("simSwapped")
    case .codeRequired: return isOther ? .right("codeRequired") : .none("codeRequired")
    case let other: return .none(other?.rawValue ?? "no outcome")
    }
  }

  /// With the person's PIN, or with another.
  private func logIn(_ isOther: Bool) async throws -> FlowEnd {
    let user = SoakScenario.person
    let result = try await asking(
      MIRACLInterface.Login.self, .init(user: user, provider: "website"), pin: isOther ? "0815" : "4711")
    switch result {
    case .signedIn: return isOther ? .wrong("signedIn") : .right("signedIn")
    case .pinWrong: return isOther ? .right("pinWrong") : .wrong("pinWrong")
    case .notConfigured, .identityRevoked, .expired:
      // At first there is no identity; and three wrong PINs in a row end one.
      let registered = try await asking(
        MIRACLInterface.Register.self, .init(user: user, verification: .backend, provider: "website"), pin: "4711")
      return .none(registered == .registered ? "registered" : registered?.rawValue ?? "no outcome")
    case let other: return .none(other?.rawValue ?? "no outcome")
    }
  }

  private func asking<Method: FlowMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, pin: String
  ) async throws -> VerifyInterface.Outcome.Result? where Method.Reply: AskingMethodReply {
    var result: VerifyInterface.Outcome.Result?
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    for try await reply in client.stream(method, parameters) {
      if reply.outcome == nil, let flow = reply.flow {
        let second = try await ModemAPIClient.connect(to: world.folder.socket)
        _ = try? await second.call(MIRACLInterface.GivePIN.self, .init(flow: flow, pin: pin))
      }
      result = reply.outcome?.result ?? result
    }
    return result
  }

  private func last<Method: FlowMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply? {
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    var last: Method.Reply?
    for try await reply in client.stream(method, parameters) { last = reply }
    return last
  }
}
