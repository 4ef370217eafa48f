import ArgumentParser
import ModemAPI
import ModemctlCore
import SettingsFile

/// `modemctl provider add`
struct ProviderAdd: Verb {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Configure a provider, and check it.",
    discussion: """
      Asks on a terminal for what --set and --secret leave out. modemd reads the file before it is written: one with a \
      mistake is refused. Secrets are kept where systemd loads credentials from, encrypted for this machine if it has \
      systemd-creds. Then modemd reads its files anew, and the provider is checked without cost.
      """)

  @Argument(help: "The kind, such as truID; `modemctl provider add` alone lists them.")
  var kind: String?

  @Option(help: "The provider's name: small letters, digits and dashes (default: the kind).")
  var name: String?

  @Option(help: ArgumentHelp("A key of the file; a list has commas. May be repeated.", valueName: "key=value"))
  var set: [String] = []

  @OptionGroup var secrets: SecretOptions

  @Flag(help: "Ask nothing, even on a terminal.")
  var noQuestions = false

  @OptionGroup var places: ProviderPlaces
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    try places.requireRoot()
    let kinds = try await session.call(VerifyInterface.ProviderKinds.self, .init(), within: .answer).kinds
    let asks = session.console.isInteractive && !noQuestions
    let questions = ProviderQuestions(session: session)
    guard let word = try kind ?? (asks ? questions.kind(among: kinds) : nil) else {
      throw ModemctlError(.usage, "name a kind: one of \(kinds.map(\.kind).joined(separator: ", "))")
    }
    var draft = ProviderDraft(try Self.find(word, among: kinds))
    let usual = word.lowercased()
    let name = try name ?? (asks && set.isEmpty ? questions.name(standard: usual) : usual)
    try ProviderPlaces.check(name: name)
    let file = places.file(name)
    guard !SafeFile.exists(file) else {
      throw ModemctlError(.usage, "there is a provider \(name) already; `modemctl provider edit \(name)` changes it")
    }
    for word in set {
      let (key, value) = try SecretOptions.parts(word, "--set KEY=VALUE")
      try draft.set(key, to: value)
    }
    for (key, bytes) in try secrets.read() { try draft.set(secret: key, to: bytes) }
    if asks { try questions.complete(&draft) }
    try await ProviderFile(name: name, path: file).test(draft.text, secrets: draft.secrets, in: session)
    try places.store(isEncrypted: !secrets.unencrypted).keep(draft.secrets, of: name)
    do {
      try SafeFile.write(Array(draft.text.utf8), to: file, mode: 0o640, group: ProviderFile.group)
    } catch {
      _ = try? places.store().forget(name)
      throw error
    }
    session.complain("\(file) is written")
    return try await ProviderFile(name: name, path: file).use(
      places, hasCredentials: !draft.secrets.isEmpty, in: session)
  }

  private static func find(
    _ word: String, among kinds: [VerifyInterface.ProviderKind]
  ) throws -> VerifyInterface.ProviderKind {
    if let kind = kinds.first(where: { $0.kind == word })
      ?? kinds.first(where: { $0.kind.lowercased() == word.lowercased() })
    {
      return kind
    }
    if let near = NearestWord.find(word, among: kinds.map(\.kind)) {
      throw ModemctlError(.usage, "there is no kind \(ForeignText.visible(word)); did you mean \(near)?")
    }
    throw ModemctlError(
      .usage,
      "there is no kind \(ForeignText.visible(word)); the kinds are \(kinds.map(\.kind).joined(separator: ", "))")
  }
}
