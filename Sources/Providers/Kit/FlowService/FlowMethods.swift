/// The methods of a provider's interfaces, as a service has them.
package protocol FlowMethods: Sendable {
  /// Who may call each of them by default.
  static var rights: [InterfaceRights] { get }

  /// Registers the interfaces and their methods.
  func add(to flows: inout FlowRouter)
}
