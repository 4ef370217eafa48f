import ModemModel

/// The PINs that are deposited with this port's service: for one SIM by its serial number, or for
/// any.
package struct PINDeposit: Sendable {
  private let credential: @Sendable (_ name: String) throws -> [UInt8]?

  /// - Parameter credential: reads one of the service's credentials; nil if there is none with that
  ///   name.
  package init(credential: @escaping @Sendable (_ name: String) throws -> [UInt8]?) { self.credential = credential }

  /// Nothing is deposited.
  package static let empty = PINDeposit { _ in nil }

  /// The PIN for a SIM: the credential `sim-pin.ICCID`, else `sim-pin`. Trailing white space is
  /// ignored.
  ///
  /// - Parameter card: nil if the modem does not report it. A PIN for a certain SIM cannot be found
  ///   then.
  /// - Throws: `ModemError` `failed` if it is not a valid PIN; any error of reading it.
  package func pin(for card: ICCID?) throws -> PIN? {
    if let card, let own = try credential("sim-pin.\(card.revealed)") { return try pin(own, "sim-pin.ICCID") }
    return try credential("sim-pin").map { try pin($0, "sim-pin") }
  }

  private func pin(_ content: consuming [UInt8], _ name: String) throws -> PIN {
    defer { content.withUnsafeMutableBytes { WipedText.wipe($0) } }
    let blank: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d]
    let end = content.lastIndex { !blank.contains($0) }.map { $0 + 1 } ?? 0
    guard let pin = PIN(String(decoding: content[..<end], as: UTF8.self)) else {
      throw ModemError(
        .failed, "the credential \(name) has \(end) bytes that are not a PIN; expected 4 to 8 digits")
    }
    return pin
  }
}
