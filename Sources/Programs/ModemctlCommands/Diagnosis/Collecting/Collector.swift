import Glibc
import ModemAPI
import ModemModel
import ModemctlCore
import Varlink

/// Collects what a maintainer needs, section by section. It records what cannot be read, and
/// whether root could.
struct Collector {
  /// One part of the report.
  struct Section: Sendable {
    var title: String
    var text: String
  }

  let session: Session
  let machine: Machine
  /// The modem of the report; nil for all.
  let modem: String?
  /// The folder of the ports' sockets.
  let ports: String
  /// The sockets of the ports in the report; set by `lookAtPorts`.
  var askedPorts: [String] = []
  var sections: [Section] = []
  /// What could not be read, with the reason.
  var unread: [String] = []
  var mask: ReportMask
  var seen = Observations()

  /// Limits of one section in bytes and lines.
  private static let limit = (bytes: 128 << 10, lines: 1500)
  /// How long modemd or a port may take for one answer.
  static let patience: Duration = .seconds(5)

  init(_ session: Session, _ machine: Machine, modem: String?, ports: String) {
    self.session = session
    self.machine = machine
    self.modem = modem
    self.ports = ports
    mask = ReportMask(reveals: session.options.reveal)
    seen.version = Product.version
    seen.clock = session.console.now().milliseconds / 1000
  }

  /// Collects everything.
  mutating func collect() async {
    lookAtCaller()
    await lookAtService()
    await lookAtPorts()
    if let modem, seen.modems.isEmpty, seen.knowsModems {
      // Nothing is known about the others, so no conclusions may be drawn.
      seen.knowsModems = false
      unread.append("the modem \(modem): there is none of that name; `modemctl list` shows the names")
    }
    lookAtVersions()
    lookAtUnits()
    lookAtDevices()
    lookAtProcesses()
    lookAtNetwork()
    lookAtSettings()
    lookAtJournal()
  }

  /// Adds a section, up to its limits.
  mutating func add(_ title: String, _ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while lines.last?.isEmpty == true { lines = lines.dropLast() }
    var kept = lines.prefix(Self.limit.lines).joined(separator: "\n")
    if lines.count > Self.limit.lines { kept += "\n(\(lines.count - Self.limit.lines) more lines are left off)" }
    if kept.utf8.count > Self.limit.bytes {
      kept = String(decoding: kept.utf8.prefix(Self.limit.bytes), as: UTF8.self) + "\n(the rest is left off)"
    }
    sections.append(Section(title: title, text: kept.isEmpty ? "(nothing)" : kept))
  }

  /// The text of a reading, or a line that explains why there is none. Missing permissions are
  /// recorded.
  mutating func shown(_ reading: Machine.Reading, _ what: String) -> String {
    switch reading {
    case .text(let text): return text
    case .missing: return "(there is no \(what))\n"
    case .denied:
      unread.append("\(what): your rights do not suffice" + (machine.isRoot ? "" : "; root can read it"))
      return "(\(what) may not be read)\n"
    case .failed(let reason):
      unread.append("\(what): \(reason)")
      return "(\(what) could not be read: \(reason))\n"
    }
  }

  // MARK: Who asks

  private mutating func lookAtCaller() {
    var caller = Observations.Caller()
    caller.isRoot = machine.isRoot
    var groups = [gid_t](repeating: 0, count: 256)
    let count = max(0, Int(getgroups(Int32(groups.count), &groups)))
    let own = Set(groups.prefix(count) + [getegid()])
    let user = Machine.user(machine.userID)
    if let entry = getgrnam("modemd") {
      caller.isMember = own.contains(entry.pointee.gr_gid)
      caller.isListed = Self.members(entry).contains(user)
      for member in Self.members(entry) { mask.learn(member, as: .user) }
    }
    seen.caller = caller
    mask.learn(user, as: .user)
    for name in ["SUDO_USER", "LOGNAME", "USER"] { mask.learn(session.console.variable(name), as: .user) }
    mask.learn(machine.file("/proc/sys/kernel/hostname").line, as: .host)
    mask.learn(machine.file("/etc/machine-id").line, as: .token)
    let membership =
      switch caller.isMember {
      case nil: "this machine has no group modemd"
      case true?: "in the group modemd"
      case false?: caller.isListed ? "added to the group modemd after the login" : "not in the group modemd"
      }
    add("Who asks", "\(machine.isRoot ? "root" : "a user without root's rights"), \(membership)")
  }

  private static func members(_ entry: UnsafeMutablePointer<group>) -> [String] {
    var names: [String] = []
    var place = entry.pointee.gr_mem
    while names.count < 256, let member = place?.pointee {
      names.append(String(cString: member))
      place = place?.advanced(by: 1)
    }
    return names
  }

  // MARK: Settings

  /// The files that the units' options name, and the usual folder of the providers.
  private mutating func lookAtSettings() {
    var files = optionPaths
    for name in machine.names(in: "/etc/modemd/providers", limit: 64) ?? [] where name.hasSuffix(".json") {
      files.append("/etc/modemd/providers/\(name)")
    }
    for name in machine.names(in: "/etc/modemd", limit: 64) ?? [] where name.hasSuffix(".json") {
      files.append("/etc/modemd/\(name)")
    }
    var done: Set<String> = []
    var text = ""
    for path in files.prefix(64) where done.insert(path).inserted {
      text += "--- \(path) (\(machine.rights(of: path) ?? "not there"))\n"
      let reading = machine.file(path)
      if case .text(let content) = reading {
        text += SettingsOutline.render(content, &mask)
      } else {
        text += shown(reading, path)
      }
    }
    add("Settings", text.isEmpty ? "There are none: modemd and its ports work as they do without." : text)
  }

  /// The paths after `--configuration` in the units' environment; set by `lookAtUnits`.
  var optionPaths: [String] = []
}
