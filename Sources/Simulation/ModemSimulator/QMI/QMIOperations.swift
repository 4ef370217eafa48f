/// Which operation a QMI message asks for.
enum QMIOperations {
  static func operation(_ service: QMIService, _ message: UInt16) -> ModemOperation {
    switch (service, message) {
    case (.ctl, 0x21): .versions
    case (.ctl, 0x27): .open
    case (.ctl, 0x22), (.ctl, 0x23): .clientIDs
    case (.dms, 0x20...0x23), (.dms, 0x25): .deviceCaps
    case (.dms, 0x24): .subscriber
    case (.dms, 0x2d), (.dms, 0x2e): .radio
    case (.dms, 0x28): .pin
    case (.dms, 0x2b), (.dms, 0x44): .subscriber
    case (.dms, 0x3c), (.dms, 0x43): .simFile
    case (.nas, 0x25): .homeNetwork
    case (.nas, 0x24), (.nas, 0x4d): .registration
    case (.nas, 0x20), (.nas, 0x4f): .signal
    case (.nas, 0x23): .packetService
    case (.nas, 0x03), (.uim, 0x2e): .subscribe
    case (.uim, 0x2f): .subscriber
    case (.uim, 0x20), (.uim, 0x21), (.uim, 0x24): .simFile
    case (.uim, 0x25...0x28): .pin
    case (.uim, 0x34): .authenticate
    case (.uim, 0x3b), (.uim, 0x3f), (.uim, 0x42): .channel
    case (.wds, 0x20): .connect
    case (.wds, 0x21): .disconnect
    case (.wds, 0x22): .connectionStatus
    case (.wds, 0x2d): .ipConfiguration
    case (.wda, _): .dataFormat
    case (.wms, _): .messages
    default: .other
    }
  }
}
