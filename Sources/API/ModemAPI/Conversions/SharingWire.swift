import ModemModel

/// How a modem is shared, on both interfaces.
extension PortInterface.Sharing {
  init(_ sharing: Sharing) {
    self.init(
      way: Way(rawValue: sharing.way.rawValue) ?? .own, reason: sharing.reason, session: sharing.session,
      manager: sharing.manager,
      managerState: sharing.managerState.flatMap { ManagerState(rawValue: $0.rawValue) },
      passedOver: sharing.passedOver)
  }
}

extension ModemInterface.Sharing {
  init(_ sharing: Sharing) {
    self.init(
      way: Way(rawValue: sharing.way.rawValue) ?? .own, reason: sharing.reason, session: sharing.session,
      manager: sharing.manager,
      managerState: sharing.managerState.flatMap { ManagerState(rawValue: $0.rawValue) },
      passedOver: sharing.passedOver)
  }
}

extension Sharing {
  /// Reads org.modemd.Port's. Throws `ConversionError` for what the model cannot hold.
  init(_ wire: PortInterface.Sharing) throws {
    self.init(
      way: try SharingWay(word: wire.way, "sharing.way"), reason: wire.reason, session: wire.session,
      manager: wire.manager,
      managerState: try wire.managerState.map { try ManagerState(word: $0, "sharing.managerState") },
      passedOver: wire.passedOver)
  }
}
