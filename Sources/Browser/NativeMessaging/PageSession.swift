import JSONTree

/// One page at the host, from `open` to the end of its port: which call is answered when. It does
/// nothing itself.
package struct PageSession: Sendable {
  /// What is to be done.
  package enum Action: Hashable, Sendable {
    case send(PageEvent)
    /// A flow begins. It ends with `PageSession.end`.
    case begin(flow: Int, ask: String, parameters: JSONValue)
    /// The person's answer to the flow's question.
    case give(flow: Int, value: String)
    case cancel(flow: Int)
    /// The host ends.
    case hangUp
  }

  private enum State: Hashable, Sendable {
    case unopened
    case idle
    /// `isAsking`: the flow waits for the person.
    case busy(flow: Int, isAsking: Bool)
    case over
  }

  private let asks: @Sendable (PageOrigin) -> [String]
  private var state = State.unopened
  private var allowed: [String] = []

  /// - Parameter asks: what an origin may ask, of the configuration; nothing for one that is not
  ///   there.
  package init(asks: @escaping @Sendable (PageOrigin) -> [String]) { self.asks = asks }

  /// A message came.
  package mutating func take(_ message: [UInt8]) -> [Action] {
    guard state != .over else { return [] }
    let call: PageCall
    do throws(PageCall.Refused) {
      call = try PageCall(message)
    } catch {
      // Whoever does not speak the protocol is no extension of this package.
      if state == .unopened { return hangUp(error.id, error.failure) }
      return [.send(PageEvent(error.id, .error(error.failure)))]
    }
    switch (state, call.verb) {
    case (.unopened, .open(let origin)):
      allowed = asks(origin)
      guard !allowed.isEmpty else {
        return hangUp(
          call.id, .notAllowed("\(origin) is not among the origins of the host's file; its administrator can add it"))
      }
      state = .idle
      return [.send(PageEvent(call.id, .opened(asks: allowed)))]
    case (.unopened, _): return hangUp(call.id, .notOpened)
    case (_, .open): return refuse(call, .notOpened)
    case (.idle, .begin(let ask, let parameters)):
      guard allowed.contains(ask) else {
        return refuse(
          call, .notAllowed("this origin may not call \(ask); it may call \(allowed.joined(separator: ", "))"))
      }
      state = .busy(flow: call.id, isAsking: false)
      return [.begin(flow: call.id, ask: ask, parameters: parameters)]
    case (.busy, .begin): return refuse(call, .busy)
    case (.busy(let flow, true), .answer(let given, let value)) where flow == given:
      state = .busy(flow: flow, isAsking: false)
      return [.give(flow: flow, value: value)]
    case (.busy(let flow, _), .cancel(let given)) where flow == given: return [.cancel(flow: flow)]
    case (_, .answer), (_, .cancel): return refuse(call, .noSuchFlow)
    case (.over, _): return []
    }
  }

  /// Something happened in the flow; of one that is over, nobody is told.
  package mutating func note(_ what: PageEvent.What, of flow: Int) -> [Action] {
    guard case .busy(flow, _) = state else { return [] }
    switch what {
    case .question: state = .busy(flow: flow, isAsking: true)
    case .outcome, .error: state = .idle
    case .opened, .progress: break
    }
    return [.send(PageEvent(flow, what))]
  }

  /// The page has left, or the browser has ended.
  package mutating func leave() -> [Action] {
    defer { state = .over }
    if case .busy(let flow, _) = state { return [.cancel(flow: flow), .hangUp] }
    return state == .over ? [] : [.hangUp]
  }

  /// A message was longer than any call.
  package mutating func tooLong(_ failure: MessageReader.TooLong) -> [Action] {
    let text = "a message has \(MessageReader.mostBytes) bytes at most, and this one has \(failure.bytes)"
    let end = leave()
    return end.isEmpty ? [] : [.send(PageEvent(nil, .error(.badMessage(text))))] + end
  }

  private mutating func hangUp(_ id: Int?, _ failure: PageFailure) -> [Action] {
    state = .over
    return [.send(PageEvent(id, .error(failure))), .hangUp]
  }

  private func refuse(_ call: PageCall, _ failure: PageFailure) -> [Action] {
    [.send(PageEvent(call.id, .error(failure)))]
  }
}
