import AuthCore
import NetworkAddress
import RedirectChain
import Web

/// A flow's ways out, made for one caller and one modem. Calls over the bearer and calls to a
/// backend are two types, each with its own way.
package struct FlowLanes: Sendable {
  /// Follows a chain over the bearer; an error is part of the reply.
  package typealias Open =
    @Sendable (_ call: BearerCall, _ onHop: @escaping @Sendable (ChainHop) -> Void) async throws -> BearerReply
  /// Makes one exchange over the machine's own network.
  package typealias Send = @Sendable (_ call: BackendCall) async throws -> Result<BackendReply, BackendFailure>
  /// Waits for a code in the modem's messages.
  package typealias ReadCode = @Sendable (_ wait: CodeWait) async throws -> Result<Secret, CodeFailure>
  /// Waits for the caller's answer to a question.
  package typealias AskForCode = @Sendable (_ question: CodeQuestion) async throws -> Result<Secret, CodeFailure>

  /// Asks the SIM.
  package typealias AskSIM = @Sendable (_ question: SIMQuestion) async throws -> Result<SIMReply, SIMFailure>

  /// Brings the bearer up; returns why it cannot, or nil.
  package typealias Prepare = @Sendable () async throws -> ChainFailure?

  /// Makes ready what chains of a kind go through, while something else is waited for. It returns
  /// at once and reports nothing; a chain that finds nothing ready makes its own connections.
  ///
  /// - Parameter first: where such a chain begins, as far as the configuration tells.
  package typealias Warm = @Sendable (_ kind: ChainKind, _ first: WebURL?) -> Void

  /// Opens a connection for a call to come over the machine's own network, unless one waits. It
  /// returns at once and reports nothing; a call that finds no connection opens its own.
  package typealias Connect = @Sendable (_ url: WebURL) -> Void

  /// The bearer's own addresses while it is up; otherwise empty.
  package typealias Addresses = @Sendable () -> [IPAddress]

  /// Why a message to a number would not come to this modem, or could not be read; nil if nothing
  /// is known against it.
  package typealias MessageObstacle = @Sendable (_ number: SubscriberNumber) async -> FlowOutcome?

  /// What is known against a bearer before one is asked for; nil if nothing is. It asks nobody.
  package typealias BearerObstacle = @Sendable () -> ChainFailure?

  package var prepare: Prepare
  package var warm: Warm = { _, _ in }
  package var connect: Connect = { _ in }
  package var bearerObstacle: BearerObstacle = { nil }
  package var messageObstacle: MessageObstacle = { _ in nil }
  package var addresses: Addresses = { [] }
  package var open: Open
  package var send: Send
  package var askSIM: AskSIM = { _ in .failure(SIMFailure(.notSupported, "this service asks no SIM")) }
  package var readCode: ReadCode
  package var askForCode: AskForCode

  package init(
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
