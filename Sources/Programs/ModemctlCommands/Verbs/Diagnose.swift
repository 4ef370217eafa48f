import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl diagnose`
struct Diagnose: Verb {
  static let configuration = CommandConfiguration(
    commandName: "diagnose", abstract: "Collect what a maintainer asks for in one masked file, and say what is wrong.",
    discussion: """
      Versions, units and their journal, devices with udev's properties, states of modems and bearers, the last checks, rules, routes, the guard, \
      settings without secrets, and who else manages the interface. It works even if modemd does not answer, and says what could not be \
      read; root can read the most. Names such as imsi#1 stand for numbers, addresses and secrets; the same value always has the same name. \
      --reveal shows the numbers and addresses of the subscriber and the modem, but no secrets.
      """)

  @Option(
    help: ArgumentHelp(
      "The file to write, readable only by you; - for standard output (default: a file in the current folder, named by date).",
      valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Watch the control channel for this long, 1 to 300: names, lengths, statuses and times of its messages. Root only.",
      valueName: "seconds"))
  var capture: Int?

  @Option(help: ArgumentHelp("The folder of the ports' sockets; only root can use it.", valueName: "folder"))
  var ports = "/run/modemd/ports"

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let capture, !(1...300).contains(capture) {
      throw ValidationError("--capture: expected 1 to 300 seconds, not \(capture)")
    }
    if output == "" { throw ValidationError("--output: expected a file's name, or - for standard output") }
  }

  func run(in session: Session) async throws -> ExitStatus {
    try await run(in: session, on: Machine())
  }

  /// - Parameter machine: the machine to examine.
  func run(in session: Session, on machine: Machine) async throws -> ExitStatus {
    let now = session.console.now()
    var collector = Collector(session, machine, modem: choice.modem, ports: ports)
    await collector.collect()
    if let capture {
      session.console.complain("Capturing the control channel for \(capture) s …\n")
      await collector.capture(seconds: capture)
    }
    var report = DiagnosisReport(collector, made: now)
    if output == "-" {
      try session.show(report) { report.text }
      return .done
    }
    let stamp = now.description.prefix { $0 != "." && $0 != "Z" }.filter { $0.isNumber || $0 == "T" }
    let path = output ?? "modemd-diagnosis-\(stamp)Z.txt"
    try ReportFile.write(report.text, to: path)
    report.file = path
    // The file contains them; programs get the findings.
    report.sections = []
    try session.show(report) {
      report.findingsText
        + (report.unread.isEmpty
          ? ""
          : "Not everything could be read\(machine.isRoot ? "" : "; root can: sudo modemctl diagnose"). The file lists what is missing.\n")
        + "\(path) has the report. Read it before you pass it on.\n"
    }
    return .done
  }
}
