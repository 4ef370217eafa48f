import CMBIM
import ModemModel

/// The SIM's answer through the service AUTH (MBIM_CID_AKA_AUTH).
enum AuthenticationReply {
  static func answer(_ reply: MBIMReply) throws(ModemError) -> AKAAnswer {
    switch reply.status {
    case MBIM_STATUS_ERROR_AUTH_INCORRECT_AUTN: return .refused
    case MBIM_STATUS_ERROR_NONE, MBIM_STATUS_ERROR_AUTH_SYNC_FAILURE: return try content(reply)
    default:
      try reply.check()
      // A FUNCTION_ERROR in place of an answer; `check` has thrown it.
      throw ModemError(.badReply, "\(reply.name): the modem's answer has no status")
    }
  }

  private static func content(_ reply: MBIMReply) throws(ModemError) -> AKAAnswer {
    var (res, ik, ck, auts):
      (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?)
    var count: UInt32 = 0
    // The keys stand in this order, which is not a card's.
    try reply.read { mbim_message_auth_aka_response_parse($0, &res, &count, &ik, &ck, &auts, $1) }
    if reply.status == MBIM_STATUS_ERROR_AUTH_SYNC_FAILURE {
      guard let auts = AUTS(UnsafeBufferPointer(start: auts, count: AUTS.count)) else { throw unreadable(reply) }
      return .synchronise(auts)
    }
    // The layout check has refused any other length.
    guard AKAResponse.resCounts.contains(Int(count)),
      let response = AKAResponse(
        res: WipedBytes(UnsafeBufferPointer(start: res, count: Int(count))),
        ck: WipedBytes(UnsafeBufferPointer(start: ck, count: AKAResponse.keyCount)),
        ik: WipedBytes(UnsafeBufferPointer(start: ik, count: AKAResponse.keyCount)))
    else { throw unreadable(reply) }
    return .response(response)
  }

  private static func unreadable(_ reply: MBIMReply) -> ModemError {
    ModemError(.badReply, "\(reply.name): the modem's answer cannot be read", cause: "RES or AUTS has a wrong length")
  }
}
