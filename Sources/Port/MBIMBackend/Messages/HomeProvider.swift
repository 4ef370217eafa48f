import CMBIM
import ModemModel

extension Network {
  /// Reads the SIM's own network (MBIM_CID_HOME_PROVIDER); nil if the modem does not report it.
  static func home(_ reply: MBIMReply) throws(ModemError) -> Network? {
    var provider: UnsafeMutablePointer<MbimProvider>?
    try reply.read { mbim_message_home_provider_response_parse($0, &provider, $1) }
    guard let provider else { return nil }
    defer { mbim_provider_free(provider) }
    return Network(providerID: provider.pointee.provider_id, name: provider.pointee.provider_name)
  }

  /// Makes a network from MBIM's ProviderId, whose length gives the length of the MNC; nil if it is
  /// not valid.
  init?(providerID: UnsafePointer<CChar>?, name: UnsafePointer<CChar>?) {
    guard let plmn = providerID.flatMap({ PLMN(String(cString: $0)) }) else { return nil }
    self.init(plmn, name: name.map { String(cString: $0) })
  }
}
