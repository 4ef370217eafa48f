import AuthCore
import NetworkAddress
import RedirectChain
import Web

/// A flow's ways out, made for one caller and one modem. Calls over the bearer and calls to a
/// backend are two types, each with its own way.
public struct FlowLanes: Sendable {
  /// Follows a chain over the bearer; an error is part of the reply.
  public typealias Open =
    @Sendable (_ call: BearerCall, _ onHop: @escaping @Sendable (ChainHop) -> Void) async throws -> BearerReply
  /// Makes one exchange over the machine's own network.
  public typealias Send = @Sendable (_ call: BackendCall) async throws -> Result<BackendReply, BackendFailure>
  /// Waits for a code in the modem's messages.
  public typealias ReadCode = @Sendable (_ wait: CodeWait) async throws -> Result<Secret, CodeFailure>
  /// Waits for the caller's answer to a question.
  public typealias AskForCode = @Sendable (_ question: CodeQuestion) async throws -> Result<Secret, CodeFailure>

  /// Brings the bearer up; returns why it cannot, or nil.
  public typealias Prepare = @Sendable () async throws -> ChainFailure?

  /// The bearer's own addresses while it is up; otherwise empty.
  public typealias Addresses = @Sendable () -> [IPAddress]

  public var prepare: Prepare
  public var addresses: Addresses = { [] }
  public var open: Open
  public var send: Send
  public var readCode: ReadCode
  public var askForCode: AskForCode

  public init(
    prepare: @escaping Prepare = { nil }, open: @escaping Open, send: @escaping Send,
    readCode: @escaping ReadCode = { _ in .failure(CodeFailure(.unavailable, "this flow reads no messages")) },
    askForCode: @escaping AskForCode = { _ in .failure(CodeFailure(.unavailable, "this flow asks for no code")) }
  ) {
    self.prepare = prepare
    self.open = open
    self.send = send
    self.readCode = readCode
    self.askForCode = askForCode
  }
}
