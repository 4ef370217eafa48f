import ArgumentParser
import ModemctlCore

/// `modemctl fleet check`
struct FleetCheck: Verb {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check modemd-fleet's settings, its certificate, and the broker.",
    discussion: """
      Reads the files as modemd-fleet would. If modemd-fleet runs, it tells whether it is connected; else the broker is \
      asked with the machine's certificate.
      """)

  @OptionGroup var places: FleetPlaces
  @OptionGroup var control: FleetControl
  @OptionGroup var common: CommonOptions

  /// In `--json`.
  struct Document: Codable, Hashable {
    var good: Bool
    var lines: [String]
  }

  func run(in session: Session) async throws -> ModemctlCore.ExitStatus {
    try places.requireRoot()
    guard SafeFile.exists(places.settings) else {
      throw ModemctlError(
        .misconfigured, "there is no \(places.settings); `modemctl fleet join` writes it")
    }
    let program = FleetProgram(path: try FleetPlaces.program(), user: places.isUnit ? FleetPlaces.group : nil)
    let files = try program.checkFiles(places.settings)
    var document = Document(good: files.isGood, lines: files.lines)
    if files.isGood {
      let broker = try await broker(program, session)
      document.lines += broker.lines
      document.good = broker.isGood
    }
    try session.show(document) { document.lines.map { "\($0)\n" }.joined() }
    return document.good ? .done : .misconfigured
  }

  /// What the running service says. A second connection under the same name would end its own.
  private func broker(_ program: FleetProgram, _ session: Session) async throws -> FleetProgram.Report {
    do {
      let status = try await control.status(session)
      let isConnected = status.connection.state == .connected
      let reason = status.connection.lastError.map { ": \(ForeignText.visible($0))" } ?? ""
      return FleetProgram.Report(
        lines: [
          isConnected
            ? "modemd-fleet is connected since \(ForeignText.visible(status.connection.since))"
            : "modemd-fleet is not connected\(reason)"
        ], isGood: isConnected)
    } catch let error as ModemctlError where error.status == .unreachable {
      return try program.checkBroker(places.settings)
    }
  }
}
