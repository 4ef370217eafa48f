import AuthCore
import JSONTree
import MPin
import RedirectChain
import Web

/// What an identity is made from: a user, an authorisation, and a PIN.
struct MIRACLEnrolment: Sendable {
  /// By what right.
  enum Right: Sendable {
    case activation(MIRACLActivation)
    /// The token from a login, because the secret must be renewed.
    case renewal(Secret)
  }

  /// Where the PIN is from.
  enum PIN: Sendable {
    /// The caller chooses it, with the given number of digits.
    case asked(ClosedRange<Int>)
    case given(UserPIN)
    /// Another machine asks for it.
    case later
  }

  var name: MIRACLIdentity.Name
  var right: Right
  var pin: PIN
}

/// An identity without its PIN: whoever has it can choose the PIN.
struct MIRACLCandidate: Sendable {
  let keys: DVSKeyPair
  let draft: MIRACLDraft
  let shares: [ClientSecretShare]
}

/// A platform's answer to a registration: the identity without its secret.
struct MIRACLDraft: Sendable {
  let key: MPinIdentity
  let dtas: String
  /// The allowed lengths of PINs; nil if the platform does not give them.
  let pinLengths: ClosedRange<Int>?
  /// The first share, if it came with the answer.
  let share: ClientSecretShare?
  /// Where to get the other shares.
  let shareURLs: [WebURL]

  /// What is wrong with an answer: its field.
  enum Fault: Error, Hashable {
    case lacks(String)
    case otherProject
    case otherCurve
    case untrusted(String)
  }

  /// Reads the answer of `/registration`.
  init(registration answer: JSONValue?, _ keys: DVSKeyPair, _ settings: MIRACLSettings) throws(Fault) {
    guard let project = answer?["projectId"]?.string else { throw .lacks("projectId") }
    guard project == settings.project else { throw .otherProject }
    let texts = answer?["secretUrls"]?.items.compactMap(\.string) ?? []
    guard texts.count == 2 else { throw .lacks("secretUrls") }
    try self.init(answer, mpinId: answer?["mpinId"]?.string, keys, share: nil, texts, "secretUrls", settings)
  }

  /// Reads an older answer, from `/rps/v2/signature` or `/rps/v2/dvsregister`: the first share, and
  /// the address of the second.
  init(
    share answer: JSONValue?, mpinId: String?, _ keys: DVSKeyPair, _ settings: MIRACLSettings
  ) throws(Fault) {
    guard let hex = answer?["dvsClientSecretShare"]?.string, let share = try? ClientSecretShare(hex: hex) else {
      throw .lacks("dvsClientSecretShare")
    }
    guard let url = answer?["cs2url"]?.string else { throw .lacks("cs2url") }
    try self.init(answer, mpinId: mpinId, keys, share: share, [url], "cs2url", settings)
  }

  private init(
    _ answer: JSONValue?, mpinId: String?, _ keys: DVSKeyPair, share: ClientSecretShare?, _ texts: [String],
    _ field: String, _ settings: MIRACLSettings
  ) throws(Fault) {
    guard let curve = answer?["curve"]?.string else { throw .lacks("curve") }
    guard curve == MIRACLIdentity.curve else { throw .otherCurve }
    guard let mpinId, let key = try? MPinIdentity(mpinIdHex: mpinId, publicKey: keys.publicKey) else {
      throw .lacks("mpinId")
    }
    guard let dtas = answer?["dtas"]?.string else { throw .lacks("dtas") }
    var lengths: ClosedRange<Int>?
    if let length = answer?["pinLength"] {
      guard let length = length.integer, MIRACLIdentity.pinLengths.contains(length) else { throw .lacks("pinLength") }
      lengths = length...length
    }
    var urls: [WebURL] = []
    for text in texts {
      do throws(AnsweredURL.Fault) {
        urls.append(try AnsweredURL(text, within: settings.trusted).url)
      } catch {
        throw error.host.map { .untrusted($0) } ?? .lacks(field)
      }
    }
    self.key = key
    self.dtas = dtas
    pinLengths = lengths
    self.share = share
    shareURLs = urls
  }
}

extension MIRACLDraft.Fault {
  func outcome(_ reply: BackendReply) -> FlowOutcome {
    switch self {
    case .lacks(let field): .lacking(field, reply)
    case .otherProject: .otherProject(reply)
    case .otherCurve:
      FlowOutcome(
        .badAnswer, code: "curve", status: reply.status,
        "the service uses another curve than \(MIRACLIdentity.curve); this version cannot register there")
    case .untrusted(let host):
      FlowOutcome(
        .stateMismatch, code: "untrustedHost", status: reply.status,
        "the service keeps secrets at \(host), which is not trusted or not reached by https; if it is the service's, add it to trustedDomains"
      )
    }
  }
}
