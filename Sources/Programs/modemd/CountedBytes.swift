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
    let modems = registry.modems
    let modem =
      modems.first { $0.bearer.state.installed?.interface == bearer.interface }
      ?? modems.first { $0.interface == bearer.interface }
    return { [ledger, id = modem?.id ?? ""] sent, received, connections in
      ledger.count(
        sent: sent, received: received, connections: connections, of: owner?.userID, modem: id, purpose: purpose)
    }
  }
}
