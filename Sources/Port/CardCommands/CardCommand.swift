import ModemModel

/// A command for an application of a card (ETSI TS 102 221, 10.1; 3GPP TS 31.102, 7.1.2).
package struct CardCommand: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  package let bytes: [UInt8]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// AUTHENTICATE in the 3G security context, for an answer of any length.
  package static func authenticate(_ challenge: AKAChallenge, on channel: CardChannel) -> CardCommand {
    let data = authenticationData(challenge)
    return CardCommand([channel.classByte, 0x88, 0, 0x81, UInt8(data.count)] + data + [0])
  }

  /// RAND and AUTN, each behind its length, as in the command's data.
  package static func authenticationData(_ challenge: AKAChallenge) -> [UInt8] {
    [UInt8(challenge.rand.count)] + challenge.rand + [UInt8(challenge.autn.count)] + challenge.autn
  }

  /// GET RESPONSE: fetches what the card has ready.
  ///
  /// - Parameter count: in bytes; 0 for 256.
  package static func getResponse(_ count: UInt8, on channel: CardChannel) -> CardCommand {
    CardCommand([channel.classByte, 0xc0, 0, 0, count])
  }

  /// The instruction alone: the data may be a challenge.
  package var description: String { "(card command \(String(bytes[1], radix: 16)))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The identifiers of applications on a card (ETSI TS 101 220, annex E).
package enum CardApplication {
  /// What the identifier of each USIM begins with. A card selects the USIM by it, too.
  package static let usim: [UInt8] = [0xa0, 0, 0, 0, 0x87, 0x10, 2]

  /// The longest identifier, in bytes.
  package static let longest = 16

  /// The USIM to ask: the one in use, else the card's first. If the modem names none, it is what
  /// each USIM's identifier begins with.
  ///
  /// - Parameters:
  ///   - active: the application that the modem uses; nil if it names none.
  ///   - all: the card's applications.
  package static func usim(active: [UInt8]?, among all: [[UInt8]]) -> [UInt8] {
    ([active].compactMap(\.self) + all).first { $0.starts(with: usim) && $0.count <= longest } ?? usim
  }
}
