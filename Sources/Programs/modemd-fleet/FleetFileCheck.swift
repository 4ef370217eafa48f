import FleetAgent
import FleetSettings
import ModemModel
import SettingsFile
import SystemdSupport

/// What `modemd-fleet --check` says: a line for each file.
struct FleetFileCheck {
  let lines: [String]
  /// Nil if anything is wrong.
  let settings: FleetSettings?

  /// - Parameter now: for the certificate's dates.
  init(_ path: String, credentials: CredentialsDirectory?, now: Timestamp = .now()) {
    let settings: FleetSettings
    do throws(SettingsError) {
      settings = try FleetSettings.read(path, credentials: credentials)
    } catch {
      (lines, self.settings) = (["\(error)"], nil)
      return
    }
    var lines = ["\(path): good: \(settings.machine) at \(settings.place), \(Self.commands(settings))"]
    var isGood = true
    for check in [Self.authorities, Self.certificate, Self.key, Self.fleetKey] {
      do {
        if let line = try check(settings, now) { lines.append(line) }
      } catch {
        lines.append("\(error)")
        isGood = false
      }
    }
    self.lines = lines
    self.settings = isGood ? settings : nil
  }

  private static func commands(_ settings: FleetSettings) -> String {
    let requesters = settings.commands.requesters.sorted { $0.key < $1.key }
    guard !requesters.isEmpty else { return "no command is allowed" }
    return requesters.map { "\($0.key) may \($0.value.sorted().joined(separator: ", "))" }.joined(separator: "; ")
  }

  private static func authorities(_ settings: FleetSettings, _: Timestamp) throws -> String? {
    let count = try MachineCertificate.authorities(in: settings.authorities)
    return "\(settings.authorities): good: \(count) certificate\(count == 1 ? "" : "s")"
  }

  private static func certificate(_ settings: FleetSettings, _ now: Timestamp) throws -> String? {
    let certificate = try MachineCertificate(contentsOf: settings.certificate)
    let seconds = now.milliseconds / 1000
    if let flaw = certificate.flaw(for: settings.machine, at: seconds, in: settings.certificate) { throw flaw }
    let end = Timestamp(milliseconds: certificate.notAfter * 1000)
    return "\(settings.certificate): good: for \(settings.machine), until \(end)"
  }

  private static func key(_ settings: FleetSettings, _: Timestamp) throws -> String? {
    try MachineCertificate.check(key: settings.key, of: settings.certificate)
    return "\(settings.key): good: the key of the certificate"
  }

  private static func fleetKey(_ settings: FleetSettings, _: Timestamp) throws -> String? {
    guard let path = settings.fleetKey else { return nil }
    _ = try FleetKey.read(path)
    return "\(path): good: the fleet's key"
  }
}

extension FleetSettings {
  /// The broker's host and port for people.
  var place: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
