import Milenage

@testable import ModemSimulator

/// The home network of a simulated SIM, which challenges it.
struct SimulatedHome {
  let milenage: Milenage
  let rand = (0..<16).map { UInt8($0 * 7 + 1) }

  init(_ sim: SimulatedSIM = SimulatedSIM()) { milenage = Milenage(key: sim.key, opc: sim.opc) }

  /// - Parameter sequence: SQN.
  func vector(_ sequence: UInt64, amf: [UInt8] = [0x80, 0]) -> Milenage.Vector {
    milenage.vector(rand: rand, sequence: Self.bytes(sequence), amf: amf)
  }

  /// The SQN in an AUTS; nil when it is not this SIM's.
  func sequence(in auts: [UInt8]) -> UInt64? {
    milenage.resynchronisation(auts: auts, rand: rand).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
  }

  static func bytes(_ sequence: UInt64) -> [UInt8] {
    (0..<6).reversed().map { UInt8(truncatingIfNeeded: sequence >> ($0 * 8)) }
  }
}

extension SimulatedModemConfiguration {
  /// A modem that answers challenges so.
  static func answering(_ change: (inout SimulatedAuthentication) -> Void) -> SimulatedModemConfiguration {
    var configuration = SimulatedModemConfiguration()
    change(&configuration.authentication)
    return configuration
  }
}

extension UInt64 {
  /// The first SQN of a SEQ, at place 0 of the card's array.
  static func seq(_ number: UInt64, _ place: UInt64 = 0) -> UInt64 { number << 5 | place }
}
