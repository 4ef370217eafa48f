import ArgumentParser
import ModemctlCore

/// `modemctl provider remove`
struct ProviderRemove: Verb {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a provider, its file and its secrets.")

  @Argument(help: "The provider's name.")
  var name: String

  @OptionGroup var places: ProviderPlaces
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    try places.requireRoot()
    try ProviderPlaces.check(name: name)
    let hadFile = try SafeFile.remove(places.file(name))
    let hadSecrets = try places.store().forget(name)
    guard hadFile || hadSecrets else {
      throw ModemctlError(.usage, "there is no provider \(name); `modemctl provider list` lists them")
    }
    session.complain(hadFile ? "\(places.file(name)) is removed" : "the secrets of \(name) are removed")
    guard places.isUnit else {
      session.complain(ServiceUnit.signal)
      return .done
    }
    _ = try await ServiceUnit().readAnew(hasCredentials: hadSecrets, in: session)
    return .done
  }
}
