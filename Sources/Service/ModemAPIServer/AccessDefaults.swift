import FlowService

/// Who may call each method by default, collected from where the interfaces are registered.
package struct AccessDefaults: Hashable, Sendable {
  /// By full name, as `org.modemd.Modem.List`.
  package let all: [String: AccessDefault]

  package init(_ rights: [InterfaceRights]) {
    all = rights.reduce(into: [:]) { $0.merge($1.methods) { first, _ in first } }
  }

  /// The defaults of the interfaces that a service has without any provider.
  package static let ownRights: [InterfaceRights] =
    [
      ModemHarness.rights, BearerHarness.rights, CheckHarness.rights, MessagesHarness.rights, UsageHarness.rights,
      ServiceHarness.rights,
    ]
    + VerifyMethods.rights

  /// What holds for a method: one that is not listed is root's alone.
  package func right(to method: String) -> AccessDefault { all[method] ?? .ownEntry }
}
