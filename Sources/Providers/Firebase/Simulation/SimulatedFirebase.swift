import JSONTree
import OperatorSimulator

/// `FirebaseEmulatorService` in a scenario, with the backend of an app that asks about SIM changes.
package struct SimulatedFirebase: SimulatedProvider {
  package static let kind = "firebase"
  package static let hosts = [
    "emulator": ProviderHost(
      "firebase.example", ["198.51.100.160", "2001:db8:160::10"], securePorts: [], cleartextPorts: [9099]),
    "backend": ProviderHost("signin.app.example", ["203.0.113.160", "2001:db8:160::20"]),
  ]
  package static let known = ["messages", "stalledNumbers"]

  private let hosts: [String: ProviderHost]
  private var behaviour = FirebaseBehaviour()
  /// Numbers about which the backend never answers.
  private let stalledNumbers: Set<String>

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    self.hosts = hosts
    behaviour.messages = try fields.word("messages", FirebaseBehaviour.Messages.self) ?? behaviour.messages
    stalledNumbers = Set(try fields.texts("stalledNumbers", "text", { $0 }) ?? [])
  }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [
      FirebaseEmulatorService(host: hosts.name("emulator"), behaviour: behaviour, environment),
      SIMCheckBackendService(host: hosts.name("backend"), stalledNumbers: stalledNumbers, environment),
    ]
  }
}
