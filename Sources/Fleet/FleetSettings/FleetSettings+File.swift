import SettingsFile
import SystemdSupport

extension FleetSettings {
  /// Where the files of modemd-fleet are.
  package enum Place {
    package static let settings = "/etc/modemd/fleet.json"
    package static let folder = "/etc/modemd/fleet"
    package static let authorities = "\(folder)/authorities.pem"
    package static let certificate = "\(folder)/certificate.pem"
    package static let key = "\(folder)/key.pem"
    /// The credential that has the fleet's key (systemd.exec(5), LoadCredential=).
    package static let fleetKeyCredential = "fleet-key"
  }

  /// The names of all commands that a machine can allow.
  package static let commandNames: Set<String> = [
    "modem.list", "modem.get", "bearer.get", "bearer.connect", "bearer.disconnect", "check.prepare", "verify.number",
    "check.open", "metrics.get", "diagnostics.get", "service.reload",
  ]

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - credentials: the service's; they may have the fleet's key.
  ///   - ownName: this machine's name where the file has none.
  /// - Throws: `SettingsError` that names the file, the line and the key.
  package static func read(
    _ path: String, credentials: CredentialsDirectory? = nil, ownName: () -> String? = { MachineName.derived() }
  ) throws(SettingsError) -> FleetSettings {
    try SettingsFile.read(path, keys: FleetDocument.keys) { (document: FleetDocument) throws(SettingsError) in
      try FleetSettings(document, credentials, ownName)
    }
  }

  /// Reads the text of a file.
  package init(
    json: [UInt8], credentials: CredentialsDirectory? = nil, ownName: () -> String? = { MachineName.derived() }
  ) throws(SettingsError) {
    self = try SettingsFile.settings(in: json, keys: FleetDocument.keys) {
      (document: FleetDocument) throws(SettingsError) in
      try FleetSettings(document, credentials, ownName)
    }
  }

  private init(
    _ document: FleetDocument, _ credentials: CredentialsDirectory?, _ ownName: () -> String?
  ) throws(SettingsError) {
    guard let host = document.broker?.host, Self.isHost(host) else {
      throw SettingsError(
        key: "broker.host",
        expected: "the broker's name or address, of 1 to 253 letters, digits, dots, dashes and colons")
    }
    guard let machine = document.machine ?? ownName(), MachineName.isName(machine) else {
      throw SettingsError(
        key: "machine",
        expected: document.machine == nil
          ? "set, and no name can be made from /etc/machine-id" : "1 to 64 small letters, digits and dashes")
    }
    self.init(
      host: host, machine: machine,
      authorities: try Self.path(document.authorities, Place.authorities, "authorities"),
      certificate: try Self.path(document.certificate, Place.certificate, "certificate"),
      key: try Self.path(document.key, Place.key, "key"))
    port = try Self.number(document.broker?.port, port, in: 1...65_535, "broker.port")
    keepAliveSeconds = try Self.number(document.keepAlive, keepAliveSeconds, in: 5...65_535, "keepAlive")
    metricsSeconds = document.metrics ?? metricsSeconds
    guard metricsSeconds == 0 || (60...86_400).contains(metricsSeconds) else {
      throw SettingsError(key: "metrics", expected: "60 to 86400, or 0 for no report")
    }
    sendsEvents = document.events ?? sendsEvents
    fleetSize = try Self.number(document.fleetSize, fleetSize, in: 1...10_000_000, "fleetSize")
    fleetKey =
      if let path = document.fleetKey { try Self.path(path, "", "fleetKey") } else {
        try Self.fleetKey(in: credentials)
      }
    try take(numbers: document.numbers)
    commands = try Commands(document.commands)
  }

  private mutating func take(numbers word: String?) throws(SettingsError) {
    guard let word else { return }
    guard let choice = Numbers(rawValue: word) else {
      throw SettingsError(key: "numbers", expected: "none, masked or hashed")
    }
    guard choice != .hashed || fleetKey != nil else {
      throw SettingsError(
        .wrongValue,
        "numbers is hashed, which needs the fleet's key: set fleetKey, or load the credential "
          + Place.fleetKeyCredential, key: "numbers")
    }
    numbers = choice
  }

  private static func fleetKey(in credentials: CredentialsDirectory?) throws(SettingsError) -> String? {
    guard let credentials else { return nil }
    do {
      guard try credentials.read(Place.fleetKeyCredential) != nil else { return nil }
      return try credentials.path(of: Place.fleetKeyCredential)
    } catch {
      throw SettingsError(
        .unreadable, "the credential \(Place.fleetKeyCredential) cannot be used", key: "fleetKey", cause: "\(error)")
    }
  }

  static func number(
    _ value: Int?, _ standard: Int, in range: ClosedRange<Int>, _ key: String
  ) throws(SettingsError) -> Int {
    guard let value else { return standard }
    guard range.contains(value) else {
      throw SettingsError(key: key, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  private static func path(_ value: String?, _ standard: String, _ key: String) throws(SettingsError) -> String {
    let path = value ?? standard
    guard path.hasPrefix("/"), path.utf8.count <= 1023, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw SettingsError(key: key, expected: "the path of a file, from / on")
    }
    return path
  }

  private static func isHost(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count) && !text.hasPrefix("-")
      && text.utf8.allSatisfy { MachineName.isLetterOrDigit($0) || [0x2d, 0x2e, 0x3a].contains($0) }
  }
}

extension FleetSettings.Commands {
  /// A longer list is no list that anybody looks through.
  private static let most = 256

  init(_ document: FleetDocument.Commands?) throws(SettingsError) {
    guard let document else { return }
    for (name, words) in (document.requesters ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard Self.isRequester(name) else {
        throw SettingsError(
          key: "commands.requesters", expected: "named with 1 to 64 letters, digits, dots, dashes, underscores and @")
      }
      requesters[name] = try Self.commands(words, "commands.requesters.\(name)")
    }
    guard requesters.count <= Self.most else {
      throw SettingsError(key: "commands.requesters", expected: "an object with at most \(Self.most) requesters")
    }
    for host in document.open?.hosts ?? [] {
      let isName =
        (1...253).contains(host.utf8.count) && !host.hasPrefix("-") && !host.hasPrefix(".")
        && host.utf8.allSatisfy { MachineName.isLetterOrDigit($0) || $0 == 0x2d || $0 == 0x2e }
      guard isName else {
        throw SettingsError(
          key: "commands.open.hosts", expected: "a list of host names, as in check.operator.example")
      }
      openHosts.insert(host.lowercased())
    }
    guard openHosts.count <= Self.most else {
      throw SettingsError(key: "commands.open.hosts", expected: "a list of at most \(Self.most) host names")
    }
    atOnce = try FleetSettings.number(document.atOnce, atOnce, in: 1...64, "commands.atOnce")
    aMinute = try FleetSettings.number(document.aMinute, aMinute, in: 1...600, "commands.aMinute")
  }

  /// A requester is a level of a topic, and the common name of a certificate.
  package static func isRequester(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        MachineName.isLetterOrDigit($0) || [0x2d, 0x2e, 0x5f, 0x40].contains($0)
      }
  }

  private static func commands(_ words: [String], _ key: String) throws(SettingsError) -> Set<String> {
    for word in words where !FleetSettings.commandNames.contains(word) {
      let known = FleetSettings.commandNames.sorted()
      guard let near = NearestWord.find(word, among: known) else {
        throw SettingsError(key: key, expected: "a list of commands: \(known.joined(separator: ", "))")
      }
      throw SettingsError(key: key, expected: "a list of commands that there are; did you mean \(near)?")
    }
    return Set(words)
  }
}
