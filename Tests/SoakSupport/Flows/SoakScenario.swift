import CAMARASimulation
import FirebaseSimulation
import IPificationSimulation
import MIRACLSimulation
import MobileConnectSimulation
import NumberRecyclingSimulation
import OperatorSimulator
import ScenarioRunner
import TS43Simulation
import TruIDSimulation

/// A world in which every kind of flow can be made.
enum SoakScenario {
  /// The number of the simulated SIM, another of its operator's, and one whose SIM was just
  /// changed.
  static let own = "+4915112345678"
  static let neighbour = "+4915155555502"
  static let swapped = "+4915155555503"
  /// Somebody with an identity of M-Pin.
  static let person = "ada@shop.example"
  /// The providers that org.modemd.Verify asks.
  static let verifiers = ["truid", "ipification", "operator", "plus", "entitlement"]

  static func make() throws -> Scenario {
    try Scenario(
      text: text, file: "soak",
      providers: [
        SimulatedCAMARA.self, SimulatedFirebase.self, SimulatedIPification.self, SimulatedMIRACL.self,
        SimulatedMobileConnect.self, SimulatedNumberRecycling.self, SimulatedTS43.self, SimulatedTruID.self,
      ])
  }

  private static let text = """
    { "network": { "ipType": "ipv4v6" },
      "providers": [
        { "kind": "truID", "client": { "id": "soak", "secret": "s3cret-of-truid" }, "operators": ["26201"] },
        { "kind": "ipification", "networks": ["26201"], "clients": [ { "id": "soak", "secret": "s3cret-of-ipification" } ] },
        { "kind": "camara", "clients": [ { "id": "soak", "secret": "s3cret-of-camara", "redirectURI": "app:/back" } ] },
        { "kind": "firebase" },
        { "kind": "ts43", "hosts": { "server": { "addresses": ["198.51.100.200", "2001:db8:200::10"] },
          "second": { "addresses": ["198.51.100.201", "2001:db8:200::11"] } } },
        { "kind": "numberRecycling", "clientID": "soak", "secret": "s3cret-of-recycling",
          "hosts": { "auth": { "addresses": ["203.0.113.210", "2001:db8:210::10"] },
            "api": { "addresses": ["203.0.113.211", "2001:db8:210::11"] } },
          "subscribedOn": { "\(own)": "2026-03-01" } },
        { "kind": "mobileConnect", "networks": ["26201"], "applications": [
          { "id": "plus", "secret": "operator-secret-of-plus", "exchangeSecret": "exchange-secret-of-plus",
            "redirectURIs": ["com.example.app://mc/back"] } ] },
        { "kind": "miracl", "projects": [ { "id": "soak", "secret": "s3cret-of-miracl" } ], "pins": ["4711", "0815"] } ],
      "subscribers": [ { "number": "\(own)", "simChangedMinutesAgo": 50000 },
        { "number": "\(neighbour)", "simChangedMinutesAgo": 50000 }, { "number": "\(swapped)", "simChangedMinutesAgo": 5 } ],
      "modemdProviders": {
        "truid": { "kind": "truID", "api": "https://eu.api.truid.example", "clientID": "soak", "version": "v0.2" },
        "ipification": { "kind": "ipification", "host": "https://api.ipification.example", "clientID": "soak",
          "redirectURI": "com.example.app://ip/callback" },
        "operator": { "kind": "camara", "root": "https://api.camara.example", "clientID": "soak", "redirectURI": "app:/back",
          "authorizationEndpoint": "https://auth.camara.example/authorize",
          "tokenEndpoint": "https://auth.camara.example/token" },
        "entitlement": { "kind": "ts43" },
        "recycling": { "kind": "numberRecycling", "root": "https://api.recycling.example", "clientID": "soak",
          "tokenEndpoint": "https://auth.recycling.example/token" },
        "plus": { "kind": "mobileConnect", "redirectURI": "com.example.app://mc/back", "route": "bearer",
          "discovery": { "url": "https://discover.exchange.example/v2/discovery", "clientID": "plus-at-exchange" } },
        "project": { "kind": "firebase", "emulator": "firebase.example:9099",
          "code": { "sender": "Firebase", "pattern": "{digits:6} is your verification code", "seconds": 10 },
          "simCheck": { "provider": "truid" } },
        "website": { "kind": "miracl", "api": "https://api.miracl.example", "project": "soak",
          "trustedDomains": ["miracl.example"], "clientID": "client-of-soak", "route": "bearer" } },
      "modemdCredentials": {
        "truid.client-secret": "s3cret-of-truid", "ipification.client-secret": "s3cret-of-ipification",
        "operator.client-secret": "s3cret-of-camara", "recycling.client-secret": "s3cret-of-recycling",
        "plus.discovery-secret": "exchange-secret-of-plus", "project.api-key": "s3cret-of-firebase",
        "website.client-secret": "s3cret-of-miracl" } }
    """
}
