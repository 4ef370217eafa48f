import CQMI
import ModemModel

extension QMIBackend {
  /// Asks for the modem's default 3GPP profile and its content (WDS Get Default Profile Number, Get
  /// Profile Settings). A modem that does not support the command has no access point.
  package func provisionedAccessPoints() async throws(ModemError) -> [AccessPoint] {
    let opened = try openDevice(for: "default profile")
    let client = try await allocateClient(.wds, in: opened)
    let result: Result<AccessPoint?, ModemError>
    do throws(ModemError) {
      result = .success(try await defaultProfile(as: client, in: opened))
    } catch {
      result = .failure(error)
    }
    await Task { _ = await self.release(client, in: opened, within: self.configuration.limits.query) }.value
    return try result.get().map { [$0] } ?? []
  }

  private func defaultProfile(as client: QMIClient, in opened: OpenDevice) async throws(ModemError) -> AccessPoint? {
    let limit = configuration.limits.query
    // 3GPP, embedded.
    let number = try await send(
      "default profile", QMIRequest(0x49).with(0x01, [0, 0]), as: client, to: opened, in: commands, within: limit)
    guard try number.refusal == nil else { return nil }
    let index = try number.require(0x01) { field throws(FieldReader.Short) in try field.u8() }
    let profile = try await send(
      "profile settings", QMIRequest(0x2b).with(0x01, [0, index]), as: client, to: opened, in: commands, within: limit)
    guard try profile.refusal == nil, let name = profile[0x14].flatMap({ text($0) }) else { return nil }
    let bits = try profile.read(0x1d) { field throws(FieldReader.Short) in try field.u8() } ?? 0
    return AccessPoint(
      name: name, user: profile[0x1b].flatMap { text($0) },
      password: profile[0x1c].flatMap { text($0) }.map(APNPassword.init),
      // 1 PAP, 2 CHAP; a modem that supports both starts with CHAP.
      authentication: bits & 2 != 0 ? .chap : bits & 1 != 0 ? .pap : .none, source: .modem)
  }
}
