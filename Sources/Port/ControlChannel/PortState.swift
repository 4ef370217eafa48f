import ModemModel

/// The state of a control port, with the library's device that reaches it.
package enum PortState<Device> {
  case unopened
  /// The device is set once the library has opened it, before the modem is set up.
  case opening(Device?)
  case open(Device)
  /// `close()`, or the end of a failed opening, is in progress.
  case closing(Task<Void, Never>)
  case closed
  case removed

  package var isRemoved: Bool { if case .removed = self { true } else { false } }

  /// Why there is no open device.
  package func unusable(during name: String) -> ModemError {
    switch self {
    case .removed: .removed(during: name)
    case .closing, .closed: ModemError(.deviceUnavailable, "\(name): the port is closed; make a new backend")
    case .unopened, .opening, .open: ModemError(.deviceUnavailable, "\(name): the port is not open; open it first")
    }
  }
}
