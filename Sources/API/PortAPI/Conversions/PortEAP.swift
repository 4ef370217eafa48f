import DeviceAPI
import FoundationEssentials
import ModemModel
import Varlink

/// EAP packets on the wire of org.modemd.Port: base64 (RFC 4648, 4).
package enum EAPPacketText {
  /// Bytes of the longest packet that the port takes. Packets of EAP-AKA and EAP-AKA′ have a few
  /// hundred.
  package static let most = 4096
  /// Characters of the longest packet.
  package static let mostCharacters = (most + 2) / 3 * 4

  package static func text(of packet: [UInt8]) -> String { Data(packet).base64EncodedString() }

  /// Reads exactly what `text(of:)` writes; nil for any other text, for none, and beyond `most`
  /// bytes.
  package static func bytes(of text: String) -> [UInt8]? {
    guard (1...mostCharacters).contains(text.utf8.count), let data = Data(base64Encoded: text),
      (1...most).contains(data.count), data.base64EncodedString() == text
    else { return nil }
    return Array(data)
  }
}

extension EAPLoginRequest {
  package init(_ parameters: PortInterface.BeginEAP.Parameters) {
    let method: EAPMethod =
      switch parameters.method {
      case .aka: .aka
      case .akaPrime: .akaPrime
      }
    self.init(
      method, realm: parameters.realm, networkName: parameters.networkName,
      reauthenticates: parameters.reauthenticate ?? false)
  }
}

extension PortInterface.BeginEAP.Parameters {
  package init(_ request: EAPLoginRequest) {
    let method: Method =
      switch request.method {
      case .aka: .aka
      case .akaPrime: .akaPrime
      }
    self.init(
      method: method, realm: request.realm, networkName: request.networkName,
      reauthenticate: request.reauthenticates ? true : nil)
  }
}

extension EAPLogin {
  /// Bytes of the longest identity (RFC 7542, 2.2).
  private static let identityCount = 1...253

  /// - Throws: `ConversionError` for what no port sends.
  package init(_ reply: PortInterface.BeginEAP.Reply) throws {
    guard Self.identityCount.contains(reply.identity.utf8.count) else {
      throw ConversionError(field: "identity", expected: "1 to 253 bytes")
    }
    let group = try reply.gid1.map { digits in
      guard let bytes = Hexadecimal.bytes(of: digits), bytes.count <= 255 else {
        throw ConversionError(field: "gid1", expected: "pairs of hexadecimal digits")
      }
      return bytes
    }
    self.init(id: reply.login, identity: EAPIdentity(reply.identity), groupIdentifier: group)
  }
}

extension PortInterface.BeginEAP.Reply {
  package init(_ login: EAPLogin) {
    self.init(
      login: login.id, identity: login.identity.revealed, gid1: login.groupIdentifier.map { Hexadecimal.text(of: $0) })
  }
}

extension EAPReply {
  /// - Throws: `ConversionError` for what no port sends.
  package init(_ reply: PortInterface.AnswerEAP.Reply) throws {
    let packet = try reply.packet.map { text in
      guard let bytes = EAPPacketText.bytes(of: text) else {
        throw ConversionError(field: "packet", expected: "base64 of 1 to \(EAPPacketText.most) bytes")
      }
      return bytes
    }
    self.init(
      Event(rawValue: reply.event.rawValue) ?? .unknown, packet: packet, notification: reply.notification,
      networkName: reply.networkName, text: reply.text)
  }
}

extension PortInterface.AnswerEAP.Reply {
  package init(_ reply: EAPReply) {
    self.init(
      event: Event(word: reply.event), packet: reply.packet.map(EAPPacketText.text), notification: reply.notification,
      networkName: reply.networkName, text: reply.text)
  }
}

// MARK: Errors

extension EAPFault {
  /// The error of org.modemd.Port with this meaning.
  ///
  /// - Parameter login: the id in the call; empty where there is none.
  package func onPortWire(login: String) -> VarlinkError {
    switch self {
    case .notSupported(let text): VarlinkError(PortInterface.EAPNotSupported(text: text))
    case .tooMany(let limit, let retryAfter):
      VarlinkError(
        PortInterface.TooManyLogins(
          limit: limit, retryAfterMilliseconds: retryAfter.bounded.millisecondsRoundedUp))
    case .unknownLogin: VarlinkError(PortInterface.NoSuchLogin(login: login))
    }
  }

  /// A port's error about logins; nil for every other error.
  ///
  /// - Parameter port: the port's name, for a port that is too old for logins.
  package init?(fromPort error: VarlinkError, _ port: String) {
    if let lack = error.parameters(as: PortInterface.EAPNotSupported.self) {
      self = .notSupported(lack.text)
    } else if let many = error.parameters(as: PortInterface.TooManyLogins.self) {
      self = .tooMany(limit: many.limit, retryAfter: .milliseconds(max(many.retryAfterMilliseconds, 0)))
    } else if error.parameters(as: PortInterface.NoSuchLogin.self) != nil {
      self = .unknownLogin
    } else if Self.namesOfNoMethod.contains(error.name) {
      self = .notSupported(
        "the port \(port) is of an earlier version, which runs no logins of the SIM; restart it with `systemctl restart 'modemd-port@*'`"
      )
    } else {
      return nil
    }
  }

  private static let namesOfNoMethod: Set = [
    "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented",
  ]
}

extension ModemError {
  /// The error of org.modemd.Port with this meaning, about a login.
  package var onEAPWire: VarlinkError {
    code == .notSupported
      ? VarlinkError(PortInterface.EAPNotSupported(text: message)) : onPortWire("SIM authentication")
  }
}
