import CMBIM
import GLibBridge

/// A device of libmbim and what is connected to its signals.
struct OpenDevice {
  let device: GObjectRef<MbimDevice>
  let connections: [GLibSignalConnection]

  /// Whether the modem speaks version 3 of Microsoft's extensions, which changes messages of the basic service. This
  /// backend never asks for it; another client of mbim-proxy may have.
  var speaksExtensionsV3: Bool { mbim_device_check_ms_mbimex_version(device.pointer, 3, 0) != 0 }
}
