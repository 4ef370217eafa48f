import LimitClock
// A program that imports the client also gets the interfaces' types, their errors and JSON.
@_exported import ModemAPI
@_exported import Varlink

/// A program's way to modemd.
///
/// Each call has a connection for itself while it runs, so that none waits for another one and
/// ending a call ends no other. A connection that was lost is made anew by the next call.
public struct ModemAPIClient: Sendable {
  /// Where modemd listens unless told otherwise.
  public static let defaultPath = ModemdSocket.path

  private let connections: ClientConnections

  /// Connects to modemd.
  ///
  /// - Throws: `VarlinkClientError.unreachable`.
  public static func connect(to path: String = defaultPath) async throws -> ModemAPIClient {
    let connections = ClientConnections(path: path)
    await connections.giveBack(try await connections.fresh())
    return ModemAPIClient(connections: connections)
  }

  /// Calls a method, as in `call(ModemInterface.List.self, .init())`. Cancelling the task ends the
  /// call.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - parameters: what it takes.
  ///   - limit: how long the call may take; nil for as long as it takes.
  /// - Throws: `VarlinkError` that modemd answered, `VarlinkClientError`, `CallLimitExceeded`,
  ///   `CancellationError`.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, within limit: Duration? = nil
  ) async throws -> Method.Reply {
    try await CallLimitExceeded.limited(to: limit) { try await connections.call(method, parameters) }
  }

  /// Calls a method with `more`, and gives each reply as it comes. The call begins at once, on a
  /// connection of its own, and ends when its reader leaves the loop or is cancelled.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - parameters: what it takes.
  ///   - answers: who answers what the flow asks for; nil if the reader of the replies does, by
  ///     calls of its own.
  ///   - limit: how long the whole call may take; nil for as long as it takes.
  public func stream<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, answers: FlowAnswers? = nil,
    within limit: Duration? = nil
  ) -> ReplySequence<Method.Reply> {
    ReplySequence(ReplyReader(connections.replies(to: method, parameters, within: limit), answers, connections))
  }
}

extension ModemAPIClient {
  /// Calls a method that hands a descriptor over, as OpenSocket of org.modemd.Bearer does, on a
  /// connection of its own. Cancelling the task ends the call.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - parameters: what it takes.
  ///   - limit: how long the call may take; nil for as long as it takes.
  /// - Returns: the reply, and the descriptor, which is closed with the last reference to it.
  /// - Throws: as `call`; `VarlinkClientError.badReply` also for a reply without its descriptor.
  public func takeDescriptor<Method: VarlinkMethod>(
    by method: Method.Type, _ parameters: Method.Parameters, within limit: Duration? = nil
  ) async throws -> ReplyWithDescriptor<Method.Reply> {
    try await CallLimitExceeded.limited(to: limit) { [connections] in
      try await VarlinkClient.takeDescriptor(by: method, parameters, from: connections.path)
    }
  }

  /// Calls a method with `upgrade`, as OpenStream of org.modemd.Bearer wants it: after the reply,
  /// the connection of the call carries the bytes of a stream.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - parameters: what it takes.
  ///   - limit: how long the reply may take; nil for as long as it takes.
  /// - Returns: the reply and the stream, which ends with the last reference to it.
  /// - Throws: as `call`.
  public func upgrade<Method: VarlinkMethod>(
    by method: Method.Type, _ parameters: Method.Parameters, within limit: Duration? = nil
  ) async throws -> ReplyWithStream<Method.Reply> {
    try await CallLimitExceeded.limited(to: limit) { [connections] in
      try await VarlinkClient.upgrade(by: method, parameters, at: connections.path)
    }
  }
}

/// A call took longer than its caller allows.
public struct CallLimitExceeded: Error, Hashable, Sendable, CustomStringConvertible {
  public let limit: Duration

  public var description: String { "modemd did not end its answer within \(limit)" }

  /// Ends `body` at the limit.
  static func limited<Value: Sendable>(
    to limit: Duration?, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    return try await withThrowingTaskGroup(of: Value.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask {
        try await LimitClock.machine.pause(for: limit)
        throw CallLimitExceeded(limit: limit)
      }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }
}
