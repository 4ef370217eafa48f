import JSONTree
import OperatorSimulator

/// What is wrong with a call, as far as the platform's answer tells.
enum MIRACLProblem: Hashable, Sendable {
  /// A member is missing, or nothing that is known.
  case parameters
  /// The backend's credentials.
  case credentials
  /// A mail was sent a moment ago.
  case backoff
  /// A verification code is wrong, too old, or was used.
  case verification
  case activation
  /// The link of a mail was not followed yet.
  case unverified
  case quickCode
  case expired
  case wrongPIN
  case revoked
  /// A login that was not begun, or a website's session that has ended.
  case session
  case signature

  var status: Int {
    switch self {
    case .parameters, .verification, .activation, .session, .signature: 400
    case .credentials, .wrongPIN, .expired, .unverified: 401
    case .quickCode: 403
    case .revoked: 410
    case .backoff: 429
    }
  }

  func code(_ wording: SimulatedMIRACLProject.Wording) -> String {
    let words: (current: String, former: String) =
      switch self {
      case .parameters: ("INVALID_REQUEST_PARAMETERS", "INVALID_REQUEST_PARAMETERS")
      case .credentials: ("UNAUTHORIZED", "UNAUTHORIZED")
      case .backoff: ("REQUEST_BACKOFF", "BACKOFF_ERROR")
      case .verification: ("UNSUCCESSFUL_VERIFICATION", "INVALID_VERIFICATION_CODE")
      case .activation: ("INVALID_ACTIVATION_TOKEN", "INVALID_ACTIVATION_TOKEN")
      case .unverified: ("NOT_VERIFIED", "NOT_VERIFIED")
      case .quickCode: ("LIMITED_QUICKCODE_GENERATION", "LIMITED_QUICKCODE_GENERATION")
      case .expired: ("EXPIRED_MPINID", "MPINID_EXPIRED")
      case .wrongPIN: ("UNSUCCESSFUL_AUTHENTICATION", "INVALID_AUTH")
      case .revoked: ("REVOKED_MPINID", "MPINID_REVOKED")
      case .session: ("INVALID_AUTHENTICATION_SESSION", "INVALID_AUTH_SESSION")
      case .signature: ("INVALID_SIGNATURE", "INVALID_SIGNATURE")
      }
    return wording == .current ? words.current : words.former
  }
}

/// Why a call is not answered as it was asked.
enum MIRACLRefusal: Error {
  case problem(MIRACLProblem, context: [String: String])
  /// As a fault has it.
  case fault(MIRACLFault.Answer)

  static func problem(_ problem: MIRACLProblem) -> MIRACLRefusal { .problem(problem, context: [:]) }

  /// A member that is not as it must be.
  static func parameter(_ name: String) -> MIRACLRefusal { .problem(.parameters, context: ["params": name]) }

  /// - Parameters:
  ///   - project: in whose words.
  ///   - requestID: names the call in the former body.
  func response(_ project: SimulatedMIRACLProject, requestID: String) -> SimulatedResponse {
    switch self {
    case .problem(let problem, let context):
      Self.error(problem.code(project.errorCodes), problem.status, context, project, requestID)
    case .fault(.error(let code, let status)): Self.error(code, status, [:], project, requestID)
    case .fault(.twist(.hangUp)): SimulatedResponse.json("{}").delivered(.hangUp)
    case .fault(.twist(.silence)): SimulatedResponse.json("{}").delivered(.never)
    case .fault(.twist(.unavailable)): SimulatedResponse(status: 503)
    case .fault(.twist(.page)):
      SimulatedResponse(
        status: 200, headers: [("Content-Type", "text/html")], body: "<!doctype html><title>Sign in</title>")
    case .fault: .json("{}")
    }
  }

  private static func error(
    _ code: String, _ status: Int, _ context: [String: String], _ project: SimulatedMIRACLProject, _ requestID: String
  ) -> SimulatedResponse {
    let info = JSONValue.string("simulated refusal")
    let context = JSONValue.object(context.mapValues { .string($0) })
    let body: JSONValue =
      switch project.errorBody {
      case .current: .object(["error": .string(code), "info": info, "context": context])
      case .former:
        .object([
          "requestID": .string(requestID),
          "error": .object(["code": .string(code), "info": info, "context": context]),
        ])
      }
    return .json(body.text, status: status)
  }
}
