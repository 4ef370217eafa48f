import CGLib
import CMBIM
import ControlChannel
import GLibBridge
import ModemModel

extension MBIMBackend {
  package func simStatus() async throws(ModemError) -> SIMStatus {
    var status = try await subscriberReadyStatus()
    status.slot = try await ifUsable { () async throws(ModemError) in try await self.activeSlot() }
    switch status.state {
    case .pinRequired:
      let pin = try await pinState()
      status.state = pin.simState
      status.retriesLeft = pin.isLocked ? pin.retriesLeft : nil
    case .ready:
      if status.numbers.isEmpty {
        let number = try await ifUsable { () async throws(ModemError) in try await self.numberOfSIM() }
        status.numbers = number.map { [$0] } ?? []
      }
      let mncLength = try await lengthOfMNC(for: status)
      status.home = HomeNetwork.find(imsi: status.imsi, mncLength: mncLength, told: try await homeProvider())
    default: break
    }
    return status
  }

  /// The length of the MNC by the SIM's own file, which is read once for each SIM.
  private func lengthOfMNC(for status: SIMStatus) async throws(ModemError) -> Int? {
    if let known = knownMNCLength.length(for: status) { return known }
    let length = try await ifUsable { () async throws(ModemError) in try await self.mncLengthOfSIM() }
    knownMNCLength.note(length, for: status)
    return length
  }

  /// Asks for the SIM's state and the known subscription data (MBIM_CID_SUBSCRIBER_READY_STATUS). A
  /// SIM with any lock is `pinRequired` here.
  private func subscriberReadyStatus() async throws(ModemError) -> SIMStatus {
    let reply = try await ask("subscriber ready status", within: configuration.limits.query) { _, error in
      mbim_message_subscriber_ready_status_query_new(error)
    }
    return try SIMStatus(reply)
  }

  /// Asks for the SIM's own network (MBIM_CID_HOME_PROVIDER); nil if the modem does not report it.
  private func homeProvider() async throws(ModemError) -> HomeNetwork.Told? {
    let reply = try await send("home provider", within: configuration.limits.query) { _, error in
      mbim_message_home_provider_query_new(error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE else { return nil }
    return try Network.home(reply).map { HomeNetwork.Told($0.plmn, name: $0.name) }
  }
}
