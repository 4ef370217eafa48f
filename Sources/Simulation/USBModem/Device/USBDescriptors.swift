/// The device's descriptors during enumeration (USB 2.0, 9.6).
struct USBDescriptors: Sendable {
  let kind: USBModemKind
  let serial: String

  /// The interface that carries control messages.
  ///
  /// qmi_wwan only uses interface 4 of the QMI device's ids.
  var controlInterface: UInt8 { kind == .mbim ? 0 : 4 }

  private static let manufacturer = "Simulated"
  private static let product = "SM1"

  /// A descriptor by type and index; nil stalls the request.
  func descriptor(type: UInt8, index: UInt8) -> [UInt8]? {
    switch (type, index) {
    case (1, 0): device
    case (2, 0): configuration
    case (3, 0): [4, 3, 0x09, 0x04]
    case (3, 1): Self.string(Self.manufacturer)
    case (3, 2): Self.string(Self.product)
    case (3, 3): Self.string(serial)
    default: nil
    }
  }

  private var device: [UInt8] {
    // MBIM is known by its class, so any ids do: these are the Linux Foundation's. QMI is known by
    // vendor and product: these are of Qualcomm's own, which qmi_wwan has in its list and no
    // plug-in of ModemManager's claims, so that its generic one takes the modem. The plug-ins of
    // vendors expect AT ports, too.
    let (vendor, product): (UInt16, UInt16) = kind == .mbim ? (0x1d6b, 0x0104) : (0x05c6, 0x9025)
    return [18, 1, 0x00, 0x02, 0, 0, 0, 64] + Self.little(vendor) + Self.little(product) + [0x00, 0x01, 1, 2, 3, 1]
  }

  private var configuration: [UInt8] {
    let interfaces = kind == .mbim ? mbimInterfaces : qmiInterfaces
    // Bus powered, 500 mA.
    return [9, 2] + Self.little(UInt16(9 + interfaces.count)) + [kind == .mbim ? 2 : 1, 1, 0, 0x80, 250] + interfaces
  }

  /// MBIM 1.0, 6: a communication interface, and a data interface without endpoints in its first
  /// setting.
  private var mbimInterfaces: [UInt8] {
    let association: [UInt8] = [8, 11, 0, 2, 0x02, 0x0e, 0x00, 0]
    let control: [UInt8] = [9, 4, 0, 0, 1, 0x02, 0x0e, 0x00, 0]
    let header: [UInt8] = [5, 0x24, 0x00, 0x10, 0x01]
    let union: [UInt8] = [5, 0x24, 0x06, 0, 1]
    // Version 1.0, control messages of 4096 bytes, 32 filters of 128 bytes, segments of 2048 bytes,
    // 8-byte NTB input size.
    let function: [UInt8] = [12, 0x24, 0x1b, 0x00, 0x01, 0x00, 0x10, 0x20, 0x80, 0x00, 0x08, 0x20]
    let idle: [UInt8] = [9, 4, 1, 0, 0, 0x0a, 0x00, 0x02, 0]
    let data: [UInt8] = [9, 4, 1, 1, 2, 0x0a, 0x00, 0x02, 0]
    return association + control + header + union + function + interruptEndpoint + idle + data + bulkEndpoints
  }

  private var qmiInterfaces: [UInt8] {
    [9, 4, controlInterface, 0, 3, 0xff, 0xff, 0xff, 0] + interruptEndpoint + bulkEndpoints
  }

  /// Endpoint 1 in: 64 bytes, every 32 ms at high speed.
  private var interruptEndpoint: [UInt8] { [7, 5, 0x81, 3, 64, 0, 9] }
  /// Endpoints 2 in and 2 out: 512 bytes.
  private var bulkEndpoints: [UInt8] { [7, 5, 0x82, 2, 0, 2, 0] + [7, 5, 0x02, 2, 0, 2, 0] }

  private static func little(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }

  private static func string(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { little($0) }
    return [UInt8(2 + units.count), 3] + units
  }
}
