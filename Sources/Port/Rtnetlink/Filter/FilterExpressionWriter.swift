import CLinux
import NetworkAddress

/// Writes the expressions of a rule. Each test loads a value into register 1 and compares it.
/// nf_tables' own numbers are in network byte order. Compared values have the order of the packet
/// or of the kernel.
struct FilterExpressionWriter {
  private var writer = ByteWriter()
  var bytes: [UInt8] { writer.bytes }

  mutating func append(_ match: FilterMatch) {
    switch match {
    case .arrivesBy(let name): compare(meta: Number.incomingName, Self.name(name))
    case .arrivesNotBy(let name): compare(meta: Number.incomingName, Self.name(name), isEqual: false)
    case .leavesBy(let name): compare(meta: Number.outgoingName, Self.name(name))
    case .leavesNotBy(let name): compare(meta: Number.outgoingName, Self.name(name), isEqual: false)
    case .leavesByIndex(let index):
      compare(meta: Number.outgoingIndex, withUnsafeBytes(of: UInt32(truncatingIfNeeded: index), Array.init))
    case .isOfAnotherUser(let user):
      compare(meta: Number.socketUser, withUnsafeBytes(of: user, Array.init), isEqual: false)
    case .carries(let number): compare(meta: Number.transport, [number])
    case .carriesNot(let number): compare(meta: Number.transport, [number], isEqual: false)
    case .goesTo(let address):
      // Destination address (RFC 791, 3.1; RFC 8200, 3).
      compare(meta: Number.family, [AddressFamily(address).number])
      load(base: Number.networkHeader, offset: AddressFamily(address) == .ipv4 ? 16 : 24, count: address.bytes.count)
      compare(address.bytes)
    case .hasTCPFlags(let flags, let mask):
      compare(meta: Number.transport, [6])
      load(base: Number.transportHeader, offset: 13, count: 1)
      expression("bitwise") { data in
        data.attribute(1, number: Number.register)
        data.attribute(2, number: Number.register)
        data.attribute(3, number: UInt32(1).bigEndian)
        data.nested(4) { $0.attribute(1, [mask]) }
        data.nested(5) { $0.attribute(1, [0]) }
      }
      compare([flags])
    case .hasMessageType(let type):
      load(base: Number.transportHeader, offset: 0, count: 1)
      compare([type])
    case .isForArrivingInterface(let isSo):
      expression("fib") { data in
        data.attribute(1, number: Number.register)
        // NFT_FIB_RESULT_ADDRTYPE of the destination (1 << 1), relative to the incoming interface
        // (1 << 3).
        data.attribute(2, number: UInt32(3).bigEndian)
        data.attribute(3, number: UInt32(1 << 1 | 1 << 3).bigEndian)
      }
      compare(withUnsafeBytes(of: UInt32(RTN_LOCAL), Array.init), isEqual: isSo)
    case .isForBoundSocket:
      expression("socket") { data in
        // NFT_SOCKET_WILDCARD.
        data.attribute(1, number: UInt32(2).bigEndian)
        data.attribute(2, number: Number.register)
      }
      compare([0])
    }
  }

  mutating func append(_ verdict: FilterVerdict) {
    switch verdict {
    case .accept: immediate(1)
    case .drop: immediate(0)
    case .reject:
      expression("reject") { data in
        // NFT_REJECT_ICMPX_UNREACH with NFT_REJECT_ICMPX_ADMIN_PROHIBITED.
        data.attribute(1, number: UInt32(2).bigEndian)
        data.attribute(2, number: UInt8(3))
      }
    }
  }

  private mutating func expression(_ name: String, _ fill: (inout ByteWriter) -> Void) {
    writer.nested(1) { element in
      element.attribute(1, text: name)
      element.nested(2, fill)
    }
  }

  private mutating func immediate(_ code: UInt32) {
    expression("immediate") { data in
      data.attribute(1, number: UInt32(0))
      data.nested(2) { $0.nested(2) { $0.attribute(1, number: code.bigEndian) } }
    }
  }

  private mutating func compare(meta key: UInt32, _ value: [UInt8], isEqual: Bool = true) {
    expression("meta") { data in
      data.attribute(1, number: Number.register)
      data.attribute(2, number: key.bigEndian)
    }
    compare(value, isEqual: isEqual)
  }

  private mutating func load(base: UInt32, offset: UInt32, count: Int) {
    expression("payload") { data in
      data.attribute(1, number: Number.register)
      data.attribute(2, number: base.bigEndian)
      data.attribute(3, number: offset.bigEndian)
      data.attribute(4, number: UInt32(count).bigEndian)
    }
  }

  private mutating func compare(_ value: [UInt8], isEqual: Bool = true) {
    expression("cmp") { data in
      data.attribute(1, number: Number.register)
      data.attribute(2, number: UInt32(isEqual ? 0 : 1).bigEndian)
      data.nested(3) { $0.attribute(1, value) }
    }
  }

  /// An interface's name in the form that the kernel compares: IFNAMSIZ bytes.
  private static func name(_ name: String) -> [UInt8] {
    Array(name.utf8.prefix(15)) + [UInt8](repeating: 0, count: 16 - min(15, name.utf8.count))
  }

  private enum Number {
    /// NFT_REG_1, in network order.
    static let register = UInt32(1).bigEndian
    /// NFT_META_OIF, IIFNAME, OIFNAME, SKUID, NFPROTO and L4PROTO.
    static let outgoingIndex: UInt32 = 5
    static let incomingName: UInt32 = 6
    static let outgoingName: UInt32 = 7
    static let socketUser: UInt32 = 10
    static let family: UInt32 = 15
    static let transport: UInt32 = 16
    /// NFT_PAYLOAD_NETWORK_HEADER and NFT_PAYLOAD_TRANSPORT_HEADER.
    static let networkHeader: UInt32 = 1
    static let transportHeader: UInt32 = 2
  }
}
