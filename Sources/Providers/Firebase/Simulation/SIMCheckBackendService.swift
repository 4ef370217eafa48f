import JSONTree
import OperatorSimulator

/// The backend of an app with phone sign-in after a SIM check: `POST /sim-check`, as in tru.ID's
/// dev server. The answer omits what the operator does not know.
package struct SIMCheckBackendService: SimulatedService {
  /// A change counts for as long as tru.ID's default period: 7 days.
  private static let period: Int64 = 7 * 86_400_000

  private let host: String
  private let stalledNumbers: Set<String>
  private let environment: ProviderEnvironment

  /// - Parameters:
  ///   - host: in lower case.
  ///   - stalledNumbers: E.164; a question about one of them is never answered.
  package init(host: String, stalledNumbers: Set<String> = [], _ environment: ProviderEnvironment) {
    self.host = host
    self.stalledNumbers = stalledNumbers
    self.environment = environment
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard request.host == host else { return nil }
    guard (request.method, request.path) == ("POST", "/sim-check") else {
      return .problem(404, "nothing is served here")
    }
    guard let number = request.json?["phone_number"]?.string else {
      return .json(#"{"error_message":"phone_number parameter is required"}"#, status: 400)
    }
    if stalledNumbers.contains("+\(number)") { return SimulatedResponse.json("{}").delivered(.never) }
    let subscriber = environment.subscribers.subscriber(number)
    guard let changed = subscriber.flatMap({ environment.subscribers.simChange(of: $0) }) else { return .json("{}") }
    let isUnchanged = environment.now().milliseconds - changed.milliseconds > Self.period
    return .json(JSONValue.object(["no_sim_change": .bool(isUnchanged)]).text)
  }
}
