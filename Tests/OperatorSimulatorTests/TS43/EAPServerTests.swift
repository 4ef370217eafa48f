import JSONTree
import ModemModel
import Synchronization
import Testing

@testable import TS43Simulation

/// The simulated home network's side of EAP, held against packets of a peer that is not ours.
@Suite struct EAPServerTests {
  static let imsi = "001010123456063"
  /// 3GPP TS 35.208, set 1, whose SQN the composed exchanges use.
  static let entry = HomeRegister.Entry(
    key: Hexadecimal.bytes(of: "465b5ce8b199b49faa5f0a2ee238a6bc") ?? [],
    opc: Hexadecimal.bytes(of: "cd63cb71954a9f4e48a5994e37a02baf") ?? [], sequence: 0xff9b_b4d0_b607 - 32)

  /// Gives these 16 bytes in turn, and zeros for all else.
  static func random(_ blocks: [[UInt8]]) -> @Sendable (Int) -> [UInt8] {
    let left = Chance(blocks)
    return { count in (count == 16 ? left.next() : nil) ?? [UInt8](repeating: 0, count: count) }
  }

  private final class Chance: Sendable {
    private let blocks: Mutex<[[UInt8]]>
    init(_ blocks: [[UInt8]]) { self.blocks = Mutex(blocks) }
    func next() -> [UInt8]? { blocks.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
  }

  static func register() -> HomeRegister { HomeRegister { $0 == imsi ? entry : nil } }

  static func composed(_ method: EAPMethod) throws -> JSONValue {
    try #require(TS43Vectors.all["composed_exchanges"]?[method == .aka ? "eap_aka" : "eap_aka_prime"])
  }

  static func settings(_ method: EAPMethod) -> EAPServer.Settings {
    var settings = EAPServer.Settings()
    settings.method = method
    settings.identityRequests = [.any]
    settings.hasCheckcode = true
    settings.givesIdentities = true
    if method == .aka { settings.prefersAKAPrime = false }
    return settings
  }

  @Test(arguments: EAPMethod.allCases)
  func `keys are those of the vectors`(method: EAPMethod) throws {
    let exchange = try Self.composed(method)
    let identity = Array((exchange["identity"]?.string ?? "").utf8)
    let (ck, ik) = (TS43Vectors.bytes(exchange["ck"]), TS43Vectors.bytes(exchange["ik"]))
    let keys =
      method == .aka
      ? EAPServerKeys(aka: identity, ck: ck, ik: ik)
      : EAPServerKeys(
        akaPrime: identity, ck: ck, ik: ik, networkName: Array("WLAN".utf8),
        concealed: Array(TS43Vectors.bytes(exchange["autn"]).prefix(6)))
    #expect(keys.encryption == TS43Vectors.bytes(exchange["keys"]?["k_encr"]))
    #expect(keys.authentication == TS43Vectors.bytes(exchange["keys"]?["k_aut"]))
  }

  @Test func `keys are those that a phone derived`() throws {
    let phone = try #require(TS43Vectors.all["eap_aka_aosp"])
    let keys = EAPServerKeys(
      aka: Array((phone["identity"]?.string ?? "").utf8), ck: TS43Vectors.bytes(phone["ck"]),
      ik: TS43Vectors.bytes(phone["ik"]))
    #expect(keys.authentication == TS43Vectors.bytes(phone["k_aut"]))
    let answer = try #require(EAPServerPacket(response: TS43Vectors.bytes(phone["response"])))
    #expect(answer.isAuthentic(keys))
  }

  @Test(arguments: EAPMethod.allCases)
  func `a foreign peer's packets are accepted, and none that differs`(method: EAPMethod) throws {
    let exchange = try Self.composed(method)
    let packets = try #require(exchange["eap"]?.items).map { TS43Vectors.bytes($0["hex"]) }
    try #require(packets.count == 4)
    for changed in [nil, 8, 12, packets[3].count - 1] as [Int?] {
      let random = Self.random([TS43Vectors.bytes(exchange["rand"])])
      var server = EAPServer(Self.settings(method), Self.register(), random: random)
      #expect(server.begin("0\(Self.imsi)@elsewhere.example") == .send(packets[0]))
      guard case .send(let challenge) = server.receive(packets[1]) else {
        Issue.record("there is no challenge")
        return
      }
      #expect(Array(challenge[8..<28]) == Array(packets[2][8..<28]), "RAND")
      // The vector's AMF is separated in both methods.
      let autn = TS43Vectors.bytes(exchange["autn"])
      #expect(challenge.contains(method == .aka ? Array(autn.prefix(6)) : autn), "AUTN")
      var answer = packets[3]
      if let changed { answer[changed] ^= 1 }
      let step = server.receive(answer)
      #expect(
        changed == nil ? step == .accepted(imsi: Self.imsi) : step == .rejected([4, 2, 0, 4]), "\(changed ?? -1)")
    }
  }

  @Test(arguments: EAPMethod.allCases)
  func `a foreign peer authenticates again without its SIM, once`(method: EAPMethod) throws {
    let exchange = try Self.composed(method)
    let packets = try #require(exchange["eap"]?.items).map { TS43Vectors.bytes($0["hex"]) }
    let nonce = TS43Vectors.bytes(exchange["fast_reauth"]?["nonce_s"])
    // RAND, an IV; NONCE_S, an IV.
    let random = Self.random([TS43Vectors.bytes(exchange["rand"]), nonce, nonce])
    let register = Self.register()
    var server = EAPServer(Self.settings(method), register, random: random)
    _ = server.begin("0\(Self.imsi)")
    _ = server.receive(packets[1])
    #expect(server.receive(packets[3]) == .accepted(imsi: Self.imsi))

    var settings = Self.settings(method)
    settings.identityRequests = []
    settings.hasCheckcode = false
    // Its first identifier is 3, as the vector's.
    let name = (method == .aka ? "4" : "8") + "0000000000000000@reauthentication.example"
    for isFirst in [true, false] {
      let more = Self.random([nonce])
      var again = EAPServer(settings, register) { count in
        count == 1 ? [2] : count == 8 ? [UInt8](repeating: 7, count: 8) : more(count)
      }
      let step = again.begin(name)
      guard isFirst else {
        // The name is used up, and the server asks for another one.
        guard case .send(let bytes) = step else {
          Issue.record("\(step)")
          return
        }
        #expect(bytes[5] == EAPServerPacket.Subtype.identity.rawValue)
        return
      }
      guard case .send(let request) = step else {
        Issue.record("\(step)")
        return
      }
      #expect(request[5] == EAPServerPacket.Subtype.reauthentication.rawValue)
      let answer = TS43Vectors.bytes(exchange["fast_reauth"]?["peer_with_iv_40_4f"])
      #expect(again.receive(answer) == .accepted(imsi: Self.imsi))
    }
  }
}

extension [UInt8] {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard count >= part.count else { return false }
    return (0...(count - part.count)).contains { self[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
