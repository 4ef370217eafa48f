import ModemModel
import NetworkAddress
import Testing

@testable import QMIBackend

/// Data sessions and their addresses.
extension `A recorded QMI message` {
  @Test(arguments: of(1, 0x20)) func `says why there is no bearer, or that there is one`(recording: Recording)
    async throws
  {
    let error = await modemError {
      try await ask(recording, others: Self.network) { try await $0.connect(BearerRequest(ipType: .ipv4)) }
    }
    guard let refusal = recording.refusal else {
      #expect(error?.code == .badReply)
      return
    }
    // No effect: the client had a session already.
    guard let refusal, refusal != QMIRefusal.noEffect else {
      let isNamed = refusal != nil || recording.field("Packet Data Handle")?.number != nil
      #expect(isNamed ? error == nil : error?.code == .badReply, "\(String(describing: error))")
      return
    }
    #expect(error != nil && error?.code != .badReply, "\(String(describing: error))")
    if Self.expect(error?.networkCause, recording) { #expect(error?.code == .refused) }
  }

  /// Expects 3GPP's number where the modem gave one, else words of its own where it gave a reason;
  /// returns whether it gave one.
  @discardableResult
  private static func expect(_ cause: NetworkCause?, _ recording: Recording) -> Bool {
    let verbose = recording.field("Verbose Call End Reason")
    if verbose?["type"] == "3gpp", let reason = verbose?.number("reason"), 1...255 ~= reason {
      #expect(cause == .session(reason))
      return true
    }
    #expect(cause?.code == nil)
    // The library may have no words for the longer form.
    let reason = recording.field("Call End Reason")?.text
    guard let reason, reason != "generic-unspecified" else { return cause != nil }
    #expect(cause != nil && (verbose != nil || cause?.text == reason))
    return true
  }

  @Test(arguments: of(1, 0x2d)) func `gives a bearer its settings`(recording: Recording) async throws {
    let isIPv6 = recording.field("IP Family")?.text == "ipv6" || recording.field("IPv4 Address") == nil
    let answered = try await answer(recording, others: Self.network) {
      try await $0.connect(BearerRequest(ipType: isIPv6 ? .ipv6 : .ipv4))
    }
    guard let settings = answered else { return }
    let printed = Self.settings(recording)
    #expect(settings.ipv4 == printed.assignments.ipv4)
    #expect(settings.ipv6 == printed.assignments.ipv6)
    #expect(settings.dns == printed.dns)
    let least = printed.assignments.ipv6 == nil ? 576 : 1280
    #expect(settings.mtu == recording.field("MTU")?.number.flatMap { (least...65535).contains($0) ? $0 : nil })
    // What is not given is asked for on the link.
    #expect(settings.onLink.usesDHCP == (!isIPv6 && printed.assignments.ipv4 == nil))
    #expect(settings.onLink.usesAdvertisements == (isIPv6 && printed.assignments.ipv6 == nil))
  }

  /// libqmi prints IPv4 addresses as numbers, and IPv6 ones as eight of them.
  private static func settings(_ recording: Recording) -> PrintedSettings {
    let v4 = { (name: String) in
      recording.field(name)?.number.flatMap { UInt32(exactly: $0) }.map { IPAddress.v4(IPv4Address(number: $0)) }
    }
    let v6 = { (name: String) in
      recording.field(name).flatMap { words in
        IPAddress(bytes: words.elements.compactMap { UInt16($0) }.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
      }
    }
    // A mask with a hole, or none, is none.
    let mask = recording.field("IPv4 Gateway Subnet Mask")?.number.map { UInt32(truncatingIfNeeded: $0) }
    let length = mask.flatMap {
      $0.leadingZeroBitCount == 0 && $0.nonzeroBitCount == (~$0).leadingZeroBitCount ? $0.nonzeroBitCount : nil
    }
    var (ipv4, ipv6) = (PrintedSettings.Family(), PrintedSettings.Family())
    ipv4.addresses = v4("IPv4 Address").map { [($0, length ?? 32)] } ?? []
    ipv4.gateway = mask == nil ? nil : v4("IPv4 Gateway Address")
    ipv4.dns = ["Primary IPv4 DNS Address", "Secondary IPv4 DNS Address"].compactMap(v4)
    ipv6.addresses =
      v6("IPv6 Address").map { [($0, recording.field("IPv6 Address")?.number("prefix_length") ?? 0)] } ?? []
    ipv6.gateway = v6("IPv6 Gateway Address")
    ipv6.dns = ["IPv6 Primary DNS Address", "IPv6 Secondary DNS Address"].compactMap(v6)
    return PrintedSettings(ipv4: ipv4, ipv6: ipv6)
  }

  @Test(arguments: of(1, 0x22, isReply: false))
  func `ends a bearer with its cause, or leaves it`(recording: Recording) async throws {
    let isIPv6 = recording.field("IP Family")?.text == "ipv6"
    let event = try await withQMI {
      [Self.network($0) ?? .usual]
    } _: { backend, modem in
      _ = try await backend.connect(BearerRequest(ipType: isIPv6 ? .ipv6 : .ipv4))
      await modem.say(recording.bytes)
      await modem.indicate(service: 3, message: 0x51)
      var events = backend.events.makeAsyncIterator()
      return await events.next()
    }
    let words = recording.field("Connection Status")
    switch (words?["status"], words?["reconfiguration_required"]) {
    case ("disconnected", _):
      guard case .bearerDropped(let cause) = event else {
        Issue.record("\(String(describing: event)) is not the bearer's end")
        return
      }
      Self.expect(cause, recording)
    case (.some, "yes"): #expect(event == .settingsChanged)
    default: #expect(event == .signalChanged)
    }
  }
}
