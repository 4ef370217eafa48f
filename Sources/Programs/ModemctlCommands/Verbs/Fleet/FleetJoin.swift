import ArgumentParser
import FleetAPI
import Glibc
import LimitClock
import ModemctlCore

/// `modemctl fleet join`
struct FleetJoin: Verb {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Set modemd-fleet up, check it against the broker, and start it.",
    discussion: """
      Checks first that the settings are good, that the certificate is this machine's and the key belongs to it, that \
      the broker's name resolves, and that the broker accepts the machine over TLS. Then it writes /etc/modemd/fleet.json \
      and copies of the files to /etc/modemd/fleet, starts modemd-fleet, and waits until it is connected. If anything \
      fails, it says what, and takes back what it did.
      """)

  @Argument(help: ArgumentHelp("The broker, for MQTT 5 over TLS (port 8883).", valueName: "host[:port]"))
  var broker: String

  @Option(help: ArgumentHelp("This machine's name: the common name of its certificate.", valueName: "name"))
  var machine: String

  @Option(help: ArgumentHelp("A PEM file of the authorities of the broker's certificate.", valueName: "file"))
  var authorities: String

  @Option(help: ArgumentHelp("A PEM file of this machine's certificate.", valueName: "file"))
  var certificate: String

  @Option(help: ArgumentHelp("A PEM file of the certificate's key.", valueName: "file"))
  var key: String

  @Option(
    help: ArgumentHelp(
      "Commands that a requester may have done; without it, none. May be repeated.",
      valueName: "requester=command,…"))
  var allow: [String] = []

  @Option(help: ArgumentHelp("A host to which the command check.open may go. May be repeated.", valueName: "host"))
  var openHost: [String] = []

  @Option(help: ArgumentHelp("A file with the fleet's key, for hashed numbers.", valueName: "file"))
  var fleetKey: String?

  @Option(help: ArgumentHelp("What the fleet is told of a SIM's number: none, masked or hashed.", valueName: "word"))
  var numbers: String?

  @Option(help: ArgumentHelp("How many machines the fleet has.", valueName: "count"))
  var fleetSize: Int?

  @OptionGroup var places: FleetPlaces
  @OptionGroup var control: FleetControl
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ModemctlCore.ExitStatus {
    try places.requireRoot()
    guard !SafeFile.exists(places.settings) else {
      throw ModemctlError(
        .usage, "\(places.settings) is there already; change it, or leave its fleet first with `modemctl fleet leave`")
    }
    var draft = try FleetDraft(broker: broker, machine: machine)
    try draft.allow(allow)
    draft.openHosts = openHost
    (draft.numbers, draft.fleetSize, draft.hasFleetKey) = (numbers, fleetSize, fleetKey != nil)
    let contents = try contents()
    let program = FleetProgram(path: try FleetPlaces.program(), user: places.isUnit ? try serviceUser() : nil)
    try check(draft, contents, program, session)
    let folder = FleetFolder(settings: places.settings, files: places.files)
    let former = try folder.write(draft, contents)
    session.complain("\(places.settings) and the files in \(places.files) are written")
    guard places.isUnit, let unit = FleetUnit() else {
      session.complain("systemd is not asked: start modemd-fleet --configuration \(places.settings)")
      return .done
    }
    do {
      try unit.enable()
      let status = try await FleetWait(control: control, session: session).untilConnected()
      session.complain("modemd-fleet is connected, and starts with the machine")
      try session.show(status) { FleetText.details(status, now: session.console.now()).render(session.paint) }
    } catch {
      try? unit.disable()
      folder.restore(former)
      session.complain("the files are as before, and modemd-fleet does not run")
      throw error
    }
    return .done
  }

  /// The user's files, by their names in the folder.
  private func contents() throws -> [String: [UInt8]] {
    var contents = [
      "authorities.pem": try ArgumentFile.read(authorities, for: "the file of authorities"),
      "certificate.pem": try ArgumentFile.read(certificate, for: "the certificate"),
      "key.pem": try ArgumentFile.read(key, for: "the key"),
    ]
    if let fleetKey { contents[FleetDraft.fleetKeyName] = try ArgumentFile.read(fleetKey, for: "the fleet's key") }
    return contents
  }

  private func serviceUser() throws -> String {
    guard getpwnam(FleetPlaces.group) != nil else {
      throw ModemctlError(
        .misconfigured,
        "there is no user modemd-fleet; install the package, with `sudo apt install modemd-fleet`")
    }
    return FleetPlaces.group
  }

  /// Has modemd-fleet read copies of all files, and connect with them.
  private func check(
    _ draft: FleetDraft, _ contents: [String: [UInt8]], _ program: FleetProgram, _ session: Session
  ) throws {
    let trial = try FleetFolder.trial(in: places.isUnit ? "/run" : places.root)
    defer { trial.discard() }
    try trial.write(draft, contents)
    var names = [
      trial.settings: "the settings", "\(trial.files)/authorities.pem": authorities,
      "\(trial.files)/certificate.pem": certificate, "\(trial.files)/key.pem": key,
    ]
    if let fleetKey { names["\(trial.files)/\(FleetDraft.fleetKeyName)"] = fleetKey }
    for step in [program.checkFiles, program.checkBroker] {
      let report = try step(trial.settings).naming(names)
      for line in report.lines { session.complain(line) }
      guard report.isGood else {
        throw ModemctlError(.misconfigured, "nothing was changed: this machine cannot join the fleet like this")
      }
    }
  }
}

/// Waits until modemd-fleet, which has just been started, is connected.
struct FleetWait {
  static let limit = Duration.seconds(60)
  private static let pause = Duration.milliseconds(200)

  let control: FleetControl
  let session: Session

  /// - Throws: `ModemctlError` that has the last error, if it is not connected within the limit.
  func untilConnected() async throws -> FleetInterface.Status.Reply {
    var last = "modemd-fleet did not answer"
    let deadline = session.clock.now + Self.limit
    while session.clock.now < deadline {
      do {
        let status = try await control.status(session)
        if status.connection.state == .connected { return status }
        if let error = status.connection.lastError { last = ForeignText.visible(error) }
      } catch let error as ModemctlError where error.status == .unreachable {
        // Its socket is not there yet.
      }
      try await session.clock.pause(for: Self.pause)
    }
    throw ModemctlError(
      .failed,
      "modemd-fleet was not connected within \(Self.limit.components.seconds) s: \(last); look at "
        + "`journalctl -u modemd-fleet`")
  }
}
