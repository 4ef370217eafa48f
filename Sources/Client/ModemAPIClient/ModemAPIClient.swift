// A program that imports the client has the interfaces' types, their errors and JSON too.
@_exported import ModemAPI
@_exported import Varlink

/// A program's connection to modemd.
public struct ModemAPIClient: Sendable {
  /// Where modemd listens unless told otherwise.
  public static let defaultPath = ModemdSocket.path

  private let client: VarlinkClient

  /// Connects to modemd.
  ///
  /// - Throws: `VarlinkClientError.unreachable`.
  public static func connect(to path: String = defaultPath) async throws -> ModemAPIClient {
    ModemAPIClient(client: try await VarlinkClient.connect(to: path))
  }

  /// Calls a method, as in `call(ModemInterface.List.self, .init())`.
  ///
  /// - Throws: `VarlinkError` that modemd answered, `VarlinkClientError`.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await client.call(method, parameters)
  }

  /// Calls a method with `more`. The stream has its own connection until it ends.
  public func stream<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) -> AsyncThrowingStream<Method.Reply, any Error> {
    client.stream(method, parameters)
  }
}
