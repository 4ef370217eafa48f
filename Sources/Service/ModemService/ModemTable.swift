import ModemModel

/// The modems behind the ports, found by port and by id without a look at the others: a machine may
/// have a thousand.
struct ModemTable: Sendable {
  private var entries: [String: ModemRegistry.Entry] = [:]
  /// The ports of each modem, by its id. More than one while a modem that returned under another
  /// name has left its old port behind.
  private var ports: [String: Set<String>] = [:]

  /// The entry of a port.
  subscript(port: String) -> ModemRegistry.Entry? { entries[port] }

  /// How many modems there are.
  var count: Int { ports.count }

  /// The ids of all modems, in no order.
  var ids: some Collection<String> { ports.keys }

  /// One entry per modem, in no order.
  var current: [ModemRegistry.Entry] { ports.keys.compactMap { current($0) } }

  /// The entry that shows where a modem is.
  func current(_ id: String) -> ModemRegistry.Entry? {
    ports[id]?.compactMap { entries[$0] }.max {
      ($0.state.fault == nil ? 1 : 0, $0.order) < ($1.state.fault == nil ? 1 : 0, $1.order)
    }
  }

  /// Whether another port than this one has the modem.
  func isKnown(_ id: String, besides port: String) -> Bool { ports[id]?.contains { $0 != port } ?? false }

  /// The modem with this id, port name, device path or interface.
  func named(_ name: String) -> ModemRegistry.Entry? {
    if let found = current(name) { return found }
    if let entry = entries[name], let found = current(entry.state.id), found.link.name == name { return found }
    return firstCurrent { $0.device == name || $0.interface == name }
  }

  /// A modem that fits; without a copy of the others.
  func firstCurrent(_ fits: (ModemState) -> Bool) -> ModemRegistry.Entry? {
    for entry in entries.values where fits(entry.state) {
      if let found = current(entry.state.id), found.link.name == entry.link.name { return found }
    }
    return nil
  }

  mutating func set(_ entry: ModemRegistry.Entry) {
    let port = entry.link.name
    if let old = entries[port], old.state.id != entry.state.id { forget(port, of: old.state.id) }
    entries[port] = entry
    ports[entry.state.id, default: []].insert(port)
  }

  mutating func remove(_ port: String) -> ModemRegistry.Entry? {
    guard let removed = entries.removeValue(forKey: port) else { return nil }
    forget(port, of: removed.state.id)
    return removed
  }

  private mutating func forget(_ port: String, of id: String) {
    ports[id]?.remove(port)
    if ports[id]?.isEmpty ?? false { ports[id] = nil }
  }
}
