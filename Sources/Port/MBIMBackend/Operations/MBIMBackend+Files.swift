import CMBIM
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

  /// Whether the modem lists all of these commands. Its list is requested once per opening of the
  /// port; a modem that refuses lists nothing.
  func lists(_ commands: MBIMFrame.Subject...) async throws(ModemError) -> Bool {
    if services == nil { services = .some(try await listedServices()) }
    guard case .some(.some(let services)) = services else { return false }
    return commands.allSatisfy { services.contains($0) }
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
      services = .some(nil)
      return nil
    }
  }

  /// The length of the MNC from EF_AD; nil if the modem or SIM does not give it.
  func mncLengthOfSIM() async throws(ModemError) -> Int? {
    guard try await lists(Command.applicationList, Command.readBinary),
      let application = try await activeApplication()
    else { return nil }
    let path: [UInt8] = [0x7f, 0xff, 0x6f, 0xad]
    let reply = try await send("EF_AD", within: configuration.limits.query) { _, error in
      mbim_message_ms_uicc_low_level_access_read_binary_query_new(
        1, guint32(application.count), application, guint32(path.count), path, 0, 0, nil, 0, nil, error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE, let file = try UICCReply.file(reply) else { return nil }
    return HomeNetwork.mncLength(administrativeData: file)
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

  private func activeApplication() async throws(ModemError) -> [UInt8]? {
    let reply = try await send("SIM applications", within: configuration.limits.query) { _, error in
      mbim_message_ms_uicc_low_level_access_application_list_query_new(error)
    }
    return reply.status == MBIM_STATUS_ERROR_NONE ? try UICCReply.activeApplication(reply) : nil
  }
}
