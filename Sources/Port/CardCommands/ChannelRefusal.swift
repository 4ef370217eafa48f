import ModemModel

extension ModemError {
  /// Why a card gave no channel to its USIM (ETSI TS 102 221, 11.1.17 and 11.1.1). `badReply` for
  /// status words that say nothing about it.
  ///
  /// - Parameters:
  ///   - words: of MANAGE CHANNEL or of SELECT.
  ///   - name: what was asked.
  package init(noChannel words: StatusWords, during name: String) {
    let (code, text): (Code, String) =
      switch (words.first, words.second) {
      case (0x6a, 0x82), (0x6a, 0x83): (.notSupported, "the SIM has no USIM")
      case (0x6a, 0x81), (0x6a, 0x84): (.simNotReady, "the SIM has no free channel; try again")
      case (0x68, 0x81), (0x6d, _), (0x6e, _): (.notSupported, "the SIM has no channels")
      case (0x69, 0x82): (.simLocked, "the SIM is locked; enter its PIN")
      case (0x69, 0x83): (.simLocked, "the PIN is blocked; the SIM asks for its PUK")
      case (0x69, 0x85), (0x69, 0x99), (0x62, 0x83):
        (.simNotReady, "the SIM's application is not ready; check that its PIN is entered, then try again")
      case (0x93, 0x00): (.simNotReady, "the SIM is busy; try again")
      default: (.badReply, "the SIM gave no channel, and does not say why")
      }
    self.init(code, "\(name): \(text) (status words \(words))")
  }
}
