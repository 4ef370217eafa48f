import ModemModel

/// Reads hexadecimal digits with white space anywhere.
func octets(_ hex: String) -> [UInt8] { MessagePDU(hex: hex.filter { !$0.isWhitespace })!.octets }
