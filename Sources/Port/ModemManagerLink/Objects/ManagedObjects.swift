/// ModemManager's objects and their properties, as its messages describe them. No I/O.
///
/// Its object manager lists the modems. Bearers and SIMs are objects that a modem's properties
/// point to, and are requested one by one.
package struct ManagedObjects: Hashable, Sendable {
  package typealias Properties = [String: DBusValue]

  /// The names of ModemManager's interfaces (ModemManager 1.20, D-Bus interface).
  package enum Interface {
    package static let manager = "org.freedesktop.ModemManager1"
    package static let modem = "org.freedesktop.ModemManager1.Modem"
    package static let modem3gpp = "org.freedesktop.ModemManager1.Modem.Modem3gpp"
    package static let signal = "org.freedesktop.ModemManager1.Modem.Signal"
    package static let sim = "org.freedesktop.ModemManager1.Sim"
    package static let bearer = "org.freedesktop.ModemManager1.Bearer"
  }

  /// An object that another one points to and that has not been requested yet.
  package struct Missing: Hashable, Sendable {
    package let path: String
    package let interface: String
  }

  /// Properties by path and interface.
  package private(set) var objects: [String: [String: Properties]] = [:]

  package init() {}

  /// Reads the answer to GetManagedObjects and replaces everything known before.
  package mutating func replace(_ answer: DBusValue) {
    objects = [:]
    for (path, interfaces) in answer.dictionary ?? [:] { add(path, interfaces) }
  }

  /// Adds an object with some of its interfaces (InterfacesAdded).
  package mutating func add(_ path: String, _ interfaces: DBusValue) {
    for (name, properties) in interfaces.dictionary ?? [:] {
      objects[path, default: [:]][name] = properties.dictionary ?? [:]
    }
  }

  /// Reads the properties of one object, as GetAll answers. They are ignored if nothing points to
  /// the object any more.
  package mutating func load(_ missing: Missing, _ properties: DBusValue) {
    guard pointers.contains(missing) else { return }
    objects[missing.path, default: [:]][missing.interface] = properties.dictionary ?? [:]
  }

  /// Drops interfaces of an object (InterfacesRemoved); without interfaces, the object is dropped
  /// too.
  package mutating func remove(_ path: String, _ interfaces: DBusValue) {
    for case .text(let name) in interfaces.list ?? [] { objects[path]?[name] = nil }
    if objects[path]?.isEmpty == true { objects[path] = nil }
    dropUnreachable()
  }

  /// Applies a change of properties (PropertiesChanged). Unknown objects are left to `missing`.
  package mutating func change(_ path: String, _ interface: String, _ changed: DBusValue, _ invalidated: DBusValue) {
    guard objects[path]?[interface] != nil else { return }
    for (name, value) in changed.dictionary ?? [:] { objects[path]?[interface]?[name] = value }
    for case .text(let name) in invalidated.list ?? [] { objects[path]?[interface]?[name] = nil }
    dropUnreachable()
  }

  /// Unknown objects that modems point to.
  package var missing: Set<Missing> { pointers.filter { objects[$0.path]?[$0.interface] == nil } }

  /// Every modem, ordered by path.
  package var modems: [ManagedModem] {
    objects.keys.sorted().compactMap { path in
      objects[path]?[Interface.modem].map { ManagedModem(path, $0, in: self) }
    }
  }

  subscript(path: String, interface: String) -> Properties? { objects[path]?[interface] }

  private var pointers: Set<Missing> {
    var pointers: Set<Missing> = []
    for interfaces in objects.values {
      guard let modem = interfaces[Interface.modem] else { continue }
      if let path = modem["Sim"]?.text, path != "/" { pointers.insert(Missing(path: path, interface: Interface.sim)) }
      for case .text(let path) in modem["Bearers"]?.list ?? [] {
        pointers.insert(Missing(path: path, interface: Interface.bearer))
      }
    }
    return pointers
  }

  private mutating func dropUnreachable() {
    let reachable = Set(pointers.map(\.path))
    objects = objects.filter { $0.value[Interface.modem] != nil || reachable.contains($0.key) }
  }
}
