import JournalLog
import ModemModel
import ModemService
import PortAPI
import Varlink

/// Logins of the SIM over one port's socket.
extension PortLink {
  func beginEAP(_ request: EAPLoginRequest) async throws -> EAPLogin {
    var parameters = PortInterface.BeginEAP.Parameters(request)
    parameters.trace = TraceContext.current?.traceID
    return try EAPLogin(try await askSIM(PortInterface.BeginEAP.self, parameters))
  }

  func answerEAP(_ packet: [UInt8], of login: String) async throws -> EAPReply {
    guard (1...EAPPacketText.most).contains(packet.count) else {
      throw ModemError(
        .failed,
        "SIM authentication: the server's EAP packet has \(packet.count) bytes; expected 1 to \(EAPPacketText.most)")
    }
    let parameters = PortInterface.AnswerEAP.Parameters(
      login: login, packet: EAPPacketText.text(of: packet), trace: TraceContext.current?.traceID)
    return try EAPReply(try await askSIM(PortInterface.AnswerEAP.self, parameters))
  }

  private func askSIM<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    do {
      return try await VarlinkClient.connect(to: path).call(method, parameters)
    } catch let error as VarlinkError {
      throw EAPFault(fromPort: error, name) ?? failure(error)
    } catch {
      throw failure(error)
    }
  }
}
