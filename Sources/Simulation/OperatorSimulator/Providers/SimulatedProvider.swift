/// A kind of provider that a scenario may have in its list `providers`.
///
/// To add one, write the folder `Simulation` in the provider's folder, with this type and its
/// services, and add a line to modem-simulator's list.
package protocol SimulatedProvider: Sendable {
  /// The word in a scenario's `kind`.
  static var kind: String { get }
  /// Its hosts by their part, as they are where a scenario does not say otherwise.
  static var hosts: [String: ProviderHost] { get }
  /// The members of its own settings, besides `kind` and `hosts`.
  static var known: [String] { get }

  /// - Parameters:
  ///   - hosts: one for each part of `Self.hosts`.
  ///   - fields: its own settings.
  /// - Throws: `ScenarioError`.
  init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws

  /// Secrets that its settings contain, each with its kind: no log may show them.
  var secrets: [ScenarioSecret] { get }

  /// Its services, made once in the process of the operator: what they keep is shared by both ways.
  func services(_ environment: ProviderEnvironment) -> [any SimulatedService]
}

extension SimulatedProvider {
  package var secrets: [ScenarioSecret] { [] }
}
