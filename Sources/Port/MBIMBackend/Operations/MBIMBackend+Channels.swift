import CMBIM
import CardCommands
import ControlChannel
import GLibBridge
import ModemModel
import ReplyCheck

/// Channels to the USIM, through Microsoft's UICC low level access.
extension MBIMBackend {
  private enum Command {
    static let open = MBIMFrame.Subject(.uicc, 2)
    static let close = MBIMFrame.Subject(.uicc, 3)
    static let send = MBIMFrame.Subject(.uicc, 4)
    static let applicationList = MBIMFrame.Subject(.uicc, 7)
  }

  /// The mark of this program's channels, "modm". All channels of a mark can be closed without
  /// their numbers. Other programs use 1.
  private static let group: UInt32 = 0x6d6f_646d

  /// Opens a channel to the USIM for a few commands, and closes it in any case.
  ///
  /// - Parameters:
  ///   - name: What it is for, for errors.
  ///   - body: Gets the channel's number.
  /// - Throws: `notSupported` if the modem lists no channels, or the SIM has none.
  func withChannel<Value>(
    _ name: String, to opened: OpenDevice, _ body: (UInt32) async throws(ModemError) -> Value
  ) async throws(ModemError) -> Value {
    guard let services = try await serviceList(),
      [Command.open, Command.close, Command.send].allSatisfy(services.contains)
    else {
      throw ModemError(.notSupported, "UICC Low Level Access: the modem does not list channels to the SIM")
    }
    let application = try await usim(services)
    if !hasClosedChannels { await closeChannels(of: opened, in: commands, within: configuration.limits.query) }
    channelNote?.write(.unknown)
    let channel: UInt32
    do throws(ModemError) {
      channel = try await openChannel(to: application, name, of: opened)
    } catch {
      // Some modems leave a channel open whose application they could not select.
      await closeChannels(of: opened)
      throw error
    }
    do throws(ModemError) {
      let value = try await body(channel)
      await close(channel, of: opened)
      return value
    } catch {
      await close(channel, of: opened)
      throw error
    }
  }

  /// Sends a command to the card (MBIM_CID_MS_UICC_APDU).
  func send(
    _ command: CardCommand, on channel: UInt32, _ name: String, to opened: OpenDevice
  ) async throws(ModemError) -> (data: [UInt8], words: StatusWords) {
    let bytes = command.bytes
    let reply = try await send(name, to: opened, in: commands, within: configuration.limits.pin) { error in
      mbim_message_ms_uicc_low_level_access_apdu_set_new(
        channel, MBIM_UICC_SECURE_MESSAGING_NONE, MBIM_UICC_CLASS_BYTE_TYPE_INTER_INDUSTRY, guint32(bytes.count), bytes,
        error)
    }
    return try ChannelReply.content(reply)
  }

  /// Closes the channel that an earlier backend left, if it noted one.
  func closeLeftChannel(of opened: OpenDevice) async {
    guard channelNote?.left() != nil else { return }
    await closeChannels(of: opened, in: commands, within: configuration.limits.query)
  }

  /// The identifier of the USIM.
  private func usim(_ services: ServiceList) async throws(ModemError) -> [UInt8] {
    let listed = services.contains(Command.applicationList) ? try await applications() : nil
    return CardApplication.usim(active: listed?.active, among: listed?.all ?? [])
  }

  private func openChannel(
    to application: [UInt8], _ name: String, of opened: OpenDevice
  ) async throws(ModemError) -> UInt32 {
    let reply = try await send(name, to: opened, in: commands, within: configuration.limits.pin) { error in
      // P2 0: the first such application.
      mbim_message_ms_uicc_low_level_access_open_channel_set_new(
        guint32(application.count), application, 0, Self.group, error)
    }
    return try ChannelReply.channel(reply)
  }

  private func close(_ channel: UInt32, of opened: OpenDevice) async {
    if await closeChannel(channel, of: opened, in: nil, within: closeLimit) {
      channelNote?.erase()
    } else {
      await closeChannels(of: opened)
    }
  }

  /// Closes all channels of this program's mark, those of a killed port too.
  private func closeChannels(
    of opened: OpenDevice, in queue: GLibCallQueue? = nil, within limit: Duration? = nil
  ) async {
    hasClosedChannels = await closeChannel(0, of: opened, in: queue, within: limit ?? closeLimit)
    if hasClosedChannels { channelNote?.erase() }
  }

  private var closeLimit: Duration { isSilent ? Self.silentLimit : configuration.limits.close }

  /// - Returns: Whether the channel is closed now: one that the modem does not know is not open.
  private func closeChannel(
    _ channel: UInt32, of opened: OpenDevice, in queue: GLibCallQueue?, within limit: Duration
  ) async -> Bool {
    guard !port.isRemoved else { return false }
    do throws(ModemError) {
      let reply = try await exchange("close SIM channel", to: opened, in: queue, within: limit) { error in
        mbim_message_ms_uicc_low_level_access_close_channel_set_new(channel, Self.group, error)
      }
      return reply.status == MBIM_STATUS_ERROR_NONE || reply.status == ChannelReply.Status.notOpen
    } catch {
      return false
    }
  }
}
