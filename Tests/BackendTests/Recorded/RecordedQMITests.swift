import ModemModel
import NetworkAddress
import Testing

@testable import QMIBackend

@Suite(.timeLimit(.minutes(5))) struct `A recorded QMI message` {
  /// Service and number of a frame; nil where it is too short for them.
  private static func subject(_ frame: [UInt8]) -> (service: UInt8, message: UInt16, isReply: Bool)? {
    guard frame.count >= 13 || frame.count >= 12 && frame[4] == 0 else { return nil }
    let place = frame[4] == 0 ? 8 : 9
    return (frame[4], UInt16(frame[place]) | UInt16(frame[place + 1]) << 8, frame[6] == (frame[4] == 0 ? 1 : 2))
  }

  private static func of(_ service: UInt8, _ messages: UInt16..., isReply: Bool = true) -> [Recording] {
    Recording.from(modem: "QMI").filter { recording in
      guard let subject = subject(recording.bytes) else { return false }
      return subject.service == service && messages.contains(subject.message) && subject.isReply == isReply
    }
  }

  /// Asks a backend, whose modem answers with the recording; everything else is as usual, or as given.
  private func ask<Result: Sendable>(
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

  @Test(arguments: of(2, 0x21, 0x22, 0x23, 0x25)) func `tells the device's identity`(recording: Recording) async throws
  {
    let identity = try await ask(recording) { try await $0.identity() }
    #expect(
      identity
        == DeviceIdentity(
          manufacturer: recording.field("Manufacturer"), model: recording.field("Model"),
          firmware: recording.field("Revision"), imei: recording.field("Imei")))
  }

  @Test(arguments: of(3, 0x24)) func `tells the registration`(recording: Recording) async throws {
    let registration = try await ask(recording) { try await $0.registration() }
    Self.expect(registration.state, registration.technology, registration.serving, recording)
  }

  @Test(arguments: of(3, 0x24, isReply: false)) func `reports the registration`(recording: Recording) async throws {
    try await withQMI { _ in
      [.usual]
    } _: { backend, modem in
      await modem.say(recording.bytes)
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .registrationChanged)
      let system = try #require(await backend.lastServingSystem())
      Self.expect(system.state, system.technology, system.state.allowsData ? system.network : nil, recording)
    }
  }

  private static func expect(
    _ state: Registration.State, _ technology: Registration.Technology?, _ network: Network?, _ recording: Recording
  ) {
    switch recording["registration_state"] {
    case "registered": #expect(state == .home)
    case "not-registered-searching": #expect(state == .searching)
    case let other: #expect(other == nil)
    }
    if recording.decoded.contains("radio_interfaces = '{ [0] = 'umts") { #expect(technology == .umts) }
    let plmn = recording["mcc"].flatMap { mcc in recording["mnc"].map { mcc + $0 } }
    #expect(network?.plmn.description == (state.allowsData ? plmn : nil))
    if state.allowsData { #expect(network?.name == recording["description"]) }
  }

  @Test(arguments: of(3, 0x25)) func `tells the home network`(recording: Recording) async throws {
    let status = try await ask(
      recording,
      others: { request in
        switch (request.service, request.message) {
        case (11, 0x2f): .reply(QMIField.ready)
        case (11, 0x20): .refuse(3)
        default: nil
        }
      }, { try await $0.simStatus() })
    let home = try #require(status.home)
    #expect(home.plmn.mcc == recording["mcc"])
    // Printed as a number; another field says that it has three digits.
    #expect(Int(home.plmn.mnc) == recording["mnc"].flatMap { Int($0) })
    #expect((home.plmn.mnc.utf8.count == 3) == (recording["includes_pcs_digit"] == "yes"))
    #expect(home.name == recording["description"])
  }

  @Test(arguments: of(3, 0x20)) func `tells the signal's strength`(recording: Recording) async throws {
    let registration = try await ask(
      recording,
      others: { request in
        (request.service, request.message) == (3, 0x24) ? .reply(QMIField.servingSystem(1, interfaces: [5])) : nil
      }, { try await $0.registration() })
    #expect(registration.rssi == recording["strength"].flatMap { Int($0) })
  }

  @Test(arguments: of(11, 0x2f)) func `tells the card's state`(recording: Recording) async throws {
    let status = try await ask(recording) { try await $0.simStatus() }
    let isAbsent = recording["card_state"] == "absent"
    #expect((status.state == .absent) == isAbsent)
    // The application's state; the personalisation's may read the same.
    if !isAbsent { #expect((status.state == .ready) == recording.decoded.contains("' state = 'ready'")) }
    #expect(status.slot == 1)
  }

  /// A file that is none of the ones asked for is no serial number.
  @Test(arguments: of(11, 0x20)) func `tells the card's serial number`(recording: Recording) async throws {
    let status = try await ask(
      recording,
      others: { request in (request.service, request.message) == (11, 0x2f) ? .reply(QMIField.ready) : nil },
      { try await $0.simStatus() })
    // Behind type and length of the field is the length of the file.
    let start = try #require(recording.bytes.dropFirst(13).firstIndex(of: 0x11)) + 5
    let content = recording.bytes[start..<min(start + Int(recording.bytes[start - 2]), recording.bytes.count)]
    let digits = content.flatMap { [$0 & 0xf, $0 >> 4] }.map(String.init).joined()
    #expect(status.iccid?.revealed == (content.count == 10 ? digits : nil))
  }

  @Test(arguments: of(2, 0x24)) func `tells the number, or that there is none`(recording: Recording) async throws {
    let status = try await ask(
      recording,
      others: { request in
        switch (request.service, request.message) {
        case (11, 0x2f): .reply(QMIField.ready)
        case (11, 0x20): .refuse(3)
        default: nil
        }
      }, { try await $0.simStatus() })
    #expect(status.state == .ready)
    #expect(status.numbers.map(\.revealed) == (recording.field("MSISDN").map { [$0] } ?? []))
  }

  /// A network that starts sessions and gives them addresses.
  private static func network(_ request: ScriptedQMIModem.Request) -> ScriptedQMIModem.Act? {
    switch (request.service, request.message) {
    case (1, 0x4d), (1, 0x21): .reply()
    case (1, 0x20): .reply([1: [4, 0, 0, 0x80]])
    case (1, 0x2d): .reply(QMIField.ipv4)
    default: nil
    }
  }

  @Test(arguments: of(1, 0x20)) func `says why there is no bearer`(recording: Recording) async throws {
    let error = await modemError {
      try await ask(recording, others: Self.network) { try await $0.connect(BearerRequest(ipType: .ipv4)) }
    }
    #expect((error != nil) == recording.isQMIRefusal)
    guard let cause = recording.number("reason", in: "Verbose Call End Reason") else { return }
    #expect(error?.code == .refused)
    #expect(error?.networkCause == .session(cause))
  }

  @Test(arguments: of(1, 0x2d)) func `gives a bearer its settings`(recording: Recording) async throws {
    let settings = try await ask(recording, others: Self.network) {
      try await $0.connect(BearerRequest(ipType: .ipv4))
    }
    // libqmi prints addresses as numbers.
    let address = { (name: String) in
      recording.field(name).flatMap { UInt32($0) }.map { IPv4Address(number: $0).description }
    }
    #expect(settings.ipv4?.prefix.address.description == address("IPv4 Address"))
    #expect(settings.ipv4?.gateway?.description == address("IPv4 Gateway Address"))
    let mask = recording.field("IPv4 Gateway Subnet Mask").flatMap { UInt32($0) }
    #expect(settings.ipv4?.prefix.length == mask?.nonzeroBitCount)
    #expect(
      settings.dns.map(\.description)
        == ["Primary IPv4 DNS Address", "Secondary IPv4 DNS Address"].compactMap { address($0) })
    #expect(settings.mtu == recording.field("MTU").flatMap { Int($0) })
  }

  @Test(arguments: of(1, 0x22, isReply: false)) func `ends a bearer with its cause`(recording: Recording) async throws {
    let event = try await withQMI {
      [Self.network($0) ?? .usual]
    } _: { backend, modem in
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      await modem.say(recording.bytes)
      var events = backend.events.makeAsyncIterator()
      return await events.next()
    }
    #expect(recording["status"] == "disconnected")
    #expect(event == .bearerDropped(recording.number("reason", in: "Verbose Call End Reason").map { .session($0) }))
  }

  @Test(arguments: of(11, 0x32, isReply: false) + of(3, 0x02, isReply: false) + of(0, 0x27, isReply: false))
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

  @Test(arguments: of(0, 0x22)) func `gives out a client id`(recording: Recording) async throws {
    let (service, client) = (recording.bytes[recording.bytes.count - 2], recording.bytes[recording.bytes.count - 1])
    let used = try await withQMI { request in
      let isRecorded = request.service == 0 && request.message == 0x22 && request.fields[1] == [service]
      return [isRecorded ? .raw(recording.bytes) : Self.network(request) ?? .usual]
    } _: { backend, modem in
      _ = try await backend.identity()
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      await modem.stopListening()
      return await modem.requests.reduce(into: Set<UInt8>()) { if $1.service == service { $0.insert($1.client) } }
    }
    #expect(recording["cid"] == "\(client)")
    #expect(used == [client])
  }
}

extension QMIBackend {
  fileprivate func lastServingSystem() -> ServingSystem? { reports.servingSystem.last ?? nil }
}
