import CQMI
import GLibBridge

/// A device of libqmi and what is connected to its signals.
struct OpenDevice {
  let device: GObjectRef<QmiDevice>
  let connections: [GLibSignalConnection]
}
