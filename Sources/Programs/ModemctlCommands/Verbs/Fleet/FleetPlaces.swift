import ArgumentParser
import Glibc
import ModemctlCore

/// Where modemd-fleet's files, its program and its socket are.
struct FleetPlaces: ParsableArguments {
  /// modemd-fleet's own group: it may read the files, and its members may ask how it is doing.
  static let group = "modemd-fleet"

  @Option(
    help: ArgumentHelp(
      "A folder instead of /etc/modemd, with fleet.json and the folder fleet. Then nothing of systemd is touched.",
      valueName: "path"))
  var folder: String?

  /// Whether the unit is meant, and not a program that was started by hand.
  var isUnit: Bool { folder == nil }
  var root: String { folder ?? "/etc/modemd" }
  var settings: String { "\(root)/fleet.json" }
  /// The folder of the certificates and the key.
  var files: String { "\(root)/fleet" }

  /// - Throws: `ModemctlError` if this user cannot write where the unit reads.
  func requireRoot() throws {
    guard !isUnit || geteuid() == 0 else {
      throw ModemctlError(.denied, "only root may change or check this machine's fleet; run it with sudo")
    }
  }

  /// The program, which is beside modemctl as it is built, or in `lib/modemd` as it is installed.
  ///
  /// - Throws: `ModemctlError` if it is not there.
  static func program(beside folder: String = Launch.ownFolder) throws -> String {
    let places = ["\(folder)/../lib/modemd/modemd-fleet", "\(folder)/modemd-fleet"]
    guard let program = places.first(where: { access($0, X_OK) == 0 }) else {
      throw ModemctlError(
        .misconfigured, "modemd-fleet is not installed; install the package, with `sudo apt install modemd-fleet`")
    }
    return program
  }
}
