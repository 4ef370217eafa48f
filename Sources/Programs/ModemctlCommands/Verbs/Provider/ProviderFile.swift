import ModemAPI
import ModemctlCore

/// A provider's file on this machine.
struct ProviderFile {
  /// The service's own group, which has no members: nobody else can read new files.
  static let group = "modemd-port"

  let name: String
  let path: String

  /// Has modemd read a text as it would read the file.
  ///
  /// - Parameter secrets: those that it does not have yet, by their keys.
  /// - Throws: `ModemctlError` that says what is wrong.
  func test(_ text: String, secrets: [String: [UInt8]] = [:], in session: Session) async throws {
    if let fault = try await fault(in: text, secrets: secrets, session) {
      throw ModemctlError(.usage, "nothing was written: \(ProviderText.line(fault))")
    }
  }

  /// What is wrong with a text; nil if it can be used.
  func fault(
    in text: String, secrets: [String: [UInt8]] = [:], _ session: Session
  ) async throws -> VerifyInterface.ProviderFault? {
    let credentials = secrets.sorted { $0.key < $1.key }.map { key, bytes in
      let value = String(decoding: bytes, as: UTF8.self)
      return VerifyInterface.Credential(key: key, value: value.hasSuffix("\n") ? String(value.dropLast()) : value)
    }
    var fault = try await session.call(
      VerifyInterface.TestProviderFile.self, .init(name: name, text: text, credentials: credentials), within: .answer
    ).fault
    fault?.file = path
    return fault
  }

  /// Has modemd read its files anew, and checks the provider.
  func use(_ places: ProviderPlaces, hasCredentials: Bool, in session: Session) async throws -> ExitStatus {
    guard places.isUnit else {
      session.complain("\(ServiceUnit.signal); then run `modemctl provider check \(name)`")
      return .done
    }
    guard try await ServiceUnit().readAnew(hasCredentials: hasCredentials, in: session) else { return .done }
    return try await ProviderReport(session: session).check([name], modem: nil)
  }
}
