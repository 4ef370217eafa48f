import Glibc
import ModemModel
import ScenarioRunner
import modem_simulator
import Testing

/// A world with the real ModemManager in it, Debian's package, on the same simulated modem.
struct Stage: Sendable {
  static let reason: Comment =
    "needs root, /dev/net/tun and the packages modemmanager, dbus, libmbim-proxy and libqmi-proxy"

  static let isPossible: Bool = {
    let programs = [
      "/usr/sbin/ModemManager", "/usr/bin/mmcli", "/usr/bin/dbus-daemon", "/usr/bin/dbus-send",
      "/usr/lib/polkit-1/polkitd", "/usr/libexec/mbim-proxy", "/usr/libexec/qmi-proxy", "/usr/bin/nsenter",
    ]
    return WorldsHere.areAllowed && programs.allSatisfy { access($0, X_OK) == 0 }
  }()

  let world: World
  private let kind: ModemProtocol
  /// The process that holds the mount and process namespaces.
  private let holder: pid_t

  /// Runs `body` in a fresh world with a bus, before ModemManager.
  static func with(
    _ kind: ModemProtocol = .mbim, _ scenario: String = "{}", _ body: (Stage) async throws -> Void
  ) async throws {
    let world = try await World.start(
      try Scenario(text: scenario), World.Options(kind: kind, startsDaemons: false))
    do {
      try await body(try await Stage(world, kind))
    } catch {
      await world.stop()
      throw error
    }
    await world.stop()
  }

  private init(_ world: World, _ kind: ModemProtocol) async throws {
    self.world = world
    self.kind = kind
    let script = String(#filePath).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/stage"
    let command = try await world.begin([
      "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", script, kind.rawValue,
    ])
    let ready = world.folder.file("stage/ready")
    let stands = try await eventually { access(ready, F_OK) == 0 || command.process.end != nil }
    guard stands, let child = Self.child(of: command.process.id) else {
      throw Failure(text: "the stage does not stand: \(command.error())")
    }
    holder = child
  }

  struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }

  private static func child(of process: pid_t) -> pid_t? {
    read("/proc/\(process)/task/\(process)/children")?.split(separator: " ").first.flatMap { pid_t($0) }
  }

  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    return String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
  }

  // MARK: Programs on the stage

  private func inside(_ command: [String]) -> [String] {
    ["nsenter", "--target", "\(holder)", "--mount", "--pid", "--"] + command
  }

  /// Starts a program on the stage; `end` ends it by this name.
  private func start(_ name: String, _ command: [String]) async throws {
    let pid = world.folder.file("\(name).pid")
    let line = "echo $$ >'\(pid)'; exec \"$@\" >>'\(world.folder.file("\(name).log"))' 2>&1"
    _ = try await world.begin(inside(["sh", "-c", line, "sh"] + command))
  }

  /// Ends a program of the stage and waits until it is gone.
  func end(_ name: String, with signal: String = "TERM") async throws {
    let pid = world.folder.file("\(name).pid")
    let line = "kill -\(signal) $(cat '\(pid)'); while kill -0 $(cat '\(pid)') 2>/dev/null; do sleep 0.02; done"
    _ = try await world.run(inside(["sh", "-c", line]))
  }

  func log(of name: String) -> String { Self.read(world.folder.file("\(name).log")) ?? "" }

  /// Starts ModemManager and waits until it has the modem.
  func startModemManager() async throws {
    try await start(
      "ModemManager",
      [
        "/usr/sbin/ModemManager", "--no-auto-scan", "--initial-kernel-events=\(world.folder.file("stage/events"))",
        "--test-no-udev", "--test-no-qrtr", "--test-no-suspend-resume", "--debug",
      ])
    guard try await eventually({ try await hasModem() }) else {
      throw Failure(text: "ModemManager does not take the modem: \(log(of: "ModemManager").suffix(2000))")
    }
  }

  /// Whether ModemManager has the modem.
  func hasModem() async throws -> Bool { try await mmcli("-L").output.contains("/Modem/") }

  func mmcli(_ arguments: String...) async throws -> CommandResult {
    try await world.run(inside(["mmcli"] + arguments))
  }

  /// Whether ModemManager has a connected bearer.
  func isConnected() async throws -> Bool {
    let lines = try await mmcli("-m", "any", "-K").output.split(separator: "\n")
    return lines.contains { $0.hasPrefix("modem.generic.state ") && $0.hasSuffix(": connected") }
  }

  /// Has ModemManager connect, and does for the interface what NetworkManager would.
  func connectModemManager() async throws {
    let enabled = try await mmcli("-m", "any", "--enable")
    #expect(enabled.end.status == 0, "\(enabled.error)")
    #expect(try await eventually { try await mmcli("-m", "any", "-K").output.contains(": registered") })
    let connected = try await mmcli("-m", "any", "--simple-connect=apn=internet,ip-type=ipv4v6")
    #expect(connected.end.status == 0, "\(connected.error)")
  }

  /// Puts the bearer's addresses on wwan0.
  func setAddresses() async throws {
    for command in [
      ["ip", "address", "add", "10.64.0.2/24", "dev", "wwan0"],
      ["ip", "-6", "address", "add", "2001:db8:64::2/64", "dev", "wwan0", "nodad"],
      ["ip", "link", "set", "wwan0", "up"],
    ] {
      let result = try await world.run(command)
      #expect(result.end.status == 0, "\(result.error)")
    }
  }

  /// Starts modemd and its port, and waits until the port knows the modem.
  func startModemd(_ options: String...) async throws {
    let program = { (name: String) in "\(world.options.programs)/\(name)" }
    try await start(
      "modemd-port",
      [
        program("modemd-port"), "--device", "/dev/cdc-wdm0", "--socket", world.folder.file("ports/wwan0"),
        "--state-directory", world.folder.file("state"),
      ] + options)
    try await world.start(.service)
  }

  /// Runs modemctl.
  func modemctl(_ arguments: String...) async throws -> CommandResult {
    try await world.run(["modemctl"] + arguments)
  }

  /// The line of the service's screen with this label; nil without one.
  func status(_ label: String) async throws -> String? {
    let screen = try await modemctl("status", "--reveal").output
    let line = screen.split(separator: "\n").first { $0.hasPrefix("  \(label) ") }
    return line.map { String($0.dropFirst(label.count + 2).drop { $0 == " " }) }
  }

  /// Waits until the service's screen says something; false when it does not within a minute.
  func waits(for label: String, _ isSo: @escaping (String) -> Bool) async throws -> Bool {
    try await eventually { try await status(label).map(isSo) ?? false }
  }

  /// What the kernel has of ours.
  func rules() async throws -> String {
    try await world.run(["ip", "rule"]).output.split(separator: "\n").filter { $0.contains("proto 77") }.joined(
      separator: "\n")
  }
}

/// Waits until something is so; false when it is not after a minute.
func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while ContinuousClock.now < deadline {
    if try await isSo() { return true }
    try await Task.sleep(for: .milliseconds(50))
  }
  return false
}

/// Whether simulated worlds can be made in this process.
enum WorldsHere {
  /// Root with CAP_SYS_ADMIN, as a container's root may not have it, and a TUN device.
  static let areAllowed: Bool = {
    let status = Stage.read("/proc/self/status") ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") } ?? ""
    let capabilities = UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? 0
    return geteuid() == 0 && capabilities & 1 << 21 != 0 && access("/dev/net/tun", R_OK | W_OK) == 0
  }()
}
