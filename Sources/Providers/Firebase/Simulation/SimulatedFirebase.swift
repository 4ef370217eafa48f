import JSONTree
import OperatorSimulator

/// `FirebaseEmulatorService` in a scenario, with the backend of an app that asks about SIM changes.
struct FirebaseProvider: SimulatedProvider {
  static let kind = "firebase"
  static let hosts = [
    "emulator": ProviderHost(
      "firebase.example", ["198.51.100.160", "2001:db8:160::10"], securePorts: [], cleartextPorts: [9099]),
    "backend": ProviderHost("signin.app.example", ["203.0.113.160", "2001:db8:160::20"]),
  ]
  static let known = ["messages", "stalledNumbers"]

  private let hosts: [String: ProviderHost]
  private var mood = FirebaseMood()
  /// Numbers about which the backend never answers.
  private let stalledNumbers: Set<String>

  init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    self.hosts = hosts
    mood.messages = try fields.word("messages", FirebaseMood.Messages.self) ?? mood.messages
    stalledNumbers = Set(try fields.texts("stalledNumbers", "text", { $0 }) ?? [])
  }

  func services(_ ground: ProviderGround) -> [any SimulatedService] {
    [
      FirebaseEmulatorService(host: hosts["emulator"]!.name, mood: mood, ground),
      SIMCheckBackendService(host: hosts["backend"]!.name, stalledNumbers: stalledNumbers, ground),
    ]
  }
}
