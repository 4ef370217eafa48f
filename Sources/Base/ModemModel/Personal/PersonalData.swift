/// A value that identifies a subscriber. It prints redacted; only `revealed` gives its digits.
public protocol PersonalData: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The value itself. Use it to answer an authorised caller, never in a log or an error.
  var revealed: String { get }
  /// How many characters at the end stay readable in `description`.
  static var readableSuffix: Int { get }
}

extension PersonalData {
  public static var readableSuffix: Int { 0 }

  /// The value with all but its last characters replaced by dots.
  public var redacted: String {
    let hidden = max(revealed.count - Self.readableSuffix, 0)
    return hidden < 4 ? "••••" : String(repeating: "•", count: hidden) + revealed.suffix(Self.readableSuffix)
  }

  public var description: String { redacted }
  public var debugDescription: String { redacted }
  /// Keeps `dump` and reflection from showing the stored value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An International Mobile Subscriber Identity (3GPP TS 23.003, 2.2): MCC, MNC and MSIN, at most 15
/// digits.
public struct IMSI: PersonalData {
  public let revealed: String
  public init(_ digits: String) { revealed = digits }
}

/// The serial number of a modem (3GPP TS 23.003, 6.2.1): 15 digits.
public struct IMEI: PersonalData {
  public let revealed: String
  public init(_ digits: String) { revealed = digits }
}

/// The serial number of a SIM (ITU-T E.118): 18 to 20 digits.
public struct ICCID: PersonalData {
  public let revealed: String
  public static var readableSuffix: Int { 4 }
  public init(_ digits: String) { revealed = digits }
}

/// A SIM's PIN1: 4 to 8 digits (3GPP TS 31.101, 9.5.1).
public struct PIN: PersonalData {
  private let digits: WipedText

  public var revealed: String { digits.revealed }

  /// Makes a PIN; nil unless `digits` are 4 to 8 decimal digits.
  public init?(_ digits: String) {
    guard (4...8).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    self.digits = WipedText(digits)
  }

  /// Shows the digits in ASCII, for the time of the call.
  public func withDigits<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    try digits.withBytes(body)
  }
}

/// The password of an APN.
public struct APNPassword: PersonalData {
  private let text: WipedText

  public var revealed: String { text.revealed }
  public init(_ text: String) { self.text = WipedText(text) }
}
