import CMBIM
import ModemModel

extension MBIMBackend {
  /// Asks for the provisioned contexts (MBIM_CID_PROVISIONED_CONTEXTS). A modem that does not
  /// support the command has none.
  package func provisionedAccessPoints() async throws(ModemError) -> [AccessPoint] {
    let reply = try await send("provisioned contexts", within: configuration.limits.query) { _, error in
      mbim_message_provisioned_contexts_query_new(error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE else { return [] }
    guard let accessPoints = ProvisionedContexts.accessPoints(reply.information) else {
      throw ModemError(.badReply, "provisioned contexts: the modem's list does not fit its length")
    }
    return accessPoints
  }
}
