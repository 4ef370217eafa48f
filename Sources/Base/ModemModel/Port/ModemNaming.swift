/// Names modems for people and programs: short, and stable across reboots and replugging.
///
/// A name is shown to many and stands in logs and tickets, and an IMEI has so few digits that nobody knows beforehand that all of them can be
/// tried. So names are made with a key of this machine: who does not have it learns nothing of the IMEI, and two machines have different names for
/// one modem.
public struct ModemNaming: Sendable {
  /// Makes a digest of bytes with the machine's key, HMAC-SHA-256 (RFC 2104), in hexadecimal digits.
  public typealias KeyedDigest = @Sendable (_ bytes: [UInt8]) -> String

  private static let digits = 16
  private static let markDigits = 32
  private let digest: KeyedDigest

  public init(_ digest: @escaping KeyedDigest) { self.digest = digest }

  /// `modem-` and sixteen hexadecimal digits, from the IMEI where there is one, else from the device path.
  public func name(imei: String?, device: String) -> String {
    // An IMEI and a path that look alike are not the same.
    let text = imei.map { "modem imei \($0)" } ?? "modem device \(device)"
    return "modem-" + digest(Array(text.utf8)).prefix(Self.digits)
  }

  /// Tells a SIM from others, for notes of this machine alone: hexadecimal digits, 32 at most, made of its serial number or else of the subscriber
  /// identity. Nil where the modem tells neither.
  public func mark(of sim: SIMStatus) -> String? {
    guard let text = sim.iccid.map({ "sim iccid \($0.revealed)" }) ?? sim.imsi.map({ "sim imsi \($0.revealed)" })
    else { return nil }
    return String(digest(Array(text.utf8)).prefix(Self.markDigits))
  }
}
