/// The format of packets on the modem's network interface.
public enum LinkFormat: Hashable, Sendable {
  /// Bare IP packets.
  case rawIP
  /// IP inside Ethernet frames.
  case ethernet
  /// Bare IP packets with multiplexing ids, several in one transfer (QMAP): the bearer is a link
  /// over the interface.
  case multiplexed(Multiplexing)
}

/// What the modem and the driver agree on if packets carry multiplexing ids.
public struct Multiplexing: Hashable, Sendable {
  /// A version of QMAP, by its number in WDA Data Format.
  public enum Version: UInt32, Sendable, CaseIterable {
    case v1 = 5
    /// With a trailer of checksums.
    case v4 = 8
    /// With a second header for checksums.
    case v5 = 9
  }

  /// The bearer's own id, 1 to 254.
  public var id: Int
  /// From the host to the modem.
  public var up: Version
  /// From the modem to the host.
  public var down: Version
  /// The largest transfer from the modem in bytes; nil if it does not report it.
  public var largestAggregate: Int?

  public init(id: Int, up: Version = .v1, down: Version = .v1, largestAggregate: Int? = nil) {
    self.id = id
    self.up = up
    self.down = down
    self.largestAggregate = largestAggregate
  }
}

/// When a bearer's packets carry a multiplexing id.
public enum Aggregation: Hashable, Sendable {
  /// If the modem insists on it.
  case whereInsisted
  /// Unless the modem has no multiplexing.
  case preferred
  /// Always: the driver supports nothing else, or another program uses the rest of the data port.
  case always
}

/// The modem's end of a data port, as QMI identifies it (WDS Bind Mux Data Port, WDA Data Format).
public struct DataEndpoint: Hashable, Sendable {
  /// 2 is USB, 3 PCIe, 4 the chip's own data port, 5 BAM-DMUX.
  public var type: UInt32
  /// Number of the USB interface, or the firmware's number for the type.
  public var interface: UInt32

  public init(type: UInt32, interface: UInt32) {
    self.type = type
    self.interface = interface
  }

  /// A USB interface, by its number.
  public static func usb(_ interface: UInt8) -> DataEndpoint { DataEndpoint(type: 2, interface: UInt32(interface)) }
  /// PCIe, as with MHI; Qualcomm's firmware calls its data port 4.
  public static let pcie = DataEndpoint(type: 3, interface: 4)
  public static let embedded = DataEndpoint(type: 4, interface: 1)
  public static let bamDMUX = DataEndpoint(type: 5, interface: 0)
}
