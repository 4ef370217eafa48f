/// A network's name as in NAS: text, UCS-2, or the GSM alphabet with eight characters in seven
/// bytes (3GPP TS 23.038, 6.1.2.1). No field states which. Nil if nothing is left of it.
func networkName(_ bytes: [UInt8]) -> String? {
  let isText = bytes.reversed().drop { $0 == 0 || $0 == 0xff }.allSatisfy { $0 >= 0x20 }
  if isText { return text(bytes) }
  let high = bytes.indices.filter { !$0.isMultiple(of: 2) }
  if bytes.count.isMultiple(of: 2), high.allSatisfy({ bytes[$0] == 0 }) {
    return text(bytes.indices.filter { $0.isMultiple(of: 2) }.flatMap { String(UnicodeScalar(bytes[$0])).utf8 })
  }
  return unpacked(bytes).flatMap { text($0.utf8) } ?? text(bytes)
}

/// Reads the packed GSM alphabet; nil if a character is not in it or needs an escape.
private func unpacked(_ bytes: [UInt8]) -> String? {
  var characters: [Character] = []
  var (bits, count) = (0, 0)
  for byte in bytes {
    bits |= Int(byte) << count
    count += 8
    while count >= 7 {
      guard let character = gsmAlphabet[bits & 0x7f] else { return nil }
      characters.append(character)
      bits >>= 7
      count -= 7
    }
  }
  // The last seven bits may be padding.
  if bytes.count % 7 == 0, characters.last == "@" { characters.removeLast() }
  return String(characters)
}

/// 3GPP TS 23.038, 6.2.1; nil for the escape.
private let gsmAlphabet: [Character?] = {
  let special: [Character?] =
    Array("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ").map { $0 } + [nil] + Array("ÆæßÉ").map { $0 }
  let ascii = (0x20..<0x80).map { code -> Character? in
    switch code {
    case 0x24: "¤"
    case 0x40: "¡"
    case 0x5b: "Ä"
    case 0x5c: "Ö"
    case 0x5d: "Ñ"
    case 0x5e: "Ü"
    case 0x5f: "§"
    case 0x60: "¿"
    case 0x7b: "ä"
    case 0x7c: "ö"
    case 0x7d: "ñ"
    case 0x7e: "ü"
    case 0x7f: "à"
    default: Character(UnicodeScalar(UInt8(code)))
    }
  }
  return special + ascii
}()
