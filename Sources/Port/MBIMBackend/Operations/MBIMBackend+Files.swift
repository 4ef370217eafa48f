import CMBIM
import CardCommands
import GLibBridge
import ModemModel
import ReplyCheck

/// The SIM's files through Microsoft's UICC low level access, if the modem lists it.
extension MBIMBackend {
  private enum Command {
    static let applicationList = MBIMFrame.Subject(.uicc, 7)
    static let fileStatus = MBIMFrame.Subject(.uicc, 8)
    static let readBinary = MBIMFrame.Subject(.uicc, 9)
    static let readRecord = MBIMFrame.Subject(.uicc, 10)
  }

  /// Whether the modem lists all of these commands, for additional questions. Its list is requested
  /// once per opening of the port; a modem that refuses lists nothing.
  func lists(_ commands: MBIMFrame.Subject...) async throws(ModemError) -> Bool {
    guard !sparesQuestions else { return false }
    if services == nil { services = .some(try await listedServices()) }
    guard case .some(.some(let services)) = services else { return false }
    return commands.allSatisfy { services.contains($0) }
  }

  /// The modem's list for what a caller waits for: requested again if an earlier request gave none.
  func serviceList() async throws(ModemError) -> ServiceList? {
    if case .some(.some(let services)) = services { return services }
    let listed = try await listedServices()
    services = .some(listed)
    return listed
  }

  private func listedServices() async throws(ModemError) -> ServiceList? {
    do throws(ModemError) {
      let reply = try await send("device services", within: configuration.limits.query) { _, error in
        mbim_message_device_services_query_new(error)
      }
      return reply.status == MBIM_STATUS_ERROR_NONE ? try ServiceList(reply) : nil
    } catch {
      guard error.code == .timeout || error.code == .badReply else { throw error }
      return nil
    }
  }

  /// The result of an additional question to the modem; nil if its answer cannot be read or does
  /// not come. No further additional questions are asked then.
  func ifUsable<Value>(
    _ ask: () async throws(ModemError) -> Value?
  ) async throws(ModemError) -> Value? {
    do throws(ModemError) {
      return try await ask()
    } catch {
      guard error.code == .timeout || error.code == .badReply else { throw error }
      sparesQuestions = true
      return nil
    }
  }

  /// The length of the MNC from EF_AD; nil if the modem or SIM does not give it.
  func mncLengthOfSIM() async throws(ModemError) -> Int? {
    guard try await lists(Command.applicationList, Command.readBinary),
      let application = try await activeApplication()
    else { return nil }
    let file = try await read(0x6fad, of: application, "EF_AD")
    return file.flatMap { HomeNetwork.mncLength(administrativeData: $0) }
  }

  /// EF_GID1; nil if the modem or SIM does not give it, or if it is empty.
  package func groupIdentifier() async throws(ModemError) -> [UInt8]? {
    let needed = [Command.applicationList, Command.readBinary]
    guard let services = try await serviceList(), needed.allSatisfy(services.contains),
      let application = try await activeApplication()
    else { return nil }
    return try await read(0x6f3e, of: application, "EF_GID1").flatMap { GroupIdentifier.bytes(in: $0) }
  }

  /// A file of an application (MBIM_CID_MS_UICC_READ_BINARY); nil if the modem or SIM does not give
  /// it.
  private func read(
    _ file: UInt16, of application: [UInt8], _ name: String
  ) async throws(ModemError) -> [UInt8]? {
    let path: [UInt8] = [0x7f, 0xff, UInt8(file >> 8), UInt8(file & 0xff)]
    let reply = try await send(name, within: configuration.limits.query) { _, error in
      mbim_message_ms_uicc_low_level_access_read_binary_query_new(
        1, guint32(application.count), application, guint32(path.count), path, 0, 0, nil, 0, nil, error)
    }
    return reply.status == MBIM_STATUS_ERROR_NONE ? try UICCReply.file(reply) : nil
  }

  /// Record 1 of EF_MSISDN; nil if the modem or SIM does not give it, or if it is empty.
  func numberOfSIM() async throws(ModemError) -> PhoneNumber? {
    guard try await lists(Command.applicationList, Command.fileStatus, Command.readRecord),
      let application = try await activeApplication()
    else { return nil }
    let path: [UInt8] = [0x7f, 0xff, 0x6f, 0x40]
    let status = try await send("EF_MSISDN", within: configuration.limits.query) { _, error in
      mbim_message_ms_uicc_low_level_access_file_status_query_new(
        1, guint32(application.count), application, guint32(path.count), path, error)
    }
    guard status.status == MBIM_STATUS_ERROR_NONE, let count = try UICCReply.recordCount(status), count > 0 else {
      return nil
    }
    let reply = try await send("EF_MSISDN", within: configuration.limits.query) { _, error in
      mbim_message_ms_uicc_low_level_access_read_record_query_new(
        1, guint32(application.count), application, guint32(path.count), path, 1, nil, 0, nil, error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE, let record = try UICCReply.record(reply) else { return nil }
    return NumberRecord.number(in: record)
  }

  private func activeApplication() async throws(ModemError) -> [UInt8]? { try await applications()?.active }

  /// The card's applications; nil if the modem refuses.
  func applications() async throws(ModemError) -> UICCReply.Applications? {
    let reply = try await send("SIM applications", within: configuration.limits.query) { _, error in
      mbim_message_ms_uicc_low_level_access_application_list_query_new(error)
    }
    return reply.status == MBIM_STATUS_ERROR_NONE ? try UICCReply.applications(reply) : nil
  }
}
