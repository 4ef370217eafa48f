import ModemService
import NetworkAddress

/// What applies to whom: to a user by name, to members of groups, and to everybody else.
package struct ByCaller<Value: Sendable>: Sendable {
  /// A value and the key that it has in the settings.
  package struct Entry: Sendable {
    /// As in `usage.budgets.payments`.
    package var key: String
    package var value: Value

    package init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// For everybody but root without an entry of their own.
  package var general: Entry?
  /// By user id.
  package var users: [UInt32: Entry]
  /// By group id.
  package var groups: [UInt32: Entry]

  package init(general: Entry? = nil, users: [UInt32: Entry] = [:], groups: [UInt32: Entry] = [:]) {
    self.general = general
    self.users = users
    self.groups = groups
  }

  package var isEmpty: Bool { general == nil && users.isEmpty && groups.isEmpty }

  /// The entries that apply: the user's own one, else those of the user's groups, else the general
  /// one. Root has the choice of all settings, and is held by an entry of its own alone.
  func entries(for user: UInt32, in memberships: Set<UInt32>) -> [Entry] {
    if let own = users[user] { return [own] }
    if user == 0 { return [] }
    let ofGroups = memberships.sorted().compactMap { groups[$0] }
    return ofGroups.isEmpty ? [general].compactMap(\.self) : ofGroups
  }
}

extension ByCaller: Equatable where Value: Equatable {}
extension ByCaller: Hashable where Value: Hashable {}
extension ByCaller.Entry: Equatable where Value: Equatable {}
extension ByCaller.Entry: Hashable where Value: Hashable {}

/// What the administrator lets the users of bearers spend and reach.
package struct TrafficPolicy: Hashable, Sendable {
  package var budgets: ByCaller<BudgetLimits>
  package var destinations: ByCaller<DestinationRule>
  /// Addresses that everybody may reach although they are not public: for simulations.
  package var allowedAddresses: Set<IPAddress>

  package init(
    budgets: ByCaller<BudgetLimits> = ByCaller(), destinations: ByCaller<DestinationRule> = ByCaller(),
    allowedAddresses: Set<IPAddress> = []
  ) {
    self.budgets = budgets
    self.destinations = destinations
    self.allowedAddresses = allowedAddresses
  }

  var namesGroups: Bool { !budgets.groups.isEmpty || !destinations.groups.isEmpty }

  /// Where a user's connections may lead, one rule of which is enough. Without an entry: to every
  /// public address.
  func rules(for user: UInt32, in groups: Set<UInt32>) -> [ByCaller<DestinationRule>.Entry] {
    let entries = destinations.entries(for: user, in: groups)
    return entries.isEmpty ? [.init(key: "", value: DestinationRule(allowsSockets: true))] : entries
  }
}
