import ArgumentParser
import ModemAPI

/// `modemctl diagnose`
struct Diagnose: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Collects everything that a maintainer needs in one masked file, and explains what is wrong.",
    discussion: """
      Versions, units and their journal, devices with udev's properties, states of modems and bearers, the \
      last checks, rules, routes, the guard, settings without secrets, and other programs that manage the \
      interface. It also works if modemd does not answer, and lists what could not be read; root can read \
      most. Numbers, addresses and secrets are replaced by names such as imsi#1, the same name for the same \
      value. --reveal shows the subscriber's and the modem's numbers and addresses, but never secrets.
      """)

  @Option(
    help: ArgumentHelp(
      "The file to write, only for its owner; - for standard output. Without it, a file with the date in the current folder.",
      valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Capture the control channel for this many seconds, 1 to 300: names, lengths, statuses and times of its messages. For root.",
      valueName: "seconds"))
  var capture: Int?

  @Option(help: ArgumentHelp("The folder of the ports' sockets, for root.", valueName: "folder"))
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
