import FlowService

/// Who may call each method by default, gathered from where the interfaces are registered.
public struct AccessDefaults: Hashable, Sendable {
  /// By full name, as `org.modemd.Modem.List`.
  public let all: [String: AccessDefault]

  public init(_ rights: [InterfaceRights]) {
    all = rights.reduce(into: [:]) { $0.merge($1.methods) { first, _ in first } }
  }

  /// Of the interfaces that a service has without any provider.
  public static let ownRights: [InterfaceRights] =
    [ModemHarness.rights, BearerHarness.rights, CheckHarness.rights, MessagesHarness.rights] + VerifyMethods.rights

  /// What holds for a method: one that is not listed is root's alone.
  public func right(to method: String) -> AccessDefault { all[method] ?? .ownEntry }
}
