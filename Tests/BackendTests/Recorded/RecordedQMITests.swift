import ModemModel
import NetworkAddress
import Testing

@testable import QMIBackend

@Suite(.timeLimit(.minutes(5))) struct `A recorded QMI message` {
  /// Service and number of a frame; nil where it is too short for them.
  static func subject(_ frame: [UInt8]) -> (service: UInt8, message: UInt16, isReply: Bool)? {
    guard frame.count >= 13 || frame.count >= 12 && frame[4] == 0 else { return nil }
    let place = frame[4] == 0 ? 8 : 9
    return (frame[4], UInt16(frame[place]) | UInt16(frame[place + 1]) << 8, frame[6] == (frame[4] == 0 ? 1 : 2))
  }

  static func of(_ service: UInt8, _ messages: UInt16..., isReply: Bool = true) -> [Recording] {
    Recording.from(modem: "QMI").filter { recording in
      guard recording.isWhole, let subject = subject(recording.bytes) else { return false }
      return subject.service == service && messages.contains(subject.message) && subject.isReply == isReply
    }
  }

  /// Asks a backend, whose modem answers with the recording; everything else is as usual, or as
  /// given.
  func ask<Result: Sendable>(
    _ recording: Recording,
    others: @escaping @Sendable (ScriptedQMIModem.Request) -> ScriptedQMIModem.Act? = { _ in nil },
    _ body: (QMIBackend) async throws -> Result
  ) async throws -> Result {
    let (service, message, _) = try #require(Self.subject(recording.bytes))
    return try await withQMI { request in
      if request.service == service, request.message == message { return [.raw(recording.bytes)] }
      return [others(request) ?? .usual]
    } _: { backend, _ in
      try await body(backend)
    }
  }

  /// As `ask`, for a recording that may be a refusal, or say nothing of its result, or be
  /// unreadable: then that is what is expected, and there is nothing to compare.
  ///
  /// - Parameter needsAnswer: whether a refusal is an error. What is asked for by the way may be
  ///   refused: then nothing is told.
  func answer<Result: Sendable>(
    _ recording: Recording, needsAnswer: Bool = true,
    others: @escaping @Sendable (ScriptedQMIModem.Request) -> ScriptedQMIModem.Act? = { _ in nil },
    _ body: (QMIBackend) async throws -> Result
  ) async throws -> Result? {
    var result: Result?
    let error = await modemError { result = try await ask(recording, others: others, body) }
    switch recording.refusal {
    case .some(nil) where recording.isReadable: #expect(error == nil)
    // Its field may be one that nobody reads.
    case .some(nil): #expect(error == nil || error?.code == .badReply, "\(String(describing: error))")
    // Whatever comes behind it has no client.
    case .some(QMIRefusal.invalidClient): #expect(error == nil || error?.code == .deviceUnavailable)
    case .some where needsAnswer: #expect(error != nil && error?.code != .badReply, "\(String(describing: error))")
    case .some: #expect(error == nil)
    case nil: #expect(error?.code == .badReply)
    }
    return error == nil ? result : nil
  }

  // MARK: The device

  @Test(arguments: of(2, 0x21, 0x22, 0x23, 0x25)) func `tells the device's identity`(recording: Recording) async throws
  {
    guard let identity = try await answer(recording, needsAnswer: false, { try await $0.identity() }) else { return }
    #expect(
      identity
        == DeviceIdentity(
          manufacturer: recording.answered("Manufacturer")?.text, model: recording.answered("Model")?.text,
          firmware: recording.answered("Revision")?.text,
          imei: recording.answered("Imei")?.text.flatMap { $0.isIMEI ? $0 : nil }))
  }

  // MARK: The network

  @Test(arguments: of(3, 0x24)) func `tells the registration`(recording: Recording) async throws {
    guard let registration = try await answer(recording, { try await $0.registration() }) else { return }
    let isServed = registration.state.allowsData
    #expect(registration.state == Self.state(recording))
    #expect(registration.technology == (isServed ? Self.technology(recording) : nil))
    // While it searches, a modem may still name the network it left.
    #expect(registration.serving == (isServed ? Self.network(recording) : nil))
  }

  @Test(arguments: of(3, 0x24, isReply: false)) func `reports the registration`(recording: Recording) async throws {
    try await withQMI { _ in
      [.usual]
    } _: { backend, modem in
      await modem.say(recording.bytes)
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .registrationChanged)
      // One without its first field says that something changed, and no more.
      guard recording.isReadable, let words = recording.field("Serving System") else { return }
      let system = try #require(await backend.lastServingSystem())
      #expect(system.state == Self.state(recording))
      #expect(system.isAttached == (words["ps_attach_state"] == "attached"))
      #expect(system.technology == Self.technology(recording))
      #expect(system.network == Self.network(recording))
    }
  }

  private static func state(_ recording: Recording) -> Registration.State {
    switch recording.field("Serving System")?["registration_state"] {
    case "registered": recording.field("Roaming Indicator")?.text == "on" ? .roaming : .home
    case "not-registered": .deregistered
    case "not-registered-searching": .searching
    case "registration-denied": .denied
    default: .unknown
    }
  }

  private static func technology(_ recording: Recording) -> Registration.Technology? {
    let interfaces = recording.field("Serving System")?.from("radio_interfaces")?.elements ?? []
    if interfaces.contains("5gnr") { return interfaces.contains("lte") ? .nrNonStandalone : .nr }
    let words: [(String, Registration.Technology)] = [
      ("lte", .lte), ("umts", .umts), ("td-scdma", .umts), ("gsm", .gsm),
    ]
    return words.first { interfaces.contains($0.0) }?.1
  }

  private static func network(_ recording: Recording) -> Network? {
    guard let words = recording.field("Current PLMN") else { return nil }
    let digit = recording.field("MNC PCS Digit Include Status")
    let isAboutIt = digit?["mcc"] == words["mcc"] && digit?["mnc"] == words["mnc"]
    guard let told = told(words, digit: isAboutIt ? digit?["includes_pcs_digit"] : nil) else { return nil }
    return (told.settled() ?? told.candidates.first).map { Network($0, name: words["description"]) }
  }

  /// A network's codes are printed as numbers; another field says whether the MNC has three digits.
  private static func told(_ words: PrintedWords, digit: String?) -> HomeNetwork.Told? {
    guard let mcc = words.number("mcc").flatMap(UInt16.init), let mnc = words.number("mnc").flatMap(UInt16.init) else {
      return nil
    }
    return HomeNetwork.Told(mcc: mcc, mnc: mnc, hasThreeDigits: digit.map { $0 == "yes" }, name: words["description"])
  }

  @Test(arguments: of(3, 0x25)) func `tells the home network`(recording: Recording) async throws {
    let answered = try await answer(recording, needsAnswer: false, others: Self.cardWithoutFiles) {
      try await $0.simStatus()
    }
    guard let status = answered else { return }
    let digit = recording.answered("Home Network 3GPP MNC")
    let told = recording.answered("Home Network").flatMap {
      Self.told($0, digit: digit?["is_3gpp"] == "yes" ? digit?["includes_pcs_digit"] : nil)
    }
    #expect(status.home == told.flatMap { told in told.settled().map { Network($0, name: told.name) } })
  }

  @Test(arguments: of(3, 0x20, 0x4f)) func `tells the signal's strength`(recording: Recording) async throws {
    let registered: @Sendable (ScriptedQMIModem.Request) -> ScriptedQMIModem.Act? = { request in
      (request.service, request.message) == (3, 0x24) ? .reply(QMIField.servingSystem(1, interfaces: [8])) : nil
    }
    let answered = try await answer(recording, needsAnswer: false, others: registered) { try await $0.registration() }
    guard let registration = answered else { return }
    let old = recording.answered("Signal Strength").flatMap {
      $0["radio_interface"] == "none" ? nil : $0.number("strength")
    }
    let strength = recording.answered("LTE Signal Strength")?.number("rssi") ?? old
    // What is no strength, and the ends of the scale that all protocols share.
    #expect(registration.rssi == strength.flatMap { -125..<0 ~= $0 ? min(max($0, -113), -51) : nil })
    let cell = recording.answered("LTE Signal Strength")
    let (rsrp, rsrq, tenths) = (cell?.number("rsrp"), cell?.number("rsrq"), cell?.number("snr"))
    #expect(
      registration.referenceSignal
        == ReferenceSignal(
          rsrp: rsrp.map(Double.init), rsrq: rsrq.map(Double.init), sinr: tenths.map { Double($0) / 10 }))
  }

  // MARK: Events

  @Test(
    arguments: of(11, 0x32, 0x48, isReply: false) + of(3, 0x02, 0x51, isReply: false) + of(0, 0x27, isReply: false))
  func `is an event`(recording: Recording) async throws {
    let events: [UInt8: ModemEvent] = [11: .simChanged, 3: .signalChanged, 0: .reset]
    let event = try await withQMI { _ in
      [.usual]
    } _: { backend, modem in
      await modem.say(recording.bytes)
      var events = backend.events.makeAsyncIterator()
      return await events.next()
    }
    #expect(event == events[recording.bytes[4]])
  }

  // MARK: Client ids

  @Test(arguments: of(0, 0x22)) func `gives out a client id`(recording: Recording) async throws {
    let modem = await ScriptedQMIModem { request in
      let isAsked = request.service == 0 && request.message == 0x22
      // A refusal does not say for which service; one of wireless data comes late enough to have an
      // open port.
      let service = recording.fields[1]?.first ?? 1
      return [isAsked && request.fields[1] == [service] ? .raw(recording.bytes) : Self.network(request) ?? .usual]
    }
    let backend = QMIBackend(QMIConfiguration(path: modem.path, limits: .init(query: .seconds(20))))
    // Each service that the backend uses is used by one of these.
    let errors = [
      await modemError { try await backend.open() }, await modemError { try await backend.identity() },
      await modemError { try await backend.registration() }, await modemError { try await backend.simStatus() },
      await modemError { try await backend.negotiateLinkFormat() },
      await modemError { try await backend.connect(BearerRequest(ipType: .ipv4)) },
      await modemError { try await backend.startMessages() },
    ]
    await backend.close()
    await modem.hangUp()
    await modem.stopListening()
    guard let given = recording.fields[1], given.count == 2, recording.refusal == .some(nil) else {
      #expect(errors[5] != nil, "connected without a client id")
      return
    }
    #expect(recording.field("Allocation Info")?.number("cid") == Int(given[1]))
    let used = await modem.requests.reduce(into: Set<UInt8>()) { if $1.service == given[0] { $0.insert($1.client) } }
    let isUsable = QMIService(rawValue: given[0]) != nil && given[0] != 0 && 1...254 ~= given[1]
    #expect(used == (isUsable ? [given[1]] : []), "\(errors)")
  }

  /// A network that starts sessions and gives them addresses.
  static func network(_ request: ScriptedQMIModem.Request) -> ScriptedQMIModem.Act? {
    switch (request.service, request.message) {
    case (1, 0x4d), (1, 0x21): .reply()
    case (1, 0x20): .reply([1: [4, 0, 0, 0x80]])
    case (1, 0x2d): .reply(QMIField.ipv4)
    default: nil
    }
  }

  /// A card that is ready, and lets nothing be read.
  static func cardWithoutFiles(_ request: ScriptedQMIModem.Request) -> ScriptedQMIModem.Act? {
    switch (request.service, request.message) {
    case (11, 0x2f): .reply(QMIField.ready)
    case (11, 0x20): .refuse(3)
    default: nil
    }
  }
}

