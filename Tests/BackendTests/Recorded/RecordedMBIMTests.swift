import CMBIM
import ModemModel
import NetworkAddress
import ReplyCheck
import Testing

@testable import MBIMBackend

@Suite(.timeLimit(.minutes(5))) struct `A recorded MBIM message` {
  /// The command that a reply or an indication is about; nil for messages without one.
  private static func subject(_ bytes: [UInt8]) -> (service: MBIMServiceID, cid: UInt32, isReply: Bool)? {
    guard bytes.count >= 44, [0x8000_0003, 0x8000_0007].contains(bytes.number(at: 0)) else { return nil }
    return (MBIMServiceID(bytes[20..<36]), bytes.number(at: 36), bytes.number(at: 0) == 0x8000_0003)
  }

  private static func of(_ service: MBIMServiceID, _ cids: UInt32..., isReply: Bool = true) -> [Recording] {
    Recording.from(modem: "MBIM").filter { recording in
      guard let subject = subject(recording.bytes) else { return false }
      return subject.service == service && cids.contains(subject.cid) && subject.isReply == isReply
    }
  }

  // MARK: The check

  @Test(arguments: Recording.from(modem: "MBIM")) func `is sound or not as it was recorded`(recording: Recording) throws
  {
    guard let subject = Self.subject(recording.bytes) else { return }
    let version: MBIMExtensions = recording.isV3 ? .v3 : .none
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
    #expect(Recording.all.count == 118)
    #expect(Recording.from(modem: "MBIM").filter { Self.subject($0.bytes) != nil }.count >= 40)
  }

  // MARK: Through the backend

  /// Asks a backend, whose modem answers with the recording; everything else is refused or as given.
  private func ask<Result: Sendable>(
    _ recording: Recording, others: [UInt32: [UInt8]] = [:], _ body: (MBIMBackend) async throws -> Result
  ) async throws -> Result {
    let (service, cid, _) = try #require(Self.subject(recording.bytes))
    return try await withMBIM { request in
      if request.service == service.bytes, request.cid == cid { return [.raw(recording.streamed)] }
      return [others[request.cid].map { .reply($0) } ?? .reply(status: 9)]
    } _: { backend, _ in
      if recording.isV3 { try await backend.follow(.v3) }
      return try await body(backend)
    }
  }

  /// As `ask`, for a recording that may be a refusal or unreadable: then that is what is expected, and there is nothing to compare.
  private func answer<Result: Sendable>(
    _ recording: Recording, others: [UInt32: [UInt8]] = [:], _ body: (MBIMBackend) async throws -> Result
  ) async throws -> Result? {
    let isRefusal = recording.bytes.number(at: 40) != 0
    guard isRefusal || !recording.isReadable else { return try await ask(recording, others: others, body) }
    let error = await modemError { try await ask(recording, others: others, body) }
    #expect(error != nil)
    #expect((error?.code == .badReply) == !isRefusal, "\(String(describing: error))")
    return nil
  }

  @Test(arguments: of(.basicConnect, 1) + of(.extensions, 6))
  func `tells the device's identity`(recording: Recording) async throws {
    guard let identity = try await answer(recording, { try await $0.identity() }) else { return }
    #expect(identity.imei == recording["DeviceId"].flatMap { $0.count == 15 ? $0 : nil })
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
    ]
    #expect(status.state == recording["ReadyState"].flatMap { states[$0] })
    #expect(status.imsi?.revealed == recording["SubscriberId"])
    #expect(status.iccid?.revealed == recording["SimIccId"])
    let numbers = recording["TelephoneNumbers"].map { $0.split(separator: ", ").map(String.init) } ?? []
    #expect(status.numbers.map(\.revealed) == numbers)
  }

  @Test(arguments: of(.basicConnect, 4)) func `tells the PIN's state`(recording: Recording) async throws {
    let isRefusal = recording.bytes.number(at: 40) != 0
    let ready: [UInt32: [UInt8]] = [CID.subscriberReady: Information.subscriberReady(6)]
    if isRefusal {
      let attempts = Int(recording.bytes.number(at: 56))
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
      #expect(error?.code == .wrongPIN)
      #expect(error?.retriesLeft == attempts)
      return
    }
    let status = try await ask(recording, others: ready) { try await $0.simStatus() }
    let locks: [String: SIMStatus.State] = ["pin1": .pinRequired, "puk1": .pukRequired]
    let lock = recording["PinType"].flatMap { locks[$0] } ?? .failed
    #expect(status.state == (recording["PinState"] == "locked" ? lock : .initialising))
    if recording["PinState"] != "locked" { return }
    #expect(status.retriesLeft == recording["RemainingAttempts"].flatMap { Int($0) })
  }

  @Test(arguments: of(.basicConnect, 6)) func `tells the home network`(recording: Recording) async throws {
    let ready: [UInt32: [UInt8]] = [CID.subscriberReady: Information.subscriberReady(1)]
    let status = try await ask(recording, others: ready) { try await $0.simStatus() }
    #expect(status.home?.plmn.description == recording["ProviderId"])
    #expect(status.home?.name == recording["ProviderName"])
  }

  @Test(arguments: of(.basicConnect, 9)) func `tells the registration`(recording: Recording) async throws {
    guard let registration = try await answer(recording, { try await $0.registration() }) else { return }
    let words = [
      "home": "home", "roaming": "roaming", "searching": "searching", "denied": "denied",
      "deregistered": "deregistered",
    ]
    #expect(registration.state.rawValue == recording["RegisterState"].flatMap { words[$0] })
    // While it searches, a modem may still name the network it left.
    let isServed = registration.state.allowsData
    #expect(registration.serving?.plmn.description == (isServed ? recording["ProviderId"] : nil))
    if registration.serving != nil { #expect(registration.serving?.name == recording["ProviderName"]) }
    let classes = isServed ? recording["AvailableDataClasses"] ?? "" : ""
    #expect((registration.technology == .lte) == classes.contains("lte"))
    if !classes.contains("lte"), classes.contains("umts") { #expect(registration.technology == .umts) }
  }

  @Test(arguments: of(.basicConnect, 10, isReply: false))
  func `ends the wait for the packet service`(recording: Recording) async throws {
    let error = await modemError {
      try await withMBIM { request in
        !request.isSet
          ? [.reply(Information.packetService(4))]
          : [.reply(Information.packetService(1)), .raw(recording.streamed)]
      } _: { backend, _ in
        try await backend.attach()
      }
    }
    #expect((error == nil) == (recording["PacketServiceState"] == "attached"))
  }

  @Test(arguments: of(.basicConnect, 12)) func `ends the wait for a bearer`(recording: Recording) async throws {
    let addresses = Information.ipConfiguration(ipv4: .init(available: 1, addresses: [(30, [10, 0, 0, 2])]))
    let error = await modemError {
      try await withMBIM { request in
        switch request.cid {
        case CID.connect where request.isSet && request.information.number(at: 4) == 1: [.raw(recording.streamed)]
        case CID.connect: [.reply(status: 16)]
        case CID.ipConfiguration: [.reply(addresses)]
        default: [.reply(status: 9)]
        }
      } _: { backend, _ in
        if recording.isV3 { try await backend.follow(.v3) }
        return try await backend.connect(BearerRequest(ipType: .ipv4))
      }
    }
    let isRefused = recording.bytes.number(at: 40) != 0
    #expect((error == nil) == (recording.isReadable && !isRefused), "\(String(describing: error))")
    if error == nil { #expect(recording["ActivationState"] == "activated") }
    if error != nil { #expect(error?.code == (isRefused ? .failed : .badReply)) }
  }

  @Test(arguments: of(.basicConnect, 12, isReply: false))
  func `ends a bearer with its cause`(recording: Recording) async throws {
    let addresses = Information.ipConfiguration(ipv4: .init(available: 1, addresses: [(30, [10, 0, 0, 2])]))
    let event = try await withMBIM { request in
      switch request.cid {
      case CID.connect: [.reply(Information.connect(request.isSet ? 1 : 3))]
      case CID.ipConfiguration: [.reply(addresses)]
      case CID.signalState: [.raw(recording.streamed), .reply(status: 9)]
      case CID.registerState: [.reply(Information.registerState(3))]
      default: [.reply(status: 9)]
      }
    } _: { backend, _ in
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      _ = try await backend.registration()
      var events = backend.events.makeAsyncIterator()
      return await events.next()
    }
    let cause = recording["NwError"].flatMap { Int($0) } ?? 0
    #expect(recording["ActivationState"] == "deactivated")
    #expect(event == .bearerDropped(cause == 0 ? nil : .session(cause)))
  }

  @Test(arguments: of(.basicConnect, 15)) func `gives a bearer its settings`(recording: Recording) async throws {
    guard let settings = try await answer(recording, { try await $0.queriedSettings() }) else { return }
    let usable = { (text: String?) in
      text.flatMap { IPAddress($0) }.flatMap { $0.isLinkLocal || $0.isUnspecified ? nil : $0.description }
    }
    let v4 = recording.decoded.components(before: "IPv6AddressCount")
    let v6 = recording.decoded.components(after: "IPv6AddressCount")
    #expect(settings.ipv4?.prefix.address.description == usable(Self.text(v4, "IPv4Address")))
    #expect(settings.ipv4?.prefix.length.description == Self.text(v4, "OnLinkPrefixLength"))
    #expect(settings.ipv4?.gateway?.description == usable(recording["IPv4Gateway"]))
    #expect(settings.ipv6?.prefix.address.description == usable(Self.text(v6, "IPv6Address")))
    if settings.ipv6 != nil { #expect(settings.ipv6?.gateway?.description == usable(recording["IPv6Gateway"])) }
    let servers = ["IPv4DnsServer", "IPv6DnsServer"].flatMap {
      recording[$0]?.split(separator: ", ").map(String.init) ?? []
    }
    #expect(settings.dns.map(\.description) == servers)
    let mtu = recording["IPv4Mtu"].flatMap { Int($0) } ?? 0
    #expect(settings.mtu == (mtu == 0 ? nil : mtu))
  }

  /// A field of one element in a printed array.
  private static func text(_ printed: String, _ name: String) -> String? {
    let fields = printed.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    let value = fields.indices.dropLast().first {
      fields[$0].hasSuffix(" \(name) = ") && !fields[$0 + 1].hasPrefix("{")
    }
    return value.map { fields[$0 + 1] }
  }

  @Test(arguments: Recording.from(modem: "MBIM").filter { $0.bytes.number(at: 0) == 0x8000_0004 })
  func `says that the modem has forgotten the host`(recording: Recording) async throws {
    let (code, event) = try await withMBIM { _ in
      [.raw(recording.streamed)]
    } _: { backend, _ in
      let error = await modemError { try await backend.identity() }
      var events = backend.events.makeAsyncIterator()
      return (error?.code, await events.next())
    }
    #expect(code == .deviceUnavailable)
    #expect(event == .reset)
  }

  @Test(arguments: Recording.from(modem: "MBIM").filter { $0.bytes.number(at: 0) == 0x8000_0001 })
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

extension String {
  fileprivate func components(before text: String) -> String {
    String(self[..<(ranges(of: text).first?.lowerBound ?? endIndex)])
  }
  fileprivate func components(after text: String) -> String {
    String(self[(ranges(of: text).first?.upperBound ?? endIndex)...])
  }
}
