import CQMI
import ControlChannel
import ModemModel

extension QMIBackend {
  package func simStatus() async throws(ModemError) -> SIMStatus {
    var status = try await lockStatus()
    if let slot = try await activePhysicalSlot() { status.slot = slot }
    switch status.state {
    case .ready: break
    case .pinRequired, .pukRequired:
      // The serial number can be read without a PIN, and identifies the locked SIM.
      status.iccid = try await iccid()
      return status
    case .unknown, .absent, .initialising, .notActivated, .failed: return status
    }
    status.iccid = try await iccid()
    status.imsi = try await imsi()
    status.numbers = try await numbers()
    let mncLength = try await lengthOfMNC(for: status)
    status.home = HomeNetwork.find(imsi: status.imsi, mncLength: mncLength, told: try await homeNetwork())
    return status
  }

  /// The length of the MNC by the SIM's own file, which is read once for each SIM.
  private func lengthOfMNC(for status: SIMStatus) async throws(ModemError) -> Int? {
    if let known = knownMNCLength.length(for: status) { return known }
    let length = try await ifReadable { () async throws(ModemError) in try await self.mncLengthOfSIM() }
    knownMNCLength.note(length, for: status)
    return length
  }

  /// What prevents the use of the SIM: from UIM, or from DMS on old firmware.
  private func lockStatus() async throws(ModemError) -> SIMStatus {
    if let card = try await cardStatus() { return card.status }
    do throws(ModemError) {
      return try await oldLockStatus()
    } catch {
      // A modem that supports neither: its first answer explains more.
      guard error.code == .notSupported, let refusal = simServiceRefusal else { throw error }
      throw ModemError(refusal, during: "card status")
    }
  }

  /// Asks for the cards and their applications (UIM Get Card Status); nil if the modem does not
  /// support that.
  func cardStatus() async throws(ModemError) -> CardStatus? {
    guard hasSIMService else { return nil }
    let reply = try await send("card status", QMIRequest(0x2f), to: .uim, within: configuration.limits.query)
    if let refusal = try reply.refusal, refusal.isUnknownToFirmware {
      simServiceRefusal = refusal
      return nil
    }
    try reply.check()
    return try CardStatus(reply)
  }

  private func iccid() async throws(ModemError) -> ICCID? {
    switch try await read(.iccid, "ICCID") {
    case .content(let file): return ICCID(file: file)
    case .refused: return nil
    case .unknownCommand: return try await oldText("ICCID", 0x3c).map(ICCID.init)
    }
  }

  private func imsi() async throws(ModemError) -> IMSI? {
    switch try await read(.imsi, "IMSI") {
    case .content(let file): return IMSI(file: file)
    case .refused: return nil
    case .unknownCommand: return try await oldText("IMSI", 0x43).map(IMSI.init)
    }
  }

  /// Asks for the subscription's number (DMS Get MSISDN), and otherwise reads it from the SIM. Many
  /// SIMs have none: the modem then answers NotProvisioned or an empty text.
  private func numbers() async throws(ModemError) -> [PhoneNumber] {
    if let number = try await askIfKnown("MSISDN", QMIRequest(0x24), to: .dms)?[0x01].flatMap(text) {
      return [PhoneNumber(number, source: .dms)]
    }
    let number = try await ifReadable { () async throws(ModemError) in try await self.numberOfSIM() }
    return number.map { [$0] } ?? []
  }

  /// The result of an additional question; nil if its answer cannot be read.
  private func ifReadable<Value>(
    _ ask: () async throws(ModemError) -> Value?
  ) async throws(ModemError) -> Value? {
    do throws(ModemError) {
      return try await ask()
    } catch {
      guard error.code == .badReply else { throw error }
      return nil
    }
  }

  /// Asks for the SIM's own network (NAS Get Home Network); nil if the modem does not report it.
  private func homeNetwork() async throws(ModemError) -> HomeNetwork.Told? {
    guard let reply = try await askIfKnown("home network", QMIRequest(0x25), to: .nas) else { return nil }
    let home = try reply.read(0x01) { field throws(FieldReader.Short) in try NamedNetwork(&field) }
    let digit = try reply.read(0x12) { field throws(FieldReader.Short) in
      (is3GPP: try field.u8() != 0, isIncluded: try field.u8() != 0)
    }
    return home.flatMap { home in
      HomeNetwork.Told(
        mcc: home.mcc, mnc: home.mnc, hasThreeDigits: digit.flatMap { $0.is3GPP ? $0.isIncluded : nil },
        name: home.name)
    }
  }
}
