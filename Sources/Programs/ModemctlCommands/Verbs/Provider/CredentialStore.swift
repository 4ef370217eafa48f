import CLinux
import Glibc
import ModemctlCore

/// Where the secrets of providers are kept for modemd.
///
/// systemd loads them from its credential stores when it starts the unit: a drop-in for each
/// provider names them (`LoadCredential=`, systemd.exec(5)). A secret that is missing there costs
/// its provider, and not the service.
struct CredentialStore {
  enum Place {
    /// Plain files in a folder.
    case folder(String)
    /// systemd's stores. With the path of systemd-creds, secrets are encrypted for this machine.
    case systemd(encryption: String?)
    /// Nowhere: the service has its credentials from somebody else.
    case none
  }

  private static let plainFolder = "/etc/credstore"
  private static let encryptedFolder = "/etc/credstore.encrypted"

  let place: Place

  init(_ place: Place) { self.place = place }

  /// Keeps secrets, by their keys, beside those that the provider has.
  ///
  /// - Throws: `ModemctlError`; secrets that were kept before the failure stay.
  func keep(_ secrets: [String: [UInt8]], of provider: String) throws {
    guard !secrets.isEmpty else { return }
    let sorted = secrets.sorted { $0.key < $1.key }
    switch place {
    case .none:
      throw ModemctlError(.usage, "name a folder for secrets with --credentials, or leave --folder out")
    case .folder(let folder):
      for (key, secret) in sorted { try SafeFile.write(secret, to: "\(folder)/\(provider).\(key)", mode: 0o600) }
    case .systemd(let program):
      var dropIn = CredentialDropIn.read(provider)
      for (key, _) in sorted { try checkOwner("\(provider).\(key)", dropIn) }
      for (key, secret) in sorted {
        let name = "\(provider).\(key)"
        try keep(secret, as: name, program)
        dropIn.credentials[name] = program != nil
      }
      try dropIn.write()
    }
  }

  /// Takes away what `keep` made for a provider, and nothing that others put there.
  ///
  /// - Returns: whether there was anything.
  func forget(_ provider: String) throws -> Bool {
    switch place {
    case .none: return false
    case .folder(let folder):
      let names = Self.names(of: provider, in: folder)
      for name in names { try SafeFile.remove("\(folder)/\(name)") }
      return !names.isEmpty
    case .systemd:
      // First the lines that name the secrets, then the secrets.
      let dropIn = CredentialDropIn.read(provider)
      let hadDropIn = try dropIn.remove()
      for (name, isEncrypted) in dropIn.credentials {
        try SafeFile.remove("\(isEncrypted ? Self.encryptedFolder : Self.plainFolder)/\(name)")
      }
      return hadDropIn
    }
  }

  /// The stores are for all services of the machine.
  private func checkOwner(_ name: String, _ dropIn: CredentialDropIn) throws {
    guard dropIn.credentials[name] == nil else { return }
    for folder in [Self.plainFolder, Self.encryptedFolder] where SafeFile.exists("\(folder)/\(name)") {
      throw ModemctlError(
        .usage, "\(folder)/\(name) is there already, and modemctl did not make it; give the provider another name")
    }
  }

  private func keep(_ secret: [UInt8], as name: String, _ program: String?) throws {
    guard let program else {
      try makePrivate(Self.plainFolder)
      try SafeFile.write(secret, to: "\(Self.plainFolder)/\(name)", mode: 0o600)
      try SafeFile.remove("\(Self.encryptedFolder)/\(name)")
      return
    }
    try makePrivate(Self.encryptedFolder)
    let sealed = try Self.encrypt(secret, as: name, program)
    try SafeFile.write(sealed, to: "\(Self.encryptedFolder)/\(name)", mode: 0o600)
    try SafeFile.remove("\(Self.plainFolder)/\(name)")
  }

  /// A secret as only this machine can read it (systemd-creds(1)).
  ///
  /// - Parameter program: the path of systemd-creds.
  /// - Throws: `ModemctlError` if it cannot be encrypted here.
  static func encrypt(_ secret: [UInt8], as name: String, _ program: String, options: [String] = []) throws -> [UInt8] {
    // In memory, and under a name of this process alone: an argument would be seen by all.
    let descriptor = memfd_create("credential", 0)
    guard descriptor >= 0 else { throw ModemctlError(.failed, "there is no memory for the secret") }
    defer { close(descriptor) }
    guard secret.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) == secret.count else {
      throw ModemctlError(.failed, "there is no memory for the secret")
    }
    let command = BoundedCommand(
      program, ["encrypt", "--name=\(name)"] + options + ["/proc/\(getpid())/fd/\(descriptor)", "-"], seconds: 60,
      maximumOutput: 1 << 20)
    let (bytes, end) = try command.output()
    guard end == .exited(0), !bytes.isEmpty else {
      throw ModemctlError(
        .failed,
        "systemd-creds cannot encrypt the secret on this machine; run `systemd-creds setup`, or give --unencrypted to keep it in \(plainFolder)"
      )
    }
    return bytes
  }

  /// The credentials in a folder of modemd's own that belong to a provider: `NAME.KEY`.
  private static func names(of provider: String, in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      // A provider's name has no dot.
      if name.hasPrefix("\(provider).") { names.append(name) }
    }
    return names.sorted()
  }

  private func makePrivate(_ folder: String) throws {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw ModemctlError(.failed, "the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
  }
}
