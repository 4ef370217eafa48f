import FoundationEssentials
import Glibc
import SettingsFile
import Subprocess
import SystemdSupport
import Testing

@testable import FleetSettings

@Suite("Settings of modemd-fleet", .timeLimit(.minutes(1))) struct FleetSettingsTests {
  private static func read(_ text: String, name: String? = "machine-x") throws(SettingsError) -> FleetSettings {
    try FleetSettings(json: Array(text.utf8), ownName: { name })
  }

  @Test("A file with the broker alone has careful defaults: nothing is allowed, nothing personal is told")
  func defaults() throws {
    let settings = try Self.read(#"{ "broker": { "host": "broker.example" } }"#)
    #expect(settings.host == "broker.example" && settings.port == 8883 && settings.machine == "machine-x")
    #expect(settings.authorities == "/etc/modemd/fleet/authorities.pem")
    #expect(settings.certificate == "/etc/modemd/fleet/certificate.pem" && settings.key == "/etc/modemd/fleet/key.pem")
    #expect(settings.keepAliveSeconds == 600 && settings.metricsSeconds == 900 && settings.sendsEvents)
    #expect(settings.numbers == .none && settings.fleetKey == nil && settings.fleetSize == 1000)
    #expect(settings.commands.requesters.isEmpty && settings.commands.openHosts.isEmpty)
    #expect(settings.commands.atOnce == 4 && settings.commands.aMinute == 30)
  }

  @Test("Every key is read")
  func everything() throws {
    let settings = try Self.read(
      """
      {
        "broker": { "host": "::1", "port": 1 }, "machine": "kiosk-0042", "authorities": "/a", "certificate": "/c",
        "key": "/k", "keepAlive": 5, "metrics": 0, "events": false, "numbers": "hashed", "fleetKey": "/f",
        "fleetSize": 20000, // a comment
        "commands": {
          "requesters": { "desk": ["modem.list", "bearer.get"], "Field@1_x.y-z": ["check.open"] },
          "open": { "hosts": ["Check.Operator.Example"] }, "atOnce": 64, "aMinute": 600,
        },
      }
      """)
    #expect(settings.host == "::1" && settings.port == 1 && settings.machine == "kiosk-0042")
    #expect(settings.authorities == "/a" && settings.certificate == "/c" && settings.key == "/k")
    #expect(settings.keepAliveSeconds == 5 && settings.metricsSeconds == 0 && !settings.sendsEvents)
    #expect(settings.numbers == .hashed && settings.fleetKey == "/f" && settings.fleetSize == 20_000)
    #expect(
      settings.commands.requesters == ["desk": ["modem.list", "bearer.get"], "Field@1_x.y-z": ["check.open"]])
    #expect(settings.commands.openHosts == ["check.operator.example"])
    #expect(settings.commands.atOnce == 64 && settings.commands.aMinute == 600)
  }

  @Test(
    "A mistake is told with its key and what was expected",
    arguments: [
      (#"{}"#, "broker.host", "the broker's name"),
      (#"{ "broker": { "host": "a/b" } }"#, "broker.host", "the broker's name"),
      (#"{ "broker": { "host": "-a" } }"#, "broker.host", "the broker's name"),
      (#"{ "broker": { "host": "a\u0010" } }"#, "broker.host", "the broker's name"),
      (#"{ "broker": { "host": "a", "port": 0 } }"#, "broker.port", "1 to 65535"),
      (#"{ "broker": { "host": "a" }, "machine": "Kiosk" }"#, "machine", "1 to 64 small letters"),
      (#"{ "broker": { "host": "a" }, "machine": "a/b" }"#, "machine", "1 to 64 small letters"),
      (#"{ "broker": { "host": "a" }, "machine": "+" }"#, "machine", "1 to 64 small letters"),
      (#"{ "broker": { "host": "a" }, "machine": "" }"#, "machine", "1 to 64 small letters"),
      (#"{ "broker": { "host": "a" }, "key": "key.pem" }"#, "key", "the path of a file"),
      (#"{ "broker": { "host": "a" }, "keepAlive": 4 }"#, "keepAlive", "5 to 65535"),
      (#"{ "broker": { "host": "a" }, "metrics": 59 }"#, "metrics", "60 to 86400, or 0"),
      (#"{ "broker": { "host": "a" }, "metrics": -1 }"#, "metrics", "60 to 86400, or 0"),
      (#"{ "broker": { "host": "a" }, "numbers": "all" }"#, "numbers", "none, masked or hashed"),
      (#"{ "broker": { "host": "a" }, "numbers": "hashed" }"#, "numbers", "needs the fleet's key"),
      (#"{ "broker": { "host": "a" }, "fleetSize": 0 }"#, "fleetSize", "1 to 10000000"),
      (#"{ "broker": { "host": "a" }, "events": "no" }"#, "events", "true or false"),
      (
        #"{ "broker": { "host": "a" }, "commands": { "requesters": { "a/b": [] } } }"#, "commands.requesters",
        "1 to 64 letters"
      ),
      (
        #"{ "broker": { "host": "a" }, "commands": { "requesters": { "+": [] } } }"#, "commands.requesters",
        "1 to 64 letters"
      ),
      (
        #"{ "broker": { "host": "a" }, "commands": { "requesters": { "d": ["modem.lst"] } } }"#,
        "commands.requesters.d", "did you mean modem.list?"
      ),
      (
        #"{ "broker": { "host": "a" }, "commands": { "requesters": { "d": ["enter the PIN"] } } }"#,
        "commands.requesters.d", "bearer.connect"
      ),
      (
        #"{ "broker": { "host": "a" }, "commands": { "open": { "hosts": ["https://x"] } } }"#, "commands.open.hosts",
        "host names"
      ),
      (
        #"{ "broker": { "host": "a" }, "commands": { "open": { "hosts": ["*.x"] } } }"#, "commands.open.hosts",
        "host names"
      ),
      (#"{ "broker": { "host": "a" }, "commands": { "atOnce": 65 } }"#, "commands.atOnce", "1 to 64"),
      (#"{ "broker": { "host": "a" }, "commands": { "aMinute": 601 } }"#, "commands.aMinute", "1 to 600"),
    ])
  func mistakes(text: String, key: String, expected: String) throws {
    let error = try #require(throws: SettingsError.self) { try Self.read(text) }
    #expect(error.key == key, "\(error)")
    #expect(error.description.contains(expected), "\(error)")
    #expect(error.description.hasPrefix(key) || error.description.contains(" \(key)"), "\(error)")
  }

  @Test("Unknown keys are errors, with the one that was meant")
  func unknown() throws {
    let error = try #require(throws: SettingsError.self) { try Self.read(#"{ "brokr": { "host": "a" } }"#) }
    #expect(error.description == "there is no key brokr; did you mean broker?")
  }

  @Test("A machine without a name and without an id is told to set one")
  func nameless() throws {
    let error = try #require(throws: SettingsError.self) {
      try Self.read(#"{ "broker": { "host": "a" } }"#, name: nil)
    }
    #expect(error.key == "machine" && error.description.contains("/etc/machine-id"))
  }

  @Test("The name that is made from the machine's id is the same each time, and does not tell the id")
  func derived() throws {
    let path = "/tmp/modemd-machine-id-\(getpid())"
    defer { unlink(path) }
    let id = "0123456789abcdef0123456789abcdef"
    try Data("\(id)\n".utf8).write(to: URL(filePath: path))
    let name = try #require(MachineName.derived(from: path))
    // HMAC-SHA-256 of the constant under the id's 16 bytes, as Python's hmac makes it.
    #expect(name == "machine-53ce01b3132432d5")
    #expect(MachineName.isName(name) && MachineName.derived(from: path) == name)
    try Data("1\(id.dropFirst())\n".utf8).write(to: URL(filePath: path))
    #expect(MachineName.derived(from: path) != name)
    for wrong in ["", "uninitialized\n", String(repeating: "0", count: 32), String(repeating: "g", count: 32)] {
      try Data(wrong.utf8).write(to: URL(filePath: path))
      #expect(MachineName.derived(from: path) == nil, "\(wrong)")
    }
    #expect(MachineName.derived(from: "/nonexistent/machine-id") == nil)
  }

  @Test("The fleet's key may be a credential, which a file's own key goes before")
  func credential() throws {
    let folder = "/tmp/modemd-fleet-credentials-\(getpid())"
    mkdir(folder, 0o700)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(repeating: 7, count: 32).write(to: URL(filePath: "\(folder)/fleet-key"))
    let environment = ServiceEnvironment(["CREDENTIALS_DIRECTORY": folder], process: getpid())
    let credentials = try #require(CredentialsDirectory(environment))
    let text = #"{ "broker": { "host": "a" }, "machine": "m", "numbers": "hashed" }"#
    #expect(try FleetSettings(json: Array(text.utf8), credentials: credentials).fleetKey == "\(folder)/fleet-key")
    let named = text.replacing(#""m","#, with: #""m", "fleetKey": "/f","#)
    #expect(try FleetSettings(json: Array(named.utf8), credentials: credentials).fleetKey == "/f")
  }

  @Test("Certificate and key are checked: whose they are, that they belong together, and the dates")
  func certificates() async throws {
    let folder = "/tmp/modemd-fleet-certificates-\(getpid())"
    mkdir(folder, 0o700)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["kiosk", "other"] {
      let made = try await Subprocess.run(
        .name("openssl"),
        arguments: [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
          "/O=Fleet/CN=\(name)", "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem",
        ], output: .discarded, error: .string(limit: 65_536))
      try #require(made.terminationStatus == .exited(0), "\(made.standardError)")
    }
    let path = "\(folder)/kiosk.pem"
    let certificate = try MachineCertificate(contentsOf: path)
    let now = certificate.notBefore + 60
    #expect(certificate.commonName == "kiosk" && certificate.notAfter - certificate.notBefore == 86_400)
    #expect(certificate.flaw(for: "kiosk", at: now, in: path) == nil)
    let foreign = certificate.flaw(for: "other", at: now, in: path)
    #expect(foreign?.description.contains("is for kiosk, and the machine is other") == true)
    #expect(certificate.flaw(for: "kiosk", at: now + 86_400, in: path)?.description.contains("expired") == true)
    #expect(certificate.flaw(for: "kiosk", at: now - 3600, in: path)?.description.contains("not valid yet") == true)
    try MachineCertificate.check(key: "\(folder)/kiosk.key", of: path)
    #expect(throws: FleetFlaw(description: "\(folder)/other.key is not the key of the certificate in \(path)")) {
      try MachineCertificate.check(key: "\(folder)/other.key", of: path)
    }
    #expect(throws: FleetFlaw.self) { try MachineCertificate(contentsOf: "\(folder)/kiosk.key") }
    #expect(throws: FleetFlaw.self) { try MachineCertificate.check(key: path, of: path) }
    #expect(try MachineCertificate.authorities(in: path) == 1)
    let missing = try #require(throws: FleetFlaw.self) {
      try MachineCertificate.authorities(in: "\(folder)/missing.pem")
    }
    #expect(missing.description == "\(folder)/missing.pem cannot be read: No such file or directory")
  }
}
