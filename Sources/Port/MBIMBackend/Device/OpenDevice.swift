import CMBIM
import GLibBridge
import ReplyCheck

/// A device of libmbim and the connections to its signals.
struct OpenDevice {
  let device: GObjectRef<MbimDevice>
  let connections: [GLibSignalConnection]

  /// The version of Microsoft's extensions in force now. Behind mbim-proxy, another client may
  /// change it at any time, and the proxy reports that. Read it again before each message is made
  /// or read.
  var extensions: MBIMExtensions {
    if mbim_device_check_ms_mbimex_version(device.pointer, 3, 0) != 0 { return .v3 }
    return mbim_device_check_ms_mbimex_version(device.pointer, 2, 0) != 0 ? .v2 : .none
  }

  /// Whether it is version 3, which changes messages of the basic service.
  var speaksExtensionsV3: Bool { extensions >= .v3 }
}
