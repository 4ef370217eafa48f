import JSONTree
import OperatorSimulator

/// What is wrong with a request, in the words of OAuth 2.0 (RFC 6749) and of Mobile Connect.
struct MobileConnectRefusal: Error, Hashable {
  var code: String
  var description: String
  var status: Int

  init(_ code: String, _ description: String, status: Int = 400) {
    self.code = code
    self.description = description
    self.status = status
  }

  static func invalid(_ description: String) -> MobileConnectRefusal { .init("invalid_request", description) }

  static let unknownClient = MobileConnectRefusal("invalid_client", "the client is not known", status: 401)

  /// The refusal as an answer in JSON.
  func response(correlationID: String? = nil) -> SimulatedResponse {
    var members = ["error": JSONValue.string(code), "error_description": .string(description)]
    members["correlation_id"] = correlationID.map { .string($0) }
    var response = SimulatedResponse.json(JSONValue.object(members).text, status: status)
    if status == 401 { response.headers.append(.init(name: "WWW-Authenticate", value: "Basic realm=\"simulated\"")) }
    return response
  }
}
