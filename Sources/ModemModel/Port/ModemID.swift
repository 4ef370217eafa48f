/// Names a modem for people and programs: short, stable across reboots and replugging.
public enum ModemID {
  /// `modem-` and eight hexadecimal digits, from the IMEI where there is one, else from the device path.
  ///
  /// The IMEI is hashed (FNV-1a, 64 bits, folded) to keep the name short, not to hide the number.
  public static func make(imei: String?, device: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in (imei ?? device).utf8 {
      hash ^= UInt64(byte)
      hash &*= 0x0000_0100_0000_01b3
    }
    let folded = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
    return "modem-" + String(repeating: "0", count: 8 - folded.count) + folded
  }
}
