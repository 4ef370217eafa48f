/// A snapshot of what is known about ModemManager.
package struct ManagerView: Hashable, Sendable {
  /// Whether it owns its name on the bus.
  package var isRunning: Bool
  /// Its version; nil until it has reported it.
  package var version: String?
  package var objects: ManagedObjects

  /// ModemManager does not run, or there is no bus.
  package static let absent = ManagerView(isRunning: false, version: nil, objects: ManagedObjects())

  package init(isRunning: Bool, version: String? = nil, objects: ManagedObjects) {
    self.isRunning = isRunning
    self.version = version
    self.objects = objects
  }

  /// The modem that has this control port, as in `cdc-wdm0`; nil if ModemManager does not have it.
  package func modem(withPort port: String) -> ManagedModem? {
    objects.modems.first { $0.ports.contains(port) }
  }
}
