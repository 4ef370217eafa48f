import ModemModel

/// Where a control port is in its life, with the device of the library that reaches it.
package enum PortState<Device> {
  case unopened
  /// The device is there once the library has opened it and the modem is still to be set up.
  case opening(Device?)
  case open(Device)
  /// `close()`, or the end of a failed opening, is on its way.
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
