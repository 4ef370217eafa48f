import Glibc
import ModemctlCore

/// modemd's unit, which reads providers' files when it starts and when it reloads, and gets
/// credentials when it starts.
struct ServiceUnit {
  private static let name = "modemd.service"

  /// Where the running system's manager is systemd (sd_booted(3)).
  private let systemctl: String?

  init() {
    systemctl = access("/run/systemd/system/", F_OK) == 0 ? BoundedCommand.find("systemctl") : nil
  }

  /// Has the service read what was changed, and says what was done or must be done.
  ///
  /// - Parameter hasCredentials: whether credentials were changed too.
  /// - Returns: whether the service has read it.
  /// - Throws: `ModemctlError` if the service could not be asked, or a reload changed nothing.
  func readAnew(hasCredentials: Bool, in session: Session) async throws -> Bool {
    guard let systemctl else {
      session.complain(
        "systemd does not run here: "
          + (hasCredentials ? "start modemd anew, with the secret among its credentials" : Self.signal))
      return false
    }
    if hasCredentials { try run(systemctl, ["daemon-reload"]) }
    guard try isActive(systemctl) else {
      session.complain("modemd does not run now; it reads the change when it starts")
      return false
    }
    guard hasCredentials else {
      let wait = await ReloadWait(session)
      try run(systemctl, ["reload-or-restart", Self.name])
      try await wait.end()
      session.complain("modemd has read its files anew")
      return true
    }
    // systemd gives credentials to a unit that starts, and to no other.
    try run(systemctl, ["restart", Self.name])
    session.complain("modemd was restarted, as systemd gives credentials only then")
    return true
  }

  /// What a person does for a service that systemd did not start.
  static let signal = "send modemd SIGHUP, so that it reads the change"

  private func isActive(_ systemctl: String) throws -> Bool {
    let (_, end) = try BoundedCommand(
      systemctl, ["is-active", "--quiet", Self.name], seconds: 20, maximumOutput: 4096
    ).output()
    return end == .exited(0)
  }

  private func run(_ systemctl: String, _ arguments: [String]) throws {
    let (bytes, end) = try BoundedCommand(
      systemctl, ["--no-ask-password"] + arguments, seconds: 90, maximumOutput: 65_536, joinsErrors: true
    ).output()
    guard end == .exited(0) else {
      let said =
        ForeignText.visible(String(decoding: bytes.prefix(300), as: UTF8.self))
        .split(separator: "\n").first.map { ": \($0)" } ?? ""
      throw ModemctlError(
        .failed, "`systemctl \(arguments.joined(separator: " "))` failed\(said); look at `journalctl -u modemd`")
    }
  }
}
