import ArgumentParser
import Glibc
import ModemctlCore

/// Where providers' files and their credentials are.
struct ProviderPlaces: ParsableArguments {
  static let usualFolder = "/etc/modemd/providers"

  @Option(
    help: ArgumentHelp(
      "The folder of the providers' files, as modemd's --providers. Then nothing of systemd is touched.",
      valueName: "path"))
  var folder: String?

  @Option(
    help: ArgumentHelp(
      "A folder for secrets, in plain files, instead of systemd's credentials.", valueName: "path"))
  var credentials: String?

  /// Whether modemd's unit is meant, and not a service that was started by hand.
  var isUnit: Bool { folder == nil && credentials == nil }

  /// The path of a provider's file.
  func file(_ name: String) -> String { "\(folder ?? Self.usualFolder)/\(name).json" }

  /// - Throws: `ModemctlError` for a name that no file may have.
  static func check(name: String) throws {
    let allowed = name.utf8.allSatisfy {
      (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d
    }
    guard (1...64).contains(name.utf8.count), allowed, !name.hasPrefix("-") else {
      throw ModemctlError(.usage, "a provider's name has 1 to 64 small letters, digits and dashes")
    }
  }

  /// Where secrets are kept.
  func store(isEncrypted: Bool = true) -> CredentialStore {
    if let credentials { return CredentialStore(.folder(credentials)) }
    guard folder == nil else { return CredentialStore(.none) }
    let program = isEncrypted ? BoundedCommand.find("systemd-creds", in: ["/usr/bin", "/bin"]) : nil
    return CredentialStore(.systemd(encryption: program))
  }

  /// - Throws: `ModemctlError` if this user cannot write where modemd's unit reads.
  func requireRoot() throws {
    guard !isUnit || geteuid() == 0 else {
      throw ModemctlError(.denied, "only root may change modemd's providers; run it with sudo")
    }
  }
}
