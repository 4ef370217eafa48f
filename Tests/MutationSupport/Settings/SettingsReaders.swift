import AuthFlows
import FoundationEssentials
import ModemModel
import PortSettings
import ProviderSettings
import SettingsFile
import SystemdSupport
import TS43Configuration
import TruIDConfiguration
import IPificationConfiguration
import MobileConnectConfiguration
import CAMARAConfiguration
import FirebaseConfiguration
import MIRACLConfiguration

/// The readers of documents that libraries have: providers' files of each kind, and modemd-port's
/// settings.
package enum SettingsReaders {
  /// The folder of this repository.
  package static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// Providers' files: those that are shown to people.
  package static func providerExamples() throws -> [(name: String, text: String)] {
    let folder = "\(root)/Examples/providers"
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted().map {
      name in
      (name, try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
    }
  }

  package static let portExamples = [
    (
      name: "modemd-port",
      text: #"""
      { "sharing": "share",
        "sim": { "numbers": ["+447700900123"], "homeCountry": "44", "slot": 1, "authenticationsPerDay": 100 },
        "bearer": { "session": 3, "reconnect": false, "probe": false },
        "modems": { "/dev/cdc-wdm1": { "sharing": "follow", "sim": { "slot": 2 } },
                    "004999010640000": { "bearer": { "reconnect": true } } } }
      """#
    )
  ]

  package static let serviceExamples = [
    (
      name: "modemd",
      text: #"""
      { "access": { "groups": ["modemd"], "revealGroups": ["modemd-debug"], "messageGroups": [],
                    "table": { "org.modemd.Verify": ["payments"], "org.modemd.TruID.SIMCheck": ["fraud"] } },
        "bearer": { "apn": "internet", "user": "u", "authentication": "chap", "ipType": "ipv4v6", "metered": false,
                    "flowLimit": 64 },
        "tls": { "extraRoots": "/etc/modemd/extra-roots.pem", "atMost": "1.3" },
        "check": { "allowedAddresses": ["127.0.0.1"], "cleartextDomains": ["operator.example"], "callerLimit": 256,
                   "queueLimit": 1024, "callerQueueLimit": 256, "learnsOrigins": true,
                   "traceHeaders": ["x-request-id"], "historyLimit": 100 },
        "verify": { "route": "network" }, "backend": { "cleartextHosts": ["backend.lan"] } }
      """#
    )
  ]

  package static let port: SettingsSamples.Reader = { text in
    do throws(SettingsError) {
      _ = try PortSettings(json: text).settings(for: ["/dev/cdc-wdm1", "cdc-wdm1", "004999010640000"])
      return nil
    } catch {
      return error.description
    }
  }

  /// Reads providers' files from a folder of its own, with secrets for all of them.
  package struct Providers: Sendable {
    private let folder: String
    private let credentials: CredentialsDirectory?

    package init() throws {
      folder = "/dev/shm/modemd-settings-\(UInt64.random(in: 0 ... .max))"
      for part in ["providers", "credentials"] {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(part)", withIntermediateDirectories: true)
      }
      for key in [
        "client-secret", "client-secret-26201", "discovery-secret", "api-key", "backend-password", "secret",
        "backend-secret",
      ] {
        try Data("s3cret-hunter2\n".utf8).write(to: URL(filePath: "\(folder)/credentials/one.\(key)"))
      }
      credentials = CredentialsDirectory(
        ServiceEnvironment(["CREDENTIALS_DIRECTORY": "\(folder)/credentials"], process: 1))
    }

    package func read(_ text: [UInt8]) -> String? {
      let file = "\(folder)/providers/one.json"
      guard (try? Data(text).write(to: URL(filePath: file))) != nil else { return "cannot write" }
      do throws(SettingsError) {
        var providers = ProviderSet()
        try ProviderFolder.add(
          contentsOf: file, ProviderSecrets(name: "one", credentials: credentials), to: &providers, kinds: documents)
        // What people are shown of the same file.
        let faults = try ProviderFolder.read("\(folder)/providers", kinds: documents, credentials: credentials).faults
        return faults.first?.description
      } catch {
        return error.description
      }
    }

    /// Takes the folder away.
    package func remove() { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// What is wrong with an error's text: it names keys, not secrets, in lines that a log can take.
  package static func faults(of sentence: String?) -> [String] {
    guard let sentence else { return [] }
    if sentence.contains("hunter2") { return ["a secret is told: \(sentence.prefix(300))"] }
    if sentence.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return ["control characters: \(sentence.debugDescription.prefix(300))"]
    }
    return sentence.utf8.count > 8000 ? ["\(sentence.utf8.count) bytes: \(sentence.prefix(100))"] : []
  }
}

/// What a provider's file may be.
private let documents: [any ProviderDocument.Type] = [
  FirebaseDocument.self, IPificationDocument.self, MobileConnectDocument.self, CAMARADocument.self,
  TruIDDocument.self, MIRACLDocument.self, TS43Document.self,
]
