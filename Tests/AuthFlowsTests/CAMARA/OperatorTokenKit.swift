// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import CAMARACommonalities
import CAMARAFlows
import JSONTree
import ModemModel
import Synchronization
import Web

/// An operator that takes operator tokens, for tests.
enum OperatorTokenKit {
  static let token = OperatorToken(Secret("op+tok/en=&é"))
  static let subject = "operatortoken:op+tok/en=&é"
  static let backchannel = try! WebURL("https://auth.operator.example/bc-authorize")

  /// Shows what it was given to sign.
  final class Signer: ClaimsSigner {
    private let claims = Mutex<[JSONValue]>([])
    var signed: [JSONValue] { claims.withLock(\.self) }

    func sign(_ given: JSONValue) async throws(AuthError) -> Secret {
      claims.withLock { claims in
        claims.append(given)
        return Secret("h.c.\(claims.count)")
      }
    }
  }

  /// Gives what it is told, and remembers what it was asked for.
  final class Source: OperatorTokenSource {
    let name = "ts"
    private let end: FlowEnd<OperatorToken>
    private let asked = Mutex<[OperatorTokenOperation]>([])
    var operations: [OperatorTokenOperation] { asked.withLock(\.self) }

    init(_ end: FlowEnd<OperatorToken> = FlowEnd(FlowOutcome(.authorized, "here it is"), token)) { self.end = end }

    func operatorToken(
      for operation: OperatorTokenOperation, of subscriber: Subscriber, _ run: FlowRun
    ) async throws -> FlowEnd<OperatorToken> {
      asked.withLock { $0.append(operation) }
      return end
    }
  }

  static func settings(_ grant: OperatorTokenGrant, _ change: (inout CAMARASettings) -> Void = { _ in })
    -> CAMARASettings
  {
    CAMARAKit.settings {
      $0.operatorTokens = .init(grant, from: "ts")
      $0.server.authorizationEndpoint = nil
      $0.server.redirect = nil
      change(&$0)
    }
  }

  static let ticket = BackchannelTicket(
    at: backchannel, hint: Secret(subject), proof: .basic(Secret("s3cret")),
    pollProofs: Array(repeating: .basic(Secret("s3cret")), count: BackchannelTicket.polls))

  static func machine(
    _ grant: CAMARAAccess.Grant, _ question: NumberVerificationQuestion = .verify(CAMARAKit.number)
  ) -> OperatorTokenVerificationMachine {
    let way: OperatorTokenGrant = if case .assertion = grant { .jwtBearer } else { .backchannel(backchannel) }
    return OperatorTokenVerificationMachine(question, settings(way), grant, correlator: "corr-1")
  }

  static let accepted = CAMARAReply.http(200, #"{"auth_req_id":"req-1","expires_in":120,"interval":2}"#)
  static let pending = CAMARAReply.http(400, #"{"error":"authorization_pending"}"#)
  static let slowDown = CAMARAReply.http(400, #"{"error":"slow_down"}"#)
}
