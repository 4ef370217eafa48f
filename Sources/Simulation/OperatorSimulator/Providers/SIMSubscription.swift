import ModemModel

/// What a simulated operator shares with one SIM of the world: the keys by which they recognise
/// each other (3GPP TS 33.102, 6.3).
package struct SIMSubscription: Hashable, Sendable {
  /// At most 15 digits.
  package var imsi: String
  /// The first number of the SIM, E.164 with `+`; nil for a SIM without one.
  package var number: String?
  /// The operator whose subscriber it is.
  package var network: PLMN
  /// K: 16 bytes.
  package var key: [UInt8]
  /// OPc: 16 bytes.
  package var opc: [UInt8]
  /// The SQN up to which the SIM accepts none at power-on: 6 bytes. The operator begins above it.
  package var sequence: [UInt8]
  /// How many bytes of RES the SIM gives and the operator expects: 4 to 8.
  package var responseLength: Int
  /// EF_GID1, by which operators tell their resellers' SIMs apart; empty for a SIM without it.
  package var groupIdentifier: [UInt8]

  package init(
    imsi: String, number: String? = nil, network: PLMN, key: [UInt8], opc: [UInt8],
    sequence: [UInt8] = [0, 0, 0, 0, 0, 0], responseLength: Int = 8, groupIdentifier: [UInt8] = []
  ) {
    self.imsi = imsi
    self.number = number
    self.network = network
    self.key = key
    self.opc = opc
    self.sequence = sequence
    self.responseLength = responseLength
    self.groupIdentifier = groupIdentifier
  }
}
