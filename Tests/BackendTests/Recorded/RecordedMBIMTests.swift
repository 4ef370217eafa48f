import CMBIM
import ModemModel
import ReplyCheck
import Testing

@testable import MBIMBackend

@Suite(.timeLimit(.minutes(5))) struct `A recorded MBIM message` {
  /// The command that a reply or an indication is about; nil for messages without one.
  static func subject(_ bytes: [UInt8]) -> (service: MBIMServiceID, cid: UInt32, isReply: Bool)? {
    guard bytes.count >= 44, [0x8000_0003, 0x8000_0007].contains(bytes.number(at: 0)) else { return nil }
    return (MBIMServiceID(bytes[20..<36]), bytes.number(at: 36), bytes.number(at: 0) == 0x8000_0003)
  }

  static func of(_ service: MBIMServiceID, _ cids: UInt32..., isReply: Bool = true) -> [Recording] {
    Recording.from(modem: "MBIM").filter { recording in
      guard recording.isWhole, let subject = subject(recording.bytes), !subject.isReply || recording.bytes.count >= 48
      else { return false }
      return subject.service == service && cids.contains(subject.cid) && subject.isReply == isReply
    }
  }

  private static func withoutSubject(_ type: UInt32) -> [Recording] {
    Recording.from(modem: "MBIM").filter { $0.bytes.count >= 16 && $0.bytes.number(at: 0) == type }
  }

  // MARK: The check

  @Test(arguments: Recording.from(modem: "MBIM")) func `is sound or not as it was recorded`(recording: Recording) throws
  {
    guard let subject = Self.subject(recording.bytes) else { return }
    let version = recording.extensions
    guard let frame = try? MBIMFrame(recording.streamed), MBIMReplyCheck.shape(of: frame, version) != nil else {
      return
    }
    // An error without contents is an answer: nobody reads them.
    if case .reply(_, let status) = frame.kind, status != 0, frame.information.isEmpty { return }
    let isSound = (try? MBIMReplyCheck.check(frame, version)) != nil
    #expect(isSound == recording.isReadable, "\(subject)")
  }

  @Test func `is one of many`() {
    guard getenvIsUnset("MODEMD_VECTORS") else { return }
    #expect(Recording.all.count >= 150)
    #expect(Recording.from(modem: "MBIM").filter { Self.subject($0.bytes) != nil }.count >= 50)
  }

  // MARK: Through the backend

  /// Asks a backend, whose modem answers with the recording; everything else is refused or as
  /// given.
  func ask<Result: Sendable>(
    _ recording: Recording, others: [UInt32: [UInt8]] = [:], _ body: (MBIMBackend) async throws -> Result
  ) async throws -> Result {
    let (service, cid, _) = try #require(Self.subject(recording.bytes))
    return try await withMBIM { request in
      if request.service == service.bytes, request.cid == cid { return [.raw(recording.streamed)] }
      return [others[request.cid].map { .reply($0) } ?? .reply(status: 9)]
    } _: { backend, _ in
      try await backend.follow(recording.extensions)
      return try await body(backend)
    }
  }

  /// As `ask`, for a recording that may be a refusal or unreadable: then that is what is expected,
  /// and there is nothing to compare.
  func answer<Result: Sendable>(
    _ recording: Recording, others: [UInt32: [UInt8]] = [:], _ body: (MBIMBackend) async throws -> Result
  ) async throws -> Result? {
    guard recording.isRefusal || !recording.isReadable else { return try await ask(recording, others: others, body) }
    let error = await modemError { try await ask(recording, others: others, body) }
    #expect(error != nil)
    #expect((error?.code == .badReply) == !recording.isRefusal, "\(String(describing: error))")
    return nil
  }

  @Test(arguments: of(.basicConnect, 1) + of(.extensions, 6))
  func `tells the device's identity`(recording: Recording) async throws {
    guard let identity = try await answer(recording, { try await $0.identity() }) else { return }
    #expect(identity.imei == recording["DeviceId"].flatMap { $0.isIMEI ? $0 : nil })
    // The text of a long message may have been cut off.
    guard recording.decoded.hasSuffix("'") else { return }
    #expect(identity.model == recording["HardwareInfo"])
    #expect(identity.firmware == recording["FirmwareInfo"])
  }

  @Test(arguments: of(.basicConnect, 2)) func `tells the subscription`(recording: Recording) async throws {
    let pin: [UInt32: [UInt8]] = [CID.pin: Information.pin(type: 2, state: 1, attempts: 3)]
    guard let status = try await answer(recording, others: pin, { try await $0.simStatus() }) else { return }
    let states: [String: SIMStatus.State] = [
      "initialized": .ready, "device-locked": .pinRequired, "sim-not-inserted": .absent,
      "not-initialized": .initialising, "bad-sim": .failed, "failure": .failed, "not-activated": .notActivated,
      "no-esim-profile": .notActivated,
    ]
    // A number that the library has no word for.
    #expect(status.state == recording["ReadyState"].map { states[$0] ?? .unknown } ?? .unknown)
    #expect(status.imsi?.revealed == recording["SubscriberId"])
    #expect(status.iccid?.revealed == recording["SimIccId"])
    #expect(status.numbers.map(\.revealed) == recording.words.list("TelephoneNumbers"))
  }

  @Test(arguments: of(.basicConnect, 4).filter { !$0.isRefusal })
  func `tells the PIN's state`(recording: Recording) async throws {
    let ready: [UInt32: [UInt8]] = [CID.subscriberReady: Information.subscriberReady(6)]
    guard let status = try await answer(recording, others: ready, { try await $0.simStatus() }) else { return }
    let locks: [String: SIMStatus.State] = ["pin1": .pinRequired, "puk1": .pukRequired]
    let isLocked = recording["PinState"] == "locked"
    #expect(status.state == (isLocked ? recording["PinType"].flatMap { locks[$0] } ?? .failed : .initialising))
    // All ones: the modem does not know.
    let attempts = recording.words.number("RemainingAttempts").flatMap { $0 == Int(UInt32.max) ? nil : $0 }
    #expect(status.retriesLeft == (isLocked ? attempts : nil))
  }

  @Test(arguments: of(.basicConnect, 4).filter(\.isRefusal))
  func `says that the PIN was wrong, or why it was not taken`(recording: Recording) async throws {
    let error = await modemError {
      try await withMBIM { request in
        request.cid != CID.pin
          ? [.reply(status: 9)]
          : request.isSet
            ? [.raw(recording.streamed)] : [.reply(Information.pin(type: 2, state: 1, attempts: 3))]
      } _: { backend, _ in
        try await backend.unlock(with: try #require(PIN("0000")))
      }
    }
    // The library prints nothing of a refusal but its status.
    let (status, contents) = (recording.status, recording.information)
    let isOfTheCode = [MBIM_STATUS_ERROR_FAILURE, MBIM_STATUS_ERROR_PIN_REQUIRED, MBIM_STATUS_ERROR_INVALID_PARAMETERS]
      .contains { $0.rawValue == status }
    guard isOfTheCode, recording.isReadable, contents.count >= 12, contents.number(at: 4) == 1 else {
      #expect(error != nil && error?.code != .wrongPIN && error?.code != .badReply, "\(String(describing: error))")
      return
    }
    #expect(error?.code == .wrongPIN)
    let attempts = contents.number(at: 8)
    // Another code than PIN1 is asked for: no attempt is left.
    #expect(error?.retriesLeft == (contents.number(at: 0) != 2 ? 0 : attempts == .max ? nil : Int(attempts)))
  }

  @Test(arguments: of(.basicConnect, 6)) func `tells the home network`(recording: Recording) async throws {
    let ready: [UInt32: [UInt8]] = [CID.subscriberReady: Information.subscriberReady(1)]
    // A modem may refuse to name it: it is asked for by the way.
    let home =
      recording.isRefusal
      ? try await ask(recording, others: ready) { try await $0.simStatus() }
      : try await answer(recording, others: ready) { try await $0.simStatus() }
    guard let status = home else { return }
    let plmn = recording["ProviderId"].flatMap { PLMN($0) }
    #expect(status.home == plmn.map { Network($0, name: recording["ProviderName"]) })
  }

  @Test(arguments: of(.basicConnect, 9)) func `tells the registration`(recording: Recording) async throws {
    guard let registration = try await answer(recording, { try await $0.registration() }) else { return }
    #expect(registration.state == recording["RegisterState"].flatMap { .init(rawValue: $0) } ?? .unknown)
    // While it searches, a modem may still name the network it left.
    let isServed = registration.state.allowsData
    let plmn = isServed ? recording["ProviderId"].flatMap { PLMN($0) } : nil
    #expect(registration.serving == plmn.map { Network($0, name: recording["ProviderName"]) })
    let classes = isServed ? recording.words.list("AvailableDataClasses") : []
    #expect(registration.technology == Self.best(of: classes, isV3: recording.extensions == .v3))
    // Printed by names of the library's own.
    let cause = Int(recording.information.number(at: 0))
    #expect(registration.cause == (isServed || cause == 0 ? nil : .registration(cause)))
  }

  private static func best(of classes: [String], isV3: Bool) -> Registration.Technology? {
    let has = { (words: String...) in words.contains { classes.contains($0) } }
    if has("5g-sa") { return .nr }
    // MBIMEx 3.0 has one bit for both kinds, and tells them apart with the packet service, which
    // this modem refuses.
    if has("5g-nsa") { return isV3 ? .nr : .nrNonStandalone }
    if has("lte") { return .lte }
    if has("umts", "hsdpa", "hsupa") { return .umts }
    return has("gprs", "edge") ? .gsm : nil
  }

  @Test(arguments: of(.basicConnect, 11).filter { $0.extensions == .none })
  func `tells the signal's strength`(recording: Recording) async throws {
    let registered: [UInt32: [UInt8]] = [CID.registerState: Information.registerState(3)]
    let answered =
      recording.isRefusal
      ? try await ask(recording, others: registered) { try await $0.registration() }
      : try await answer(recording, others: registered) { try await $0.registration() }
    guard let registration = answered else { return }
    #expect(registration.rssi == recording.words.number("Rssi").flatMap { $0 <= 31 ? -113 + 2 * $0 : nil })
  }

  // MARK: Messages without a command

  @Test(arguments: withoutSubject(0x8000_0004))
  func `says that the modem misunderstood, or has forgotten the host`(recording: Recording) async throws {
    let hasForgotten = recording.bytes.number(at: 12) == MBIM_PROTOCOL_ERROR_NOT_OPENED.rawValue
    let (code, event) = try await withMBIM { request in
      request.cid == CID.deviceCaps ? [.raw(recording.streamed)] : [.reply(status: 9)]
    } _: { backend, modem in
      let error = await modemError { try await backend.identity() }
      await modem.indicate(cid: CID.signalState, Information.signal(rssi: 9))
      var events = backend.events.makeAsyncIterator()
      return (error?.code, await events.next())
    }
    // What cannot be read may be lost: then the command has no answer in time.
    let others: [ModemError.Code] = [.badReply, .timeout]
    #expect(hasForgotten ? code == .deviceUnavailable : code.map(others.contains) == true)
    #expect(event == (hasForgotten ? .reset : .signalChanged))
  }

  @Test(arguments: withoutSubject(0x8000_0001))
  func `opens the port or does not`(recording: Recording) async throws {
    let status = recording.bytes.number(at: 12)
    let modem = await ScriptedModem(openStatus: status) { _ in [] }
    let backend = MBIMBackend(MBIMConfiguration(path: modem.path))
    let error = await modemError { try await backend.open() }
    #expect((error == nil) == (status == 0))
    await backend.close()
    await modem.hangUp()
  }
}

extension MBIMBackend {
  /// Takes a version of the extensions for agreed on.
  func follow(_ version: MBIMExtensions) throws {
    mbim_device_set_ms_mbimex_version(try openDevice(for: "test").device.pointer, version.rawValue, 0, nil)
  }
}

extension Recording {
  /// Which of Microsoft's extensions its form is of.
  var extensions: MBIMExtensions { message.contains(" v3") ? .v3 : message.contains(" v2") ? .v2 : .none }

  /// The status of a reply.
  var status: UInt32 { bytes.number(at: 40) }
  var isRefusal: Bool { status != 0 }

  /// The information buffer of a reply or an indication.
  var information: [UInt8] { Array(bytes.dropFirst(bytes.number(at: 0) == 0x8000_0003 ? 48 : 44)) }

  /// The information buffer with another state, which packet service and session both have in their
  /// second field; nil where the recording cannot be read.
  func information(state: UInt32) -> [UInt8]? {
    let information = information
    guard isReadable, information.count >= 8 else { return nil }
    return information[..<4] + [state].bytes + information[8...]
  }
}

extension String {
  /// Fifteen digits that are not all 0, as modems without an IMEI have them.
  var isIMEI: Bool { utf8.count == 15 && allSatisfy { ("0"..."9").contains($0) } && contains { $0 != "0" } }
}
