import ArgumentParser
import Glibc
import ModemctlCore

/// `modemctl fleet leave`
struct FleetLeave: Verb {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "End modemd-fleet, and remove its settings, certificate and key.",
    discussion: """
      The broker is told that the machine is offline. What the broker has kept of the machine stays there until the \
      fleet's office removes it. Revoke the machine's certificate, too.
      """)

  @OptionGroup var places: FleetPlaces
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ModemctlCore.ExitStatus {
    try places.requireRoot()
    // First the service: it says good-bye with its certificate.
    if places.isUnit, SafeFile.exists(places.settings), let unit = FleetUnit() { try unit.disable() }
    guard try FleetFolder(settings: places.settings, files: places.files).remove() else {
      throw ModemctlError(.usage, "this machine is in no fleet: there is no \(places.settings)")
    }
    session.complain("modemd-fleet's settings, certificate and key are removed")
    return .done
  }
}
