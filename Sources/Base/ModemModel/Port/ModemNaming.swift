/// Names modems for people and programs: short, and stable across reboots and replugging.
///
/// Many can see a name, in logs and tickets, and an IMEI has so few unpredictable digits that all
/// of them can be tried. Names are therefore made with a key of this machine. Without the key, a
/// name reveals nothing about the IMEI, and one modem has different names on two machines.
public struct ModemNaming: Sendable {
  /// Makes a digest of bytes with the machine's key, HMAC-SHA-256 (RFC 2104), in hexadecimal
  /// digits.
  public typealias KeyedDigest = @Sendable (_ bytes: [UInt8]) -> String

  private static let digits = 16
  private static let markDigits = 32
  private let digest: KeyedDigest

  public init(_ digest: @escaping KeyedDigest) { self.digest = digest }

  /// `modem-` and sixteen hexadecimal digits, from the IMEI if there is one, else from the device
  /// path.
  public func name(imei: String?, device: String) -> String {
    // An IMEI and an identical path must not give the same name.
    let text = imei.map { "modem imei \($0)" } ?? "modem device \(device)"
    return "modem-" + digest(Array(text.utf8)).prefix(Self.digits)
  }

  /// Identifies a SIM in records of this machine: at most 32 hexadecimal digits, made from its
  /// serial number or else from the subscriber identity. Nil if the modem reports neither.
  public func mark(of sim: SIMStatus) -> String? {
    guard let text = sim.iccid.map({ "sim iccid \($0.revealed)" }) ?? sim.imsi.map({ "sim imsi \($0.revealed)" })
    else { return nil }
    return String(digest(Array(text.utf8)).prefix(Self.markDigits))
  }
}
