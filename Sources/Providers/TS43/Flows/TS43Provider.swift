import AuthCore
import AuthFlows
import ModemModel
import RedirectChain

/// A configured entitlement server, as the flows use it.
///
/// With a TOKEN of an earlier login, an operation is one exchange with the server. Without one, or
/// if the server refuses it, the SIM logs in first: two exchanges and one answer of the SIM, and
/// the operation is the third.
package struct TS43Provider: Sendable {
  /// A TOKEN that ends sooner than this is not tried, as it could end on its way.
  static let leastValidity = Duration.seconds(30)

  private let settings: TS43Settings

  package init(_ settings: TS43Settings) { self.settings = settings }

  /// Asks the server: with a kept token, or else after a login with the SIM.
  ///
  /// - Throws: what the lanes throw.
  package func run(
    _ operation: TS43Operation, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<TS43Answer> {
    guard subscriber.imsi != nil else { return FlowEnd(try await run(SIMStateMachine(settings)).outcome) }
    let context: EntitlementContext
    do throws(EntitlementContext.Missing) {
      context = try EntitlementContext(settings, for: subscriber)
    } catch {
      return FlowEnd(error.outcome)
    }
    let end = try await ask(operation, of: subscriber, context, run)
    return FlowEnd(end.outcome, end.answer?.found, at: end.place)
  }

  private typealias OperationEnd = FlowEnd<TS43OperationMachine.Answer>

  private func ask(
    _ operation: TS43Operation, of subscriber: Subscriber, _ context: EntitlementContext, _ run: FlowRun
  ) async throws -> OperationEnd {
    // Another flow may have replaced the token while this one used it: then there is one more.
    var refused: Secret?
    while let token = await kept(context, at: run.now), token.token != refused {
      let machine = TS43OperationMachine(operation, of: subscriber, context, with: token)
      let end = try await finish(run(machine), context)
      guard end.answer?.isRefused == true else { return end }
      await forget(token, context)
      guard refused == nil else { break }
      refused = token.token
    }
    let login = try await run(TS43LoginMachine(context))
    guard let answer = login.answer else { return OperationEnd(login.outcome, at: login.place) }
    await keep(answer.token, context)
    let machine = TS43OperationMachine(operation, of: subscriber, context, with: answer.token, jar: answer.jar)
    let end = try await finish(run(machine), context)
    if end.answer?.isRefused == true { await forget(answer.token, context) }
    return end
  }

  /// Keeps the token that came with an answer, whatever the answer is.
  private func finish(_ end: OperationEnd, _ context: EntitlementContext) async -> OperationEnd {
    if let token = end.answer?.token { await keep(token, context) }
    return end
  }

  /// The kept token, if it can still be used. A store that fails is as good as empty.
  private func kept(_ context: EntitlementContext, at now: Timestamp) async -> EntitlementToken? {
    guard let key = context.key, let token = try? await settings.store.token(for: key) else { return nil }
    guard let end = token.expires, end < now.later(by: Self.leastValidity) else { return token }
    return nil
  }

  private func keep(_ token: EntitlementToken, _ context: EntitlementContext) async {
    guard let key = context.key else { return }
    try? await settings.store.keep(token, for: key)
  }

  private func forget(_ token: EntitlementToken, _ context: EntitlementContext) async {
    guard let key = context.key else { return }
    try? await settings.store.forget(token.token, for: key)
  }
}

extension TS43Provider {
  /// Gets a token of the operator for another provider.
  func operatorToken(
    for operation: OperatorTokenOperation, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<OperatorToken> {
    let target: TemporaryTokenTarget =
      switch operation {
      case .phoneNumber: .phoneNumber
      case .verify: .verify
      }
    let end = try await self.run(.temporaryToken(target), of: subscriber, run)
    return FlowEnd(end.outcome, end.answer?.operatorToken, at: end.place)
  }
}

extension TS43Answer {
  fileprivate var operatorToken: OperatorToken? { temporaryToken.map { OperatorToken($0, end: expires) } }
}

/// The entitlement server as another provider's source of operator tokens.
struct TS43TokenSource: OperatorTokenSource {
  let name: String
  let settings: TS43Settings

  var needsBearer: Bool { settings.route == .bearer }

  func operatorToken(
    for operation: OperatorTokenOperation, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<OperatorToken> {
    try await TS43Provider(settings).operatorToken(for: operation, of: subscriber, run)
  }
}