/// Errors of the result's field that have a meaning of their own here.
enum QMIRefusal {
  static let invalidClient: UInt16? = 7
  static let noEffect: UInt16? = 26
  static let outOfCall: UInt16? = 15
}

extension QMIBackend {
  fileprivate func lastServingSystem() -> ServingSystem? { reports.servingSystem.last ?? nil }
}

extension Recording {
  /// The TLVs of a QMI frame, as far as they are whole.
  var fields: [UInt8: [UInt8]] {
    let bytes = bytes
    var (fields, place) = ([UInt8: [UInt8]](), bytes[4] == 0 ? 12 : 13)
    while place + 3 <= bytes.count {
      let end = place + 3 + Int(bytes[place + 1]) + Int(bytes[place + 2]) << 8
      guard end <= bytes.count else { break }
      fields[bytes[place]] = Array(bytes[place + 3..<end])
      place = end
    }
    return fields
  }

  /// A TLV of a reply that is no refusal: of one nothing is taken, whatever stands in it.
  func answered(_ name: String) -> PrintedWords? { refusal == .some(nil) ? field(name) : nil }

  /// The error of a reply; nil within where it has none, and nil where it has no result.
  var refusal: UInt16?? {
    guard let result = fields[2], result.count >= 4 else { return nil }
    return .some(result[0] == 0 && result[1] == 0 ? nil : UInt16(result[2]) | UInt16(result[3]) << 8)
  }
}
