import Testing

@testable import Milenage

@Suite("Milenage: the sets of 3GPP TS 35.208")
struct MilenageTests {
  private func milenage(_ set: MilenageSet) throws -> Milenage {
    Milenage(key: try bytes(set.k), opc: try bytes(set.opc))
  }

  @Test func `each set and each case can be read`() {
    #expect(MilenageSet.all.count == MilenageSet.members.count)
    #expect(BoundKeysCase.all.count == BoundKeysCase.members.count)
  }

  @Test("the functions", arguments: MilenageSet.all)
  func functions(_ set: MilenageSet) throws {
    let milenage = try milenage(set)
    let (rand, sequence, amf) = (try bytes(set.rand), try bytes(set.sqn), try bytes(set.amf))
    #expect(hex(milenage.f1(rand: rand, sequence: sequence, amf: amf)) == set.f1)
    #expect(hex(milenage.f1Star(rand: rand, sequence: sequence, amf: amf)) == set.f1star)
    #expect(hex(milenage.f2(rand: rand)) == set.f2)
    #expect(hex(milenage.f3(rand: rand)) == set.f3)
    #expect(hex(milenage.f4(rand: rand)) == set.f4)
    #expect(hex(milenage.f5(rand: rand)) == set.f5)
    #expect(hex(milenage.f5Star(rand: rand)) == set.f5star)
  }

  @Test("OPc from OP", arguments: MilenageSet.all)
  func derivedOPc(_ set: MilenageSet) throws {
    #expect(hex(Milenage(key: try bytes(set.k), op: try bytes(set.op)).opc) == set.opc)
  }

  @Test("a vector, which its card opens", arguments: MilenageSet.all)
  func vector(_ set: MilenageSet) throws {
    let milenage = try milenage(set)
    let (rand, sequence, amf) = (try bytes(set.rand), try bytes(set.sqn), try bytes(set.amf))
    let vector = milenage.vector(rand: rand, sequence: sequence, amf: amf)
    #expect(hex(vector.autn) == set.autn)
    #expect(hex(vector.res) == set.f2)
    #expect(hex(vector.ck) == set.f3)
    #expect(hex(vector.ik) == set.f4)
    #expect(hex(vector.ak) == set.f5)
    #expect(hex(vector.kc) == set.kc)
    let opened = milenage.open(autn: vector.autn, rand: rand)
    #expect(opened.sequence == sequence && opened.amf == amf && opened.isAuthentic)
    for index in vector.autn.indices {
      var other = vector.autn
      other[index] ^= 1
      #expect(!milenage.open(autn: other, rand: rand).isAuthentic, "byte \(index) changed")
    }
  }

  @Test("AUTS, which its operator reads", arguments: MilenageSet.all)
  func resynchronisation(_ set: MilenageSet) throws {
    let milenage = try milenage(set)
    let (rand, sequence) = (try bytes(set.rand), try bytes(set.sqn))
    let auts = milenage.auts(rand: rand, sequence: sequence)
    #expect(hex(auts) == set.auts)
    #expect(milenage.resynchronisation(auts: auts, rand: rand) == sequence)
    for index in auts.indices {
      var other = auts
      other[index] ^= 1
      #expect(milenage.resynchronisation(auts: other, rand: rand) == nil, "byte \(index) changed")
    }
    #expect(milenage.resynchronisation(auts: auts + [0], rand: rand) == nil)
    #expect(milenage.resynchronisation(auts: Array(auts.dropLast()), rand: rand) == nil)
    #expect(milenage.resynchronisation(auts: auts, rand: Array(rand.reversed())) == nil)
  }

  @Test("keys that are bound to a network's name", arguments: BoundKeysCase.all)
  func boundKeys(_ vector: BoundKeysCase) throws {
    let keys = Milenage.Vector(
      rand: try bytes(vector.rand), autn: try bytes(vector.autn), res: try bytes(vector.res), ck: try bytes(vector.ck),
      ik: try bytes(vector.ik), ak: []
    ).keys(boundTo: Array(vector.networkName.utf8))
    #expect(hex(keys.ck) == vector.boundCK)
    #expect(hex(keys.ik) == vector.boundIK)
  }

  @Test func `a vector has the separation bit unless another AMF is given`() throws {
    let vector = Milenage(key: [1], opc: [2]).vector(rand: [3], sequence: [4])
    #expect(vector.autn[6..<8] == [0x80, 0x00])
  }

  @Test func `bytes that are missing count as zero, and those past the end count as nothing`() {
    let short = Milenage(key: [1], opc: [2])
    let whole = Milenage(
      key: [1] + [UInt8](repeating: 0, count: 15), opc: [2] + [UInt8](repeating: 0, count: 15) + [9, 9])
    #expect(
      short.vector(rand: [3], sequence: [], amf: [])
        == whole.vector(
          rand: [3] + [UInt8](repeating: 0, count: 15) + [9], sequence: [0, 0, 0, 0, 0, 0, 9], amf: [0, 0, 9]))
  }
}
