// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import MPin
import MPinServer
@_spi(Exchange) import RedirectChain
@_spi(Exchange) import Web
import MIRACLFlows

/// A platform of MIRACL's with real arithmetic: it gives shares of its secret, and accepts who
/// knows the PIN.
///
/// Where it knows the numbers that a client drew it checks a proof by them, which is fast; else by
/// a pairing.
package struct MIRACLPlatform: Sendable {
  /// Numbers that a client is given to draw, in order: the platform finds the client's key among
  /// them, as no real one could.
  package struct Draws: Sendable {
    private var count: UInt8 = 0
    private(set) var keys: [[UInt8]] = []

    /// 32 bytes below the group's order.
    package mutating func next() -> [UInt8] {
      count += 1
      let bytes = (0..<32).map { $0 == 0 ? 0x10 | count & 0x0f : count &* 37 &+ UInt8($0) &* 11 }
      keys.append(bytes)
      return bytes
    }
  }

  private struct Attempt {
    var commitment: G1Point
    var challenge: ServerChallenge
    var proof: G1Point?
    var scope: String
  }

  private enum Verifier {
    case keyed(KeyedVerifier)
    case pairing(PairingVerifier)

    func accepts(_ u: G1Point, _ v: G1Point, _ y: ServerChallenge) throws(MPinError) -> Bool {
      switch self {
      case .keyed(let verifier): try verifier.accepts(commitment: u, proof: v, challenge: y)
      case .pairing(let verifier): try verifier.accepts(commitment: u, proof: v, challenge: y)
      }
    }

    func accepts(_ signature: MPinSignature, of message: [UInt8]) throws(MPinError) -> Bool {
      switch self {
      case .keyed(let verifier): try verifier.accepts(signature, of: message)
      case .pairing(let verifier): try verifier.accepts(signature, of: message)
      }
    }
  }

  private struct Client {
    var verifier: Verifier
    var identity: MPinIdentity
    var wrong = 0
    var attempt: Attempt?
  }

  package static let project = "project-1"
  package static let accessID = "a1b2c3"
  package static let hash = String(repeating: "5a", count: 32)

  package var draws = Draws()
  /// Given out with the next right PIN: the identity's secret is to be renewed.
  package var renews = false
  private let secret = try! MasterSecret(
    randomness: RandomSource { buffer throws(MPinError) in
      for index in buffer.indices { buffer[index] = index == 0 ? 0x11 : UInt8(truncatingIfNeeded: index &* 7) }
    })
  private var clients: [String: Client] = [:]
  private var count = 0
  /// What `PUT /rps/v2/user` began.
  private var begun: [String: String] = [:]
  private var shares: [String: (ClientSecretShare, ClientSecretShare)] = [:]

  package init() {}

  /// Answers a call as the platform does.
  package mutating func answer(_ call: BackendCall) -> BackendReply {
    let body = JSONValue(parsing: call.body?.bytes ?? []) ?? .null
    let path = call.url.path
    switch "\(call.method.rawValue) \(path)" {
    case "GET /mobile-login/service":
      return .of([
        "url": .string("https://api.mpin.example"), "type": .string("online"), "name": .string("Shop"),
        "logo_url": .string("https://shop.example/logo"), "rps_prefix": .string("rps"),
      ])
    case "GET /rps/clientSettings": return .of(["codeStatusURL": .string("/rps/v2/codeStatus")])
    case "POST /rps/v2/codeStatus": return status(body)
    case "POST /verification/email": return .of(["backoff": .int(1700), "method": .string("code")])
    case "POST /verification/confirmation":
      guard body["code"]?.string == "right" else { return .problem("INVALID_VERIFICATION_CODE") }
      return .of(["projectId": .string(Self.project), "actToken": .string("activation-1")])
    case "POST /verification":
      return .of(["verificationURL": .string("https://api.mpin.example/v?user_id=u%40shop.example&code=right")])
    case "POST /verification/quickcode":
      return .of(["code": .string("quick-1"), "expireTime": .int(1_800), "ttlSeconds": .int(300)])
    case "POST /registration": return register(body)
    case "PUT /rps/v2/user":
      count += 1
      let id = Self.hex("{\"id\":\(count)}")
      begun[id] = body["userId"]?.string
      return .of(["mpinId": .string(id), "regOTT": .string("ott-1"), "projectId": .string(Self.project)])
    case "POST /rps/v2/dvsregister":
      count += 1
      return share(of: Self.hex("{\"id\":\(count)}"), body["publicKey"]?.string, names: true)
    case "POST /rps/v2/pass1": return pass1(body)
    case "POST /rps/v2/pass2": return pass2(body)
    case "POST /rps/v2/authenticate": return authenticate(body)
    case "POST /dvs/session/details":
      return .of([
        "hash": .string(Self.hash), "userID": .string("u@shop.example"), "description": .string("a contract"),
      ])
    case "PUT /dvs/session", "DELETE /dvs/session": return .of([:])
    case "POST /dvs/verify": return .of(["certificate": .string("c.e.rt")])
    default:
      if path.hasPrefix("/rps/v2/signature/") {
        let parameters = RedirectURI.parameters(of: call.url.text)
        return share(of: String(path.dropFirst("/rps/v2/signature/".count)), parameters["publicKey"], names: false)
      }
      if path.hasPrefix("/share") {
        let (number, id) = (path.prefix(8), String(path.dropFirst(9)))
        guard let both = shares[id] else { return BackendReply(status: 404) }
        return .of(["dvsClientSecret": .string((number == "/share/1" ? both.0 : both.1).revealed)])
      }
      return BackendReply(status: 404)
    }
  }

  // MARK: Sessions

  private func status(_ body: JSONValue) -> BackendReply {
    guard body["wid"]?.string == Self.accessID else { return .problem("INVALID_AUTHENTICATION_SESSION", 404) }
    guard body["status"]?.string == "wid" else { return BackendReply(status: 200) }
    return .of([
      "prerollId": .string(""), "projectId": .string(Self.project), "projectName": .string("Shop"),
      "projectLogoURL": .string("https://shop.example/logo"), "pinLength": .int(4),
      "verificationMethod": .string("standardEmail"), "verificationURL": .string(""),
      "verificationCustomText": .string(""), "identityType": .string("email"), "identityTypeLabel": .string("E-mail"),
      "enableRegistrationCode": .bool(true), "limitRegCodeVerified": .bool(false),
    ])
  }

  // MARK: Registration

  private mutating func register(_ body: JSONValue) -> BackendReply {
    guard ["activation-1", "quick-1", "renewal-1"].contains(body["activationToken"]?.string) else {
      return .problem("INVALID_ACTIVATION_TOKEN")
    }
    count += 1
    let id = Self.hex("{\"id\":\(count)}")
    guard admit(id, body["publicKey"]?.string) else { return .problem("INVALID_REQUEST_PARAMETERS") }
    return .of([
      "mpinId": .string(id), "projectId": .string(Self.project), "dtas": .string("ZHRhcw=="),
      "curve": .string("BN254CX"),
      "secretUrls": .array([
        .string("https://api.mpin.example/share/1/\(id)"), .string("https://two.mpin.example/share/2/\(id)"),
      ]),
    ])
  }

  private mutating func share(of id: String, _ key: String?, names: Bool) -> BackendReply {
    guard admit(id, key), let both = shares[id] else { return .problem("INVALID_REQUEST_PARAMETERS") }
    var members: [String: JSONValue] = [
      "dvsClientSecretShare": .string(both.0.revealed), "cs2url": .string("https://two.mpin.example/share/2/\(id)"),
      "curve": .string("BN254CX"), "dtas": .string("ZHRhcw=="),
    ]
    if names { members["mpinId"] = .string(id) }
    return .of(members)
  }

  /// Makes shares for an id with its key.
  private mutating func admit(_ id: String, _ key: String?) -> Bool {
    guard let key, let public_ = try? DVSPublicKey(hex: key),
      let identity = try? MPinIdentity(mpinIdHex: id, publicKey: public_)
    else { return false }
    clients[id] = Client(verifier: verifier(of: identity), identity: identity)
    shares[id] = try! secret.clientSecretShares(for: identity)
    return true
  }

  private func verifier(of identity: MPinIdentity) -> Verifier {
    for bytes in draws.keys {
      let replay = RandomSource { buffer throws(MPinError) in buffer.copyBytes(from: bytes) }
      guard let keys = try? DVSKeyPair(randomness: replay), keys.publicKey == identity.publicKey else { continue }
      return .keyed(try! KeyedVerifier(secret: secret, identity: identity, keys: keys))
    }
    return .pairing(PairingVerifier(secret: secret, identity: identity))
  }

  // MARK: Logins

  private mutating func pass1(_ body: JSONValue) -> BackendReply {
    guard let id = body["mpin_id"]?.string, let client = clients[id], let u = body["U"]?.string,
      let commitment = try? G1Point(hex: u), body["dtas"]?.string == "ZHRhcw==",
      body["publicKey"]?.string == client.identity.publicKey.hex, body["scope"]?.items.count == 1,
      let scope = body["scope"]?.items.first?.string
    else { return .problem("INVALID_REQUEST_PARAMETERS") }
    let bytes: [UInt8] = (0..<32).map { $0 == 0 ? 0x12 : $0 &* 3 }
    let challenge = try! ServerChallenge(bytes)
    clients[id]?.attempt = Attempt(commitment: commitment, challenge: challenge, scope: scope)
    return .of(["y": .string(challenge.hex)])
  }

  private mutating func pass2(_ body: JSONValue) -> BackendReply {
    guard let id = body["mpin_id"]?.string, let v = body["V"]?.string, let proof = try? G1Point(hex: v) else {
      return .problem("INVALID_REQUEST_PARAMETERS")
    }
    clients[id]?.attempt?.proof = proof
    return .of(["authOTT": .string(id)])
  }

  private mutating func authenticate(_ body: JSONValue) -> BackendReply {
    guard let id = body["authOTT"]?.string, var client = clients[id], let attempt = client.attempt,
      let proof = attempt.proof, body["wam"]?.string == "dvs"
    else { return .problem("INVALID_REQUEST_PARAMETERS") }
    client.attempt = nil
    let isRight = try! client.verifier.accepts(attempt.commitment, proof, attempt.challenge)
    client.wrong += isRight ? 0 : 1
    clients[id] = client
    guard client.wrong < 3 else { return .problem("REVOKED_MPINID", 403) }
    guard isRight else { return .problem("UNSUCCESSFUL_AUTHENTICATION", 401) }
    var members: [String: JSONValue] = ["status": .int(200), "message": .string("OK")]
    if ["jwt", "reg-code"].contains(attempt.scope) { members["jwt"] = .string("j.w.t\(id.count)") }
    if renews {
      renews = false
      members["dvsRegister"] = .object(["token": .string("renewal-1"), "curve": .string("BN254CX")])
    }
    return .of(members)
  }

  /// Whether a signature is of the platform's identity.
  package func accepts(_ document: JSONValue) -> Bool {
    guard let id = document["mpinId"]?.string, let client = clients[id], let u = document["u"]?.string,
      let v = document["v"]?.string, let hash = document["hash"]?.string.flatMap({ MIRACLHash($0) }),
      let time = document["timestamp"]?.integer, let u = try? G1Point(hex: u), let v = try? G1Point(hex: v)
    else { return false }
    let signature = MPinSignature(u: u, v: v, timestamp: UInt32(time))
    return (try? client.verifier.accepts(signature, of: hash.bytes)) == true
  }

  private static func hex(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension BackendReply {
  package static func of(_ members: [String: JSONValue]) -> BackendReply {
    BackendReply(status: 200, body: Array(JSONValue.object(members).text.utf8))
  }

  /// An error in the newer or the older form.
  package static func problem(
    _ code: String, _ status: Int = 400, isOld: Bool = false, context: [String: JSONValue] = [:]
  ) -> BackendReply {
    let parts: [String: JSONValue] = ["info": .string("in words, with u@shop.example"), "context": .object(context)]
    let new = parts.merging(["error": .string(code)]) { $1 }
    let old: [String: JSONValue] = [
      "requestID": .string("r-1"), "error": .object(parts.merging(["code": .string(code)]) { $1 }),
    ]
    return BackendReply(status: status, body: Array(JSONValue.object(isOld ? old : new).text.utf8))
  }
}
