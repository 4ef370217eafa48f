import Crypto
import FoundationEssentials
import JSONTree
import MPin
import MPinServer
import ModemModel
import OperatorSimulator
import Synchronization

/// The platform's own secrets: one of both authorities per generation, and the keys that sign its
/// tokens. Each is made on first use.
final class MIRACLSecrets: Sendable {
  private struct State {
    var masters: [String: MasterSecret] = [:]
    var key: SimulatedSigningKey?
    var otherKey: SimulatedSigningKey?
  }

  private let environment: ProviderEnvironment
  private let state = Mutex(State())

  init(_ environment: ProviderEnvironment) { self.environment = environment }

  /// The generation that registrations are of now.
  var generation: String { environment.word("miracl.generation") ?? "1" }

  func master(_ generation: String) throws -> MasterSecret {
    try state.withLock { state in
      if let master = state.masters[generation] { return master }
      let master = try MasterSecret(randomness: randomness)
      state.masters[generation] = master
      return master
    }
  }

  var randomness: RandomSource {
    RandomSource { [environment] buffer in
      for index in buffer.indices { buffer[index] = environment.randomByte() }
    }
  }

  /// Which authorities gave a secret, in the form that clients send back: a list of two names in
  /// Base64.
  func dtas(_ generation: String) -> String {
    let names = ["first", "second"].map { authority in
      Hexadecimal.text(of: SHA256.hash(data: Array("\(authority) authority, \(generation)".utf8)))
    }
    return Data(JSONValue.array(names.map { .string($0) }).text.utf8).base64EncodedString()
  }

  var keySet: JSONValue {
    get throws { try key().keySet }
  }

  /// - Parameter isForged: whether to use an unpublished key.
  func sign(_ claims: JSONValue, isForged: Bool) throws -> String {
    let token = try key(isForged: isForged).sign(claims)
    environment.issued(token, as: "token")
    return token
  }

  private func key(isForged: Bool = false) throws -> SimulatedSigningKey {
    try state.withLock { state in
      if let key = isForged ? state.otherKey : state.key { return key }
      // With the published key's name, as a forger would.
      let key = try SimulatedSigningKey(id: "simulated")
      if isForged { state.otherKey = key } else { state.key = key }
      return key
    }
  }
}
