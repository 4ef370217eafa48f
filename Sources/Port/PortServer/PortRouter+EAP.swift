import ModemModel
import ModemPort
import PortAPI
import Varlink

/// Logins of the SIM over org.modemd.Port.
extension PortRouter {
  /// Bytes of the longest call that the port takes: a packet, and what is around it.
  package static let mostCallBytes = EAPPacketText.mostCharacters + 512

  static func addEAP(to router: inout VarlinkRouter, _ port: ModemPort) {
    router.limitCalls(of: PortInterface.AnswerEAP.name, to: mostCallBytes)
    router.handle(PortInterface.BeginEAP.self) { parameters, _ in
      let request = EAPLoginRequest(parameters)
      if let flaw = request.flaw { throw VarlinkError.invalidParameter(flaw) }
      return try await inTrace(parameters.trace) {
        try await onEAPWire { PortInterface.BeginEAP.Reply(try await port.beginEAP(request)) }
      }
    }
    router.handle(PortInterface.AnswerEAP.self) { parameters, _ in
      guard let packet = EAPPacketText.bytes(of: parameters.packet) else {
        throw VarlinkError.invalidParameter("packet")
      }
      return try await inTrace(parameters.trace) {
        try await onEAPWire(login: parameters.login) {
          PortInterface.AnswerEAP.Reply(try await port.answerEAP(packet, of: parameters.login))
        }
      }
    }
  }

  private static func onEAPWire<Reply>(
    login: String = "", _ body: () async throws -> Reply
  ) async throws -> Reply {
    do {
      return try await body()
    } catch let fault as EAPFault {
      throw fault.onPortWire(login: login)
    } catch let error as ModemError {
      throw error.onEAPWire
    }
  }
}
