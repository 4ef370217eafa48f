import ArgumentParser
import Glibc
import ModemctlCore

/// `modemctl provider edit`
struct ProviderEdit: Verb {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit a provider's file.",
    discussion: """
      Opens a copy in $VISUAL or $EDITOR. modemd reads the copy before it replaces the file: one with a mistake is \
      refused, and the file stays as it was. With --secret alone, the secrets are replaced and nothing is opened.
      """)

  @Argument(help: "The provider's name.")
  var name: String

  @OptionGroup var secretOptions: SecretOptions

  @OptionGroup var places: ProviderPlaces
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    try places.requireRoot()
    try ProviderPlaces.check(name: name)
    let file = ProviderFile(name: name, path: places.file(name))
    guard SafeFile.exists(file.path) else {
      throw ModemctlError(.usage, "there is no file \(file.path); `modemctl provider add` makes one")
    }
    let old = try ArgumentFile.read(file.path, for: "the provider's file", limit: 262_145)
    let secrets = Dictionary(try secretOptions.read()) { _, last in last }
    guard secrets.isEmpty else {
      try await file.test(String(decoding: old, as: UTF8.self), secrets: secrets, in: session)
      try places.store(isEncrypted: !secretOptions.unencrypted).keep(secrets, of: name)
      session.complain("the secrets of \(name) are replaced")
      return try await file.use(places, hasCredentials: true, in: session)
    }
    let text = try await edited(old, file, session)
    guard Array(text.utf8) != old else {
      session.complain("\(file.path) is unchanged")
      return .done
    }
    try SafeFile.write(Array(text.utf8), to: file.path, mode: 0o640, group: ProviderFile.group)
    session.complain("\(file.path) is replaced")
    return try await file.use(places, hasCredentials: false, in: session)
  }

  /// What the person made of the file, once modemd can read it.
  private func edited(_ old: [UInt8], _ file: ProviderFile, _ session: Session) async throws -> String {
    var template = Array("/tmp/modemctl-provider-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ModemctlError(.failed, "/tmp cannot be written: \(String(cString: strerror(errno)))")
    }
    let folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let copy = "\(folder)/\(name).json"
    defer {
      unlink(copy)
      rmdir(folder)
    }
    try ArgumentFile.write(String(decoding: old, as: UTF8.self), to: copy)
    let editor =
      session.console.variable("VISUAL").flatMap { $0.isEmpty ? nil : $0 } ?? session.console.variable("EDITOR")
    while true {
      try EditorCommand.edit(copy, with: editor)
      let text = String(decoding: try ArgumentFile.read(copy, for: "the copy", limit: 262_145), as: UTF8.self)
      guard let fault = try await file.fault(in: text, session) else { return text }
      guard session.console.isInteractive else {
        throw ModemctlError(.usage, "\(file.path) stays as it was: \(ProviderText.line(fault))")
      }
      session.complain(ProviderText.line(fault))
      let answer = try session.console.readText("Edit again? [Y/n] ") ?? "n"
      guard !answer.lowercased().hasPrefix("n") else {
        throw ModemctlError(.usage, "\(file.path) stays as it was")
      }
    }
  }
}
