import BoundHTTP
import ModemModel
import ModemService
import RedirectChain
import TrafficLedger

extension ServiceBase {
  /// What counts the bytes that chains and questions move over a bearer.
  ///
  /// - Parameter owner: for whom; nil for modemd itself.
  func report(
    _ purpose: TrafficPurpose, for owner: ChainRequest.Owner?, over bearer: InstalledBearer
  ) -> ByteReport {
    // A port's answer may overtake its announcement of the bearer.
    return { [ledger, id = registry.modem(on: bearer.interface) ?? ""] sent, received, connections in
      ledger.count(
        sent: sent, received: received, connections: connections, of: owner?.userID, modem: id, purpose: purpose)
    }
  }
}
