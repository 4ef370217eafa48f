import ModemModel

/// A packet of EAP-AKA or EAP-AKA′ (RFC 4187, 8; RFC 9048), as the simulated server reads and
/// writes it. It shares no code with the SIM's side.
struct EAPServerPacket: Hashable, Sendable {
  enum Code: UInt8 { case request = 1, response, success, failure }

  enum Subtype: UInt8 {
    case challenge = 1
    case authenticationReject = 2
    case synchronizationFailure = 4
    case identity = 5
    case notification = 12
    case reauthentication = 13
    case clientError = 14
  }

  /// Types of attributes (RFC 4187, 11; RFC 9048, 8).
  enum Attribute {
    static let rand: UInt8 = 1
    static let autn: UInt8 = 2
    static let res: UInt8 = 3
    static let auts: UInt8 = 4
    static let padding: UInt8 = 6
    static let permanentIdentity: UInt8 = 10
    static let mac: UInt8 = 11
    static let notification: UInt8 = 12
    static let anyIdentity: UInt8 = 13
    static let identity: UInt8 = 14
    static let fullIdentity: UInt8 = 17
    static let counter: UInt8 = 19
    static let counterTooSmall: UInt8 = 20
    static let nonce: UInt8 = 21
    static let networkName: UInt8 = 23
    static let keyDerivation: UInt8 = 24
    static let vector: UInt8 = 129
    static let encrypted: UInt8 = 130
    static let nextPseudonym: UInt8 = 132
    static let nextReauthentication: UInt8 = 133
    static let checkcode: UInt8 = 134
    static let resultIndication: UInt8 = 135
    static let bidding: UInt8 = 136
  }

  /// An attribute: its type, and all that follows its length.
  struct Field: Hashable, Sendable {
    var type: UInt8
    var value: [UInt8]

    init(_ type: UInt8, _ value: [UInt8]) {
      self.type = type
      self.value = value
    }

    /// Two reserved bytes and the value.
    static func reserved(_ type: UInt8, _ value: [UInt8] = []) -> Field { Field(type, [0, 0] + value) }

    /// Two bytes with the length, and the text padded to whole words.
    static func counted(_ type: UInt8, _ value: [UInt8]) -> Field {
      Field(type, EAPServerPacket.word(value.count) + value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4))
    }

    /// One number of 16 bits.
    static func number(_ type: UInt8, _ number: Int) -> Field { Field(type, EAPServerPacket.word(number)) }

    var bytes: [UInt8] { [type, UInt8(clamping: (value.count + 2) / 4)] + value }

    /// The 16 bits that follow the length.
    var number: Int { value.count < 2 ? 0 : Int(value[0]) << 8 | Int(value[1]) }

    /// What `counted` holds; nil if it is shorter than it says.
    var text: [UInt8]? {
      value.count >= 2 && number <= value.count - 2 ? Array(value[2..<(2 + number)]) : nil
    }

    /// What follows two reserved bytes.
    var afterReserved: [UInt8] { Array(value.dropFirst(2)) }
  }

  var code: Code
  var identifier: UInt8
  /// Nil for success and failure.
  var method: EAPMethod?
  var subtype: Subtype?
  var fields: [Field] = []

  static func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xff), UInt8(number & 0xff)] }

  static func request(
    _ subtype: Subtype, _ method: EAPMethod, identifier: UInt8, _ fields: [Field]
  ) -> EAPServerPacket {
    EAPServerPacket(code: .request, identifier: identifier, method: method, subtype: subtype, fields: fields)
  }

  static func end(_ code: Code, identifier: UInt8) -> EAPServerPacket {
    EAPServerPacket(code: code, identifier: identifier)
  }

  var bytes: [UInt8] {
    var rest: [UInt8] = []
    if let method, let subtype {
      rest = [method == .aka ? 23 : 50, subtype.rawValue, 0, 0] + fields.flatMap(\.bytes)
    }
    return [code.rawValue, identifier] + Self.word(4 + rest.count) + rest
  }

  /// Nil for what is no whole response of one of the two methods.
  init?(response bytes: [UInt8]) {
    guard bytes.count >= 8, bytes[0] == Code.response.rawValue, Self.word(bytes.count) == Array(bytes[2..<4]),
      bytes[4] == 23 || bytes[4] == 50, let subtype = Subtype(rawValue: bytes[5]),
      let fields = Self.fields(bytes.dropFirst(8))
    else { return nil }
    self.init(
      code: .response, identifier: bytes[1], method: bytes[4] == 23 ? .aka : .akaPrime, subtype: subtype,
      fields: fields)
  }

  private init(
    code: Code, identifier: UInt8, method: EAPMethod? = nil, subtype: Subtype? = nil, fields: [Field] = []
  ) {
    (self.code, self.identifier, self.method, self.subtype) = (code, identifier, method, subtype)
    self.fields = fields
  }

  /// The attributes in some bytes; nil if they do not fill them.
  static func fields(_ bytes: some Collection<UInt8>) -> [Field]? {
    var (rest, fields) = (Array(bytes)[...], [Field]())
    while !rest.isEmpty {
      let length = rest.count < 2 ? 0 : Int(rest[rest.startIndex + 1]) * 4
      guard length > 0, length <= rest.count else { return nil }
      fields.append(Field(rest[rest.startIndex], Array(rest.prefix(length).dropFirst(2))))
      rest = rest.dropFirst(length)
    }
    return fields
  }

  func first(_ type: UInt8) -> Field? { fields.first { $0.type == type } }

  func all(_ type: UInt8) -> [Field] { fields.filter { $0.type == type } }

  /// The packet with a MAC over itself and more: the field is zero while it is computed (RFC 4187,
  /// 10.15).
  func authenticated(_ keys: EAPServerKeys, and more: [UInt8] = []) -> [UInt8] {
    var packet = self
    packet.fields.append(.reserved(Attribute.mac, [UInt8](repeating: 0, count: 16)))
    let mac = keys.mac(packet.bytes + more)
    packet.fields[packet.fields.count - 1] = .reserved(Attribute.mac, mac)
    return packet.bytes
  }

  /// Whether the packet's MAC is right.
  func isAuthentic(_ keys: EAPServerKeys, and more: [UInt8] = []) -> Bool {
    guard let index = fields.firstIndex(where: { $0.type == Attribute.mac }), fields[index].value.count == 18
    else { return false }
    var plain = self
    plain.fields[index] = .reserved(Attribute.mac, [UInt8](repeating: 0, count: 16))
    return keys.mac(plain.bytes + more) == fields[index].afterReserved
  }
}
