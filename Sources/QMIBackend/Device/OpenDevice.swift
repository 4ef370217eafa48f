import CQMI
import GLibBridge

/// A device of libqmi, the clients that are used as long as it is open, and what is connected to their signals.
struct OpenDevice {
  let device: GObjectRef<QmiDevice>
  let dms: QMIClient
  let nas: QMIClient
  let uim: QMIClient
  let connections: [GLibSignalConnection]

  var clients: [QMIClient] { [dms, nas, uim] }
}

/// A client id that the modem has allocated for one of its services.
struct QMIClient: Sendable {
  let service: QmiService
  let id: UInt8
  let object: GObjectRef<QmiClient>

  /// The object as libqmi's class for the service. The caller must be on the GLib thread.
  func pointer<Client>(as client: Client.Type) -> UnsafeMutablePointer<Client> {
    UnsafeMutablePointer(raw: object.pointer.raw)
  }
}
