/// The indications that the host requested with MBIM_CID_DEVICE_SERVICE_SUBSCRIBE_LIST (MBIM 1.0,
/// 10.5.30).
struct EventSubscriptions: Hashable, Sendable {
  /// CIDs by service; nil until the host sets a list: then every standard event is indicated. An
  /// empty set means all.
  private(set) var cids: [MBIMService: Set<UInt32>]?

  init() {}

  /// Reads the list that the host sets; nil when it is malformed.
  init?(_ body: [UInt8]) {
    var reader = InformationReader(body)
    guard let count = reader.u32(), count <= 64 else { return nil }
    var lists: [MBIMService: Set<UInt32>] = [:]
    for _ in 0..<count {
      guard let entry = reader.bytes() else { return nil }
      var fields = ByteReader(entry)
      guard let service = fields.take(16), let cidCount = fields.u32(), cidCount <= 256 else { return nil }
      var list: Set<UInt32> = []
      for _ in 0..<cidCount {
        guard let cid = fields.u32() else { return nil }
        list.insert(cid)
      }
      lists[MBIMService(service)] = list
    }
    cids = lists
  }

  func contains(_ indication: MBIMIndication) -> Bool {
    guard let cids else { return true }
    guard let list = cids[indication.service] else { return false }
    return list.isEmpty || list.contains(indication.cid)
  }
}

/// How often and how finely the host wants the signal reported (MBIM 1.0, 10.5.14).
struct SignalReporting: Hashable, Sendable {
  var interval: UInt32 = 30
  var rssiThreshold: UInt32 = 1
  var errorRateThreshold: UInt32 = 0xffff_ffff
}
