/// A snapshot of what is known about ModemManager.
public struct ManagerView: Hashable, Sendable {
  /// Whether it owns its name on the bus.
  public var isRunning: Bool
  /// Its version; nil until it has reported it.
  public var version: String?
  public var objects: ManagedObjects

  /// ModemManager does not run, or there is no bus.
  public static let absent = ManagerView(isRunning: false, version: nil, objects: ManagedObjects())

  public init(isRunning: Bool, version: String? = nil, objects: ManagedObjects) {
    self.isRunning = isRunning
    self.version = version
    self.objects = objects
  }

  /// The modem that has this control port, as in `cdc-wdm0`; nil if ModemManager does not have it.
  public func modem(withPort port: String) -> ManagedModem? {
    objects.modems.first { $0.ports.contains(port) }
  }
}
