import ModemModel

extension QMIBackend {
  public func simStatus() async throws(ModemError) -> SIMStatus {
    var status = try await cardStatus().status
    guard status.state == .ready else { return status }
    status.iccid = try await read(.iccid, "ICCID").flatMap { ICCID(file: $0) }
    status.imsi = try await read(.imsi, "IMSI").flatMap { IMSI(file: $0) }
    status.numbers = try await numbers()
    status.home = try await homeNetwork()
    return status
  }

  /// Asks for the cards and their applications (UIM Get Card Status).
  func cardStatus() async throws(ModemError) -> CardStatus {
    try CardStatus(await ask("card status", QMIRequest(0x2f), to: .uim, within: configuration.limits.query))
  }

  /// Reads a whole file of the SIM (UIM Read Transparent); nil where modem or SIM refuse.
  private func read(_ file: SIMFile, _ name: String) async throws(ModemError) -> [UInt8]? {
    // The session of the application in use, by no name; from the first byte to the last.
    let request = QMIRequest(0x20).with(0x01, [0, 0]).with(0x02, file.field).with(0x03, [0, 0, 0, 0])
    guard let reply = try await askIfKnown(name, request, to: .uim) else { return nil }
    return try reply.read(0x11) { field throws(FieldReader.Short) in try field.bytes(Int(try field.u16())) }
  }

  /// Asks for the subscription's number (DMS Get MSISDN). Many SIMs have none, and say so by NotProvisioned or an empty text.
  private func numbers() async throws(ModemError) -> [PhoneNumber] {
    let number = try await askIfKnown("MSISDN", QMIRequest(0x24), to: .dms)?[0x01].flatMap(text)
    return number.map { [PhoneNumber($0, source: .dms)] } ?? []
  }

  /// Asks for the SIM's own network (NAS Get Home Network); nil where the modem does not say.
  private func homeNetwork() async throws(ModemError) -> Network? {
    guard let reply = try await askIfKnown("home network", QMIRequest(0x25), to: .nas) else { return nil }
    let home = try reply.read(0x01) { field throws(FieldReader.Short) in try NamedNetwork(&field) }
    let digit = try reply.read(0x12) { field throws(FieldReader.Short) in
      (is3GPP: try field.u8() != 0, isIncluded: try field.u8() != 0)
    }
    return home?.network(hasPCSDigit: digit.flatMap { $0.is3GPP ? $0.isIncluded : nil })
  }
}
