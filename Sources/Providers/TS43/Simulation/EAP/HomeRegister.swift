import Milenage
import ModemModel
import Synchronization

/// One challenge of a home network, with what its SIM must answer (3GPP TS 33.102, 6.3).
struct Vector: Hashable, Sendable {
  var imsi: String
  var rand: [UInt8]
  var autn: [UInt8]
  var res: [UInt8]
  var ck: [UInt8]
  var ik: [UInt8]
}

/// The keys and sequence numbers of a home network's SIMs, by IMSI, and the other names that they
/// were given in EAP.
final class HomeRegister: Sendable {
  /// A SIM as its network knows it.
  struct Entry: Hashable, Sendable {
    /// K and OPc, 16 bytes each.
    var key: [UInt8]
    var opc: [UInt8]
    /// The last sequence number: SEQ and 5 bits of IND (3GPP TS 33.102, C.3.2).
    var sequence: UInt64
    /// Bytes of RES that count, 4 to 8.
    var resCount = 8
  }

  /// What the next fast re-authentication of a SIM begins with.
  struct Reauthentication: Hashable, Sendable {
    var imsi: String
    var method: EAPMethod
    var keys: EAPServerKeys
    var counter: Int
  }

  private struct State: Sendable {
    /// Those that were asked for.
    var entries: [String: Entry] = [:]
    var pseudonyms: [String: String] = [:]
    var reauthentications: [String: Reauthentication] = [:]
  }

  private let state = Mutex(State())
  private let entry: @Sendable (_ imsi: String) -> Entry?

  /// - Parameter entry: what the network knows of a SIM at the start; nil for another one's IMSI.
  init(_ entry: @escaping @Sendable (_ imsi: String) -> Entry?) { self.entry = entry }

  /// The IMSI of an identity: `0` or `6` and the IMSI (3GPP TS 23.003, 19.3), or a pseudonym. Nil
  /// for one that is not known.
  func imsi(of identity: String) -> String? {
    let name = identity.split(separator: "@", maxSplits: 1).first.map(String.init) ?? ""
    return state.withLock { state in
      if let imsi = state.pseudonyms[name] { return imsi }
      guard name.first == "0" || name.first == "6" else { return nil }
      let imsi = String(name.dropFirst())
      return entry(imsi) == nil ? nil : imsi
    }
  }

  /// A new challenge.
  ///
  /// - Parameter separated: whether AMF's separation bit is set, as EAP-AKA′ wants it.
  func vector(for imsi: String, separated: Bool, random: (Int) -> [UInt8]) -> Vector? {
    let rand = random(16)
    return state.withLock { state in
      guard var entry = state.entries[imsi] ?? entry(imsi) else { return nil }
      // The next SEQ, with the same IND.
      entry.sequence += 32
      state.entries[imsi] = entry
      let made = Milenage(key: entry.key, opc: entry.opc)
        .vector(rand: rand, sequence: Self.bytes(entry.sequence), amf: separated ? [0x80, 0] : [0, 0])
      return Vector(
        imsi: imsi, rand: rand, autn: made.autn, res: Array(made.res.prefix(entry.resCount)), ck: made.ck, ik: made.ik)
    }
  }

  /// Goes on from the SIM's sequence number.
  ///
  /// - Returns: false if AUTS is not that SIM's.
  func resynchronise(_ imsi: String, auts: [UInt8], rand: [UInt8]) -> Bool {
    state.withLock { state in
      guard var entry = state.entries[imsi] ?? entry(imsi),
        let sequence = Milenage(key: entry.key, opc: entry.opc).resynchronisation(auts: auts, rand: rand)
      else { return false }
      entry.sequence = Self.number(sequence)
      state.entries[imsi] = entry
      return true
    }
  }

  /// Sets the sequence number back, so that the SIM has seen the next challenge already.
  func fallBehind(_ imsi: String) {
    state.withLock { state in
      guard var entry = state.entries[imsi] ?? entry(imsi) else { return }
      entry.sequence = 0
      state.entries[imsi] = entry
    }
  }

  // MARK: Other names

  func makeIdentities(
    for imsi: String, _ method: EAPMethod, _ keys: EAPServerKeys, random: (Int) -> [UInt8]
  ) -> (pseudonym: String, reauthentication: String) {
    let pseudonym = (method == .aka ? "2" : "7") + Hexadecimal.text(of: random(8))
    let kept = Reauthentication(imsi: imsi, method: method, keys: keys, counter: 1)
    let name = Self.name(of: kept, random)
    state.withLock {
      $0.pseudonyms[pseudonym] = imsi
      $0.reauthentications[name] = kept
    }
    return (pseudonym, name)
  }

  /// Takes what a name for fast re-authentication stands for: it works once.
  func takeReauthentication(_ name: String) -> Reauthentication? {
    state.withLock { $0.reauthentications.removeValue(forKey: name) }
  }

  func makeReauthentication(after kept: Reauthentication, random: (Int) -> [UInt8]) -> String {
    var next = kept
    next.counter += 1
    let name = Self.name(of: next, random)
    state.withLock { [next] in $0.reauthentications[name] = next }
    return name
  }

  private static func name(of kept: Reauthentication, _ random: (Int) -> [UInt8]) -> String {
    (kept.method == .aka ? "4" : "8") + Hexadecimal.text(of: random(8)) + "@reauthentication.example"
  }

  private static func bytes(_ sequence: UInt64) -> [UInt8] {
    (0..<6).reversed().map { UInt8(truncatingIfNeeded: sequence >> ($0 * 8)) }
  }

  static func number(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
