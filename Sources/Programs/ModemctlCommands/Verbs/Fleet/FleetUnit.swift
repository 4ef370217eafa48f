import Glibc
import ModemctlCore

/// modemd-fleet's unit.
struct FleetUnit {
  private static let name = "modemd-fleet.service"
  private let systemctl: String

  /// Nil where the running system's manager is not systemd (sd_booted(3)).
  init?() {
    guard access("/run/systemd/system/", F_OK) == 0, let program = BoundedCommand.find("systemctl") else { return nil }
    systemctl = program
  }

  var isActive: Bool {
    get throws {
      let (_, end) = try BoundedCommand(
        systemctl, ["is-active", "--quiet", Self.name], seconds: 20, maximumOutput: 4096
      ).output()
      return end == .exited(0)
    }
  }

  /// Starts it, now and with each start of the machine.
  func enable() throws { try run(["enable", "--now", Self.name]) }

  /// Ends it, and starts it no more. A unit that never ran is no error.
  func disable() throws {
    try run(["disable", "--now", Self.name])
    // Else a failed attempt would count for the next ones.
    _ = try? run(["reset-failed", Self.name])
  }

  private func run(_ arguments: [String]) throws {
    let (bytes, end) = try BoundedCommand(
      systemctl, ["--no-ask-password"] + arguments, seconds: 90, maximumOutput: 65_536, joinsErrors: true
    ).output()
    guard end == .exited(0) else {
      let said =
        ForeignText.visible(String(decoding: bytes.prefix(300), as: UTF8.self))
        .split(separator: "\n").first.map { ": \($0)" } ?? ""
      throw ModemctlError(
        .failed, "`systemctl \(arguments.joined(separator: " "))` failed\(said); look at `journalctl -u modemd-fleet`")
    }
  }
}
