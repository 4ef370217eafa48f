import AuthCore
import JSONTree
import MPin
import ModemModel

/// A registered user's data on this machine. It logs in together with the PIN, which it does not
/// contain.
package struct MIRACLIdentity: Hashable, Sendable {
  /// Whether it can be used.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case active
    /// By the service, as after too many wrong PINs.
    case revoked
    /// Too old for the service.
    case expired
  }

  /// Identifies a user at a project of a platform. Each name has at most one identity.
  package struct Name: Hashable, Sendable {
    /// The platform's URL.
    package let service: String
    package let project: String
    package let user: MIRACLUser

    package init(service: String, project: String, user: MIRACLUser) {
      self.service = service
      self.project = project
      self.user = user
    }
  }

  /// The lengths of PINs that a project may require.
  package static let pinLengths = 4...6
  /// The only curve there is.
  static let curve = "BN254CX"

  package let name: Name
  /// The M-Pin id with its public key.
  package let key: MPinIdentity
  package let token: MPinToken
  /// An opaque value that the platform expects back with each login.
  package let dtas: String
  /// How many digits the PIN has, 4 to 6.
  package let pinLength: Int
  package let created: Timestamp
  package var state: State

  init(
    name: Name, key: MPinIdentity, token: MPinToken, dtas: String, pinLength: Int, created: Timestamp,
    state: State = .active
  ) {
    self.name = name
    self.key = key
    self.token = token
    self.dtas = dtas
    self.pinLength = pinLength
    self.created = created
    self.state = state
  }
}

extension MIRACLIdentity {
  /// Why a document is not an identity: a member's name, but never a value.
  package struct Damage: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }
  }

  /// As it is stored. It holds the token: only for its owner.
  package var document: JSONValue {
    .object([
      "version": .int(1), "service": .string(name.service), "project": .string(name.project),
      "user": .string(name.user.revealed), "mpinId": .string(key.mpinIdHex), "publicKey": .string(key.publicKey.hex),
      "token": .string(token.revealed), "dtas": .string(dtas), "curve": .string(Self.curve),
      "pinLength": .int(pinLength), "state": .string(state.rawValue), "created": .string(created.description),
    ])
  }

  /// Reads a stored identity, and checks that its points are on their curves.
  ///
  /// - Throws: `Damage`.
  package init(document: JSONValue) throws(Damage) {
    func text(_ member: String) throws(Damage) -> String {
      guard let text = document[member]?.string else { throw Damage("\(member) is not there") }
      return text
    }
    guard document["version"]?.integer == 1 else { throw Damage("version is not 1") }
    guard try text("curve") == Self.curve else { throw Damage("curve is not \(Self.curve)") }
    guard let pinLength = document["pinLength"]?.integer, Self.pinLengths.contains(pinLength) else {
      throw Damage("pinLength is not 4 to 6")
    }
    guard let state = State(rawValue: try text("state")) else { throw Damage("state is no known word") }
    guard let created = Timestamp(rfc3339: try text("created")) else { throw Damage("created is no time") }
    let name = Name(service: try text("service"), project: try text("project"), user: MIRACLUser(try text("user")))
    let (mpinId, publicKey, token) = (try text("mpinId"), try text("publicKey"), try text("token"))
    do throws(MPinError) {
      self.init(
        name: name, key: try MPinIdentity(mpinIdHex: mpinId, publicKey: DVSPublicKey(hex: publicKey)),
        token: try MPinToken(hex: token), dtas: document["dtas"]?.string ?? "", pinLength: pinLength, created: created,
        state: state)
    } catch {
      throw Damage(error.message)
    }
  }
}
