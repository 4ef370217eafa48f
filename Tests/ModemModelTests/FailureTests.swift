import ModemModel
import Testing

@Suite struct `An error of a modem` {
  @Test func `says its cause behind its message`() {
    #expect(ModemError(.busy, "connect: try again").description == "connect: try again")
    #expect(ModemError(.failed, "connect: failed", cause: "no memory").description == "connect: failed: no memory")
  }

  /// The words that stand on the wire.
  @Test(
    arguments: [
      (.deviceUnavailable, "deviceUnavailable"), (.removed, "removed"), (.timeout, "timeout"),
      (.cancelled, "cancelled"), (.notSupported, "notSupported"), (.simAbsent, "simAbsent"), (.simLocked, "simLocked"),
      (.simNotReady, "simNotReady"), (.wrongPIN, "wrongPIN"), (.lastAttempt, "lastAttempt"),
      (.pinNotRequired, "pinNotRequired"), (.notRegistered, "notRegistered"), (.refused, "refused"),
      (.noSession, "noSession"), (.noAddress, "noAddress"), (.notConnected, "notConnected"), (.busy, "busy"),
      (.badReply, "badReply"), (.failed, "failed"), (.networking, "networking"), (.inUse, "inUse"),
      (.noSuchSlot, "noSuchSlot"),
    ] as [(ModemError.Code, String)])
  func `has a code with a word of its own`(code: ModemError.Code, word: String) { #expect(code.description == word) }

  @Test func `about a session names it, what the modem said, and what to change`() {
    let error = ModemError.noSession(3, during: "connect", "MBIM status 13")
    #expect(error.code == .noSession)
    for words in ["connect:", "session 3", "MBIM status 13", "`bearer.session`", "`sharing`"] {
      #expect(error.message.contains(words), "\(words)")
    }
  }

  @Test(arguments: [true, false]) func `about a proxy says what can be done as this user`(isRoot: Bool) {
    let error = ModemError.notOpened(
      .timeout, through: "qmi-proxy", device: "/dev/cdc-wdm0", "no answer in time", isRoot: isRoot)
    #expect(error.code == .timeout && error.message == "open /dev/cdc-wdm0 through qmi-proxy: no answer in time")
    #expect(error.cause?.contains("systemctl status modemd-qmi-proxy") == isRoot)
    #expect(error.cause?.contains("run as root") == !isRoot)
  }
}

@Suite struct `A network's cause` {
  @Test(
    arguments: [
      (.registration(11), "PLMN not allowed (cause 11)"),
      (.registration(15), "no suitable cells in tracking area (cause 15)"),
      (.registration(200), "mobility management cause 200 (cause 200)"),
      (.session(27), "missing or unknown access point name (cause 27)"),
      (.session(250), "session management cause 250 (cause 250)"),
      (NetworkCause(code: nil, text: "internal"), "internal"),
    ] as [(NetworkCause, String)])
  func `is told in words, with its number where it has one`(cause: NetworkCause, text: String) {
    #expect(cause.description == text)
  }

  @Test func `of one number is another for a session than for a registration`() {
    #expect(NetworkCause.session(8).text != NetworkCause.registration(8).text)
  }

  @Test func `that stays is not one that another access point may cure, unless it is about that`() {
    // 50 and 51 say that one family was given: nothing that a name changes.
    for code in [50, 51, 28, 95] {
      #expect(NetworkCause.session(code).isLasting && !NetworkCause.session(code).isAboutAccessPoint)
    }
    for code in [27, 33, 66] {
      #expect(NetworkCause.session(code).isLasting && NetworkCause.session(code).isAboutAccessPoint)
    }
    for code in [26, 36, 38, 39] { #expect(!NetworkCause.session(code).isLasting) }
    // Without a number nobody knows: another name is worth a try, and so is the same one later.
    let words = NetworkCause(code: nil, text: "internal error")
    #expect(!words.isLasting && words.isAboutAccessPoint)
  }
}
