import CQMI
import GLibBridge

/// A device of libqmi and the connections to its signals.
struct OpenDevice {
  let device: GObjectRef<QmiDevice>
  let connections: [GLibSignalConnection]
}
