import ModemModel
import NetworkAddress
import ReplyCheck
import Testing

@testable import MBIMBackend

/// The packet service, sessions and their addresses.
extension `A recorded MBIM message` {
  private static let addresses = Information.ipConfiguration(
    ipv4: .init(available: 1, addresses: [(30, [10, 0, 0, 2])]))

  @Test(arguments: of(.basicConnect, 10, isReply: false))
  func `ends the wait for the packet service, or does not`(recording: Recording) async throws {
    let service = { @Sendable (state: UInt32) in recording.information(state: state) ?? Information.packetService(state)
    }
    let state = recording.isReadable ? recording["PacketServiceState"] : nil
    let isEnd = state.map { $0 != "attaching" && $0 != "detaching" } ?? false
    let error = await modemError {
      try await withMBIM { request in
        switch (request.cid, request.isSet) {
        case (CID.packetService, false): [.reply(service(4))]
        case (CID.packetService, true):
          [.reply(service(1)), .raw(recording.streamed)]
            + (isEnd ? [] : [.indicate(cid: CID.packetService, service(2))])
        default: [.reply(status: 9)]
        }
      } _: { backend, _ in
        try await backend.follow(recording.isReadable ? recording.extensions : .none)
        try await backend.attach()
      }
    }
    let isAttached = !isEnd || state == "attached"
    #expect((error == nil) == isAttached, "\(String(describing: error))")
    if isAttached { return }
    let cause = recording.words.number("NwError") ?? 0
    #expect(error?.code == .refused)
    #expect(error?.networkCause == (cause == 0 ? nil : .registration(cause)))
  }

  /// The number of the session that a recording is about.
  private func session(of recording: Recording) -> UInt32 {
    recording.isReadable && recording.information.count >= 4 ? recording.information.number(at: 0) : 0
  }

  @Test(arguments: of(.basicConnect, 12)) func `ends the wait for a bearer`(recording: Recording) async throws {
    let state = recording["ActivationState"]
    let goesOn: [UInt8]? = ["activating", "deactivating"].contains(state) ? recording.information(state: 1) : nil
    let error = await modemError {
      try await withMBIM(session: session(of: recording)) { request in
        switch request.cid {
        case CID.connect where request.isSet && request.information.number(at: 4) == 1:
          [.raw(recording.streamed)] + (goesOn.map { [.indicate(cid: CID.connect, $0)] } ?? [])
        case CID.connect: [.reply(status: 16)]
        case CID.ipConfiguration: [.reply(Self.addresses)]
        default: [.reply(status: 9)]
        }
      } _: { backend, _ in
        try await backend.follow(recording.extensions)
        return try await backend.connect(BearerRequest(ipType: .ipv4))
      }
    }
    guard recording.isReadable || recording.isRefusal else {
      #expect(error?.code == .badReply)
      return
    }
    // The library prints nothing of a refusal but its status.
    let contents = recording.information
    let cause = recording.isReadable && contents.count >= 36 ? Int(contents.number(at: 32)) : 0
    let isUp = !recording.isRefusal && (state == "activated" || goesOn != nil)
    #expect((error == nil) == isUp, "\(String(describing: error))")
    if isUp { return }
    #expect(error?.code != .badReply)
    // A refusal without a cause of the network's is told by its status.
    if cause != 0 || !recording.isRefusal { #expect(error?.code == .refused) }
    #expect(error?.networkCause == (cause == 0 ? nil : .session(cause)))
  }

  @Test(arguments: of(.basicConnect, 12, isReply: false))
  func `ends a bearer with its cause, or leaves it`(recording: Recording) async throws {
    let connect = { @Sendable (state: UInt32) in recording.information(state: state) ?? Information.connect(state) }
    let event = try await withMBIM(session: session(of: recording)) { request in
      switch request.cid {
      case CID.connect: [.reply(connect(request.isSet ? 1 : 3))]
      case CID.ipConfiguration: [.reply(Self.addresses)]
      default: [.reply(status: 9)]
      }
    } _: { backend, modem in
      try await backend.follow(recording.isReadable ? recording.extensions : .none)
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      await modem.say(recording.streamed)
      await modem.indicate(cid: CID.signalState, Information.signal(rssi: 9))
      var events = backend.events.makeAsyncIterator()
      return await events.next()
    }
    let cause = recording.words.number("NwError") ?? 0
    let isEnd = recording.isReadable && recording["ActivationState"] == "deactivated"
    #expect(event == (isEnd ? .bearerDropped(cause == 0 ? nil : .session(cause)) : .signalChanged))
  }

  @Test(arguments: of(.basicConnect, 15)) func `gives a bearer its settings`(recording: Recording) async throws {
    guard let settings = try await answer(recording, { try await $0.queriedSettings() }) else { return }
    let printed = Self.settings(recording.words)
    #expect(settings.ipv4 == printed.assignments.ipv4)
    #expect(settings.ipv6 == printed.assignments.ipv6)
    #expect(settings.dns == printed.dns)
    #expect(settings.mtu == printed.mtu)
    // What is not given is asked for on the link.
    #expect(settings.onLink.usesDHCP == (printed.assignments.ipv4 == nil))
    #expect(settings.onLink.usesAdvertisements == (printed.assignments.ipv6 == nil))
  }

  /// What the modem calls available; anything else may be a leftover.
  private static func settings(_ words: PrintedWords) -> PrintedSettings {
    let addresses4 = words.from("IPv4Address")?.before("IPv6AddressCount")
    let addresses6 = words.from("IPv6Address")?.before("IPv4Gateway")
    return PrintedSettings(ipv4: family("IPv4", words, addresses4), ipv6: family("IPv6", words, addresses6))
  }

  private static func family(_ name: String, _ words: PrintedWords, _ array: PrintedWords?) -> PrintedSettings.Family {
    let available = words.list("\(name)ConfigurationAvailable")
    var family = PrintedSettings.Family()
    if available.contains("address") {
      family.addresses = (array?.parts(behind: "{ OnLinkPrefixLength") ?? []).compactMap { element in
        // The name of the prefix length was cut off with the place where the element begins.
        let length = Int(element.printed.drop { !$0.isNumber }.prefix { $0.isNumber })
        return element["\(name)Address"].flatMap { IPAddress($0) }.map { ($0, length ?? 0) }
      }
    }
    if available.contains("gateway") { family.gateway = words["\(name)Gateway"].flatMap { IPAddress($0) } }
    if available.contains("dns") { family.dns = words.list("\(name)DnsServer").compactMap { IPAddress($0) } }
    if available.contains("mtu") { family.mtu = words.number("\(name)Mtu") }
    return family
  }
}
