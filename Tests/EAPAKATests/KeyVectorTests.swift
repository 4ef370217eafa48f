import JSONTree
import ModemModel
import Testing
import VectorSupport

@testable import EAPAKA

/// All values of the file, byte for byte. A section that another file lacks is skipped.
@Suite("Keys of the vectors", .timeLimit(.minutes(1)))
struct KeyVectorTests {
  @Test("FIPS 186-2's generator", arguments: TS43Vectors.items("fips186_2_prf"))
  func generator(_ vector: TS43Vectors.Member) throws {
    if let seed = vector.value.bytes("xkey") {
      let output = try #require(vector.value.bytes("output40"))
      #expect(try KeyStreams.fips186(seed: WipedBytes(seed), count: output.count).revealed == output)
      return
    }
    let seed = try #require(vector.value.bytes("mk"))
    let names = ["k_encr", "k_aut", "msk", "emsk"]
    let output = try names.flatMap { try #require(vector.value.bytes($0)) }
    #expect(output.count == 160)
    #expect(try KeyStreams.fips186(seed: WipedBytes(seed), count: 160).revealed == output)
  }

  @Test("EAP-AKA′ (RFC 9048)", arguments: TS43Vectors.items("eap_aka_prime_rfc9048", "cases"))
  func prime(_ vector: TS43Vectors.Member) throws {
    let value = vector.value
    let card = try Card.response(of: value)
    let name = Array(try #require(value["network_name"]?.string).utf8)
    let autn = try #require(value.bytes("autn"))
    #expect(value.bytes("sqn_xor_ak") == Array(autn.prefix(6)))
    let bound = try BoundKeys(ck: card.ck, ik: card.ik, networkName: name, autn: autn)
    #expect(bound.ck.revealed == value.bytes("ck_prime"))
    #expect(bound.ik.revealed == value.bytes("ik_prime"))
    let keys = try LoginKeys(
      identity: Array(try #require(value["identity"]?.string).utf8), ck: card.ck, ik: card.ik, networkName: name,
      autn: autn)
    expect(keys, value)
  }

  @Test("Android's own tests", .enabled(if: TS43Vectors.has("eap_aka_aosp"), "the file has no section eap_aka_aosp"))
  func android() throws {
    let value = try #require(TS43Vectors.section("eap_aka_aosp"))
    let card = try Card.response(of: value)
    let identity = try #require(value["identity"]?.string)
    expect(try LoginKeys(identity: Array(identity.utf8), ck: card.ck, ik: card.ik), value)
  }

  @Test("PRF′ makes as much as it is asked for, and no more than its counter can count")
  func lengths() throws {
    let (key, text) = (WipedBytes([1]), WipedBytes([2]))
    let long = try KeyStreams.prfPrime(key: key, text, count: 255 * 32)
    #expect(long.count == 255 * 32)
    for count in [0, 1, 31, 32, 33] {
      #expect(try KeyStreams.prfPrime(key: key, text, count: count) == long.part(0..<count))
    }
    #expect(throws: EAPRefusal.library) { try KeyStreams.prfPrime(key: key, text, count: 255 * 32 + 1) }
  }

  @Test("The generator's sum is one of 160 bits")
  func carry() throws {
    // Twenty bytes of ones and one more: what the seed adds is nothing but the word itself.
    let ones = WipedBytes([UInt8](repeating: 0xff, count: 20))
    let stream = try KeyStreams.fips186(seed: ones, count: 60)
    let (first, second) = (stream.part(0..<20), stream.part(20..<40))
    #expect(try KeyStreams.fips186(seed: first, count: 40) == stream.part(20..<60))
    #expect(first != second)
  }
}

/// Compares all that a section names.
func expect(_ keys: LoginKeys, _ value: JSONValue, sourceLocation: SourceLocation = #_sourceLocation) {
  let found: [(String, WipedBytes)] = [
    (keys.session.method == .aka ? "mk" : "k_re", keys.session.reauthentication), ("k_encr", keys.session.encryption),
    ("k_aut", keys.session.authentication), ("msk", keys.master), ("emsk", keys.extendedMaster),
  ]
  for (name, key) in found {
    guard let expected = value.bytes(name) else { continue }
    #expect(key.revealed == expected, "\(name)", sourceLocation: sourceLocation)
  }
}
