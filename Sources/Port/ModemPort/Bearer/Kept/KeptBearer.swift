import JSONTree
import ModemModel

/// The record of a bearer that a caller asked to keep: its modem and SIM, the boot in which it was
/// requested, and the request.
///
/// It identifies the modem and SIM by marks that are made with this machine's key. It never holds a
/// user name or a password.
package struct KeptBearer: Hashable, Sendable {
  /// Why a text is not such a record: what is wrong with it, without a value.
  struct Damage: Error, Hashable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// A longer record is not this program's, in bytes.
  static let limit = 4096
  private static let version = 1
  private static let names: Set = [
    "version", "modem", "sim", "device", "boot", "apn", "apnSource", "authentication", "ipType", "hasCredentials",
  ]

  /// Id of the modem, made with this machine's key.
  package var modem: String
  /// The SIM's mark, see `ModemNaming.mark(of:)`.
  package var sim: String
  /// Path of the control port on which the bearer was requested.
  package var device: String
  /// The machine's boot id at that time.
  package var boot: String
  /// The access point name; nil for the subscription's default.
  package var apn: String?
  package var apnSource: AccessPoint.Source
  package var authentication: BearerRequest.Authentication
  package var ipType: BearerRequest.IPType
  /// Whether the access point needs a user name or a password, which are not recorded.
  package var hasCredentials: Bool

  /// Notes what was asked for.
  package init(_ request: BearerRequest, modem: String, sim: String, device: String, boot: String) {
    self.modem = modem
    self.sim = sim
    self.device = device
    self.boot = boot
    apn = request.apn
    apnSource = request.source
    authentication = request.authentication
    ipType = request.ipType
    hasCredentials = request.user != nil || request.password != nil
  }

  /// What to request again; nil if a part of it was not recorded.
  package var request: BearerRequest? {
    guard !hasCredentials else { return nil }
    return BearerRequest(apn: apn, authentication: authentication, ipType: ipType, source: apnSource, isKept: true)
  }

  // MARK: Text

  /// Reads what `text` wrote.
  ///
  /// - Throws: `Damage` for anything else: an unknown member, a missing one, or a value of the
  ///   wrong form.
  init(text bytes: [UInt8]) throws(Damage) {
    guard bytes.count <= Self.limit else { throw Damage("it has more than \(Self.limit) bytes") }
    guard let value = try? JSONReader.read(bytes, .init(depth: 2, values: 32)), case .object(let members) = value else {
      throw Damage("it is no JSON object")
    }
    guard members["version"] == .int(Self.version) else { throw Damage("its version is not \(Self.version)") }
    guard members.keys.allSatisfy(Self.names.contains) else { throw Damage("it has unknown members") }
    modem = try Self.word(members, "modem", 1...64)
    sim = try Self.word(members, "sim", 8...64)
    boot = try Self.word(members, "boot", 1...64)
    device = try Self.line(members, "device", 1...255)
    apn = members["apn"] == nil ? nil : try Self.line(members, "apn", 1...255)
    apnSource = try Self.choice(members, "apnSource")
    authentication = try Self.choice(members, "authentication")
    ipType = try Self.choice(members, "ipType")
    guard case .bool(let hasCredentials)? = members["hasCredentials"] else {
      throw Damage("hasCredentials is not true or false")
    }
    self.hasCredentials = hasCredentials
  }

  /// The note as JSON.
  ///
  /// - Throws: `Damage` if it could not be read again, as with a name of hundreds of characters.
  func text() throws(Damage) -> [UInt8] {
    var members: [String: JSONValue] = [
      "version": .int(Self.version), "modem": .string(modem), "sim": .string(sim), "device": .string(device),
      "boot": .string(boot), "apnSource": .string(apnSource.rawValue),
      "authentication": .string(authentication.rawValue), "ipType": .string(ipType.rawValue),
      "hasCredentials": .bool(hasCredentials),
    ]
    if let apn { members["apn"] = .string(apn) }
    let bytes = Array((JSONValue.object(members).text + "\n").utf8)
    guard try KeptBearer(text: bytes) == self else { throw Damage("it would not read the same after writing") }
    return bytes
  }

  /// Letters, digits and hyphens.
  private static func word(
    _ members: [String: JSONValue], _ name: String, _ length: ClosedRange<Int>
  ) throws(Damage) -> String {
    let text = try line(members, name, length)
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
    }
    guard isPlain else { throw Damage("\(name) has characters other than letters, digits and hyphens") }
    return text
  }

  /// Text without control characters.
  private static func line(
    _ members: [String: JSONValue], _ name: String, _ length: ClosedRange<Int>
  ) throws(Damage) -> String {
    guard case .string(let text)? = members[name] else { throw Damage("\(name) is not text") }
    guard length.contains(text.utf8.count) else {
      throw Damage("\(name) does not have \(length.lowerBound) to \(length.upperBound) bytes")
    }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw Damage("\(name) has control characters")
    }
    return text
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ members: [String: JSONValue], _ name: String
  ) throws(Damage) -> Choice where Choice.RawValue == String {
    guard case .string(let word)? = members[name], let choice = Choice(rawValue: word) else {
      throw Damage("\(name) is not one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }
}
