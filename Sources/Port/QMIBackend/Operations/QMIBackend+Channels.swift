import CQMI
import CardCommands
import ControlChannel
import GLibBridge
import ModemModel

/// Channels to the USIM (UIM Open Logical Channel and Logical Channel).
extension QMIBackend {
  /// Opens a channel to the USIM for a few commands, and closes it in any case.
  ///
  /// - Parameters:
  ///   - name: What it is for, for errors.
  ///   - body: Gets the card's slot and the channel.
  /// - Throws: `notSupported` if the modem knows no channels, or the SIM has none.
  func withChannel<Value>(
    _ name: String, as client: QMIClient, in opened: OpenDevice,
    _ body: (_ slot: UInt8, CardChannel) async throws(ModemError) -> Value
  ) async throws(ModemError) -> Value {
    let card = try await cardStatus()
    let slot = UInt8(clamping: card?.slot ?? 1)
    let application = card?.usim ?? CardApplication.usim
    await closeLeftChannel(in: opened)
    channelNote?.write(.unknown)
    let request = QMIRequest(0x42).with(0x01, byte: slot).with(0x10, [UInt8(application.count)] + application)
    let reply: QMIReply
    do throws(ModemError) {
      reply = try await send(name, request, as: client, to: opened, in: commands, within: configuration.limits.pin)
    } catch {
      // After a lost answer, the number is not known: only the card's reset closes the channel.
      channelNote?.erase()
      throw error
    }
    // A refusal may name a channel, too: one whose application could not be selected.
    let number = reply[0x10]?.first.flatMap { CardChannel($0) }.flatMap { $0 == .basic ? nil : $0 }
    if let number { note(.channel(slot: slot, number: number.number)) } else { channelNote?.erase() }
    let channel: CardChannel
    do throws(ModemError) {
      channel = try CardReply.channel(reply)
    } catch {
      if let number { await close(number, slot, as: client, in: opened) }
      throw error
    }
    do throws(ModemError) {
      let value = try await body(slot, channel)
      await close(channel, slot, as: client, in: opened)
      return value
    } catch {
      await close(channel, slot, as: client, in: opened)
      throw error
    }
  }

  /// Closes the channel that an earlier backend left, or that this one could not close.
  func closeLeftChannel(in opened: OpenDevice) async {
    guard let left = leftChannel ?? channelNote?.left() else { return }
    guard case .channel(let slot, let number) = left, let channel = CardChannel(number), channel != .basic else {
      return note(nil)
    }
    guard let client = clients[.uim] else { return }
    await close(channel, slot, as: client, in: opened)
  }

  private func note(_ left: ChannelNote.Left?) {
    leftChannel = left
    if let left { channelNote?.write(left) } else { channelNote?.erase() }
  }

  /// If the modem does not confirm it, the note stays, and the next call or port tries again.
  private func close(_ channel: CardChannel, _ slot: UInt8, as client: QMIClient, in opened: OpenDevice) async {
    guard !port.isRemoved else { return }
    let request = QMIRequest(0x3f).with(0x01, byte: slot).with(0x11, byte: channel.number)
    do throws(ModemError) {
      let reply = try await exchange(
        "close SIM channel", request, as: client, to: opened, in: nil,
        within: isSilent ? .milliseconds(100) : configuration.limits.close)
      // A channel that the modem does not know is not open.
      if try !reply.isBusy { note(nil) }
    } catch {}
  }
}

extension QMIReply {
  /// Whether the modem may do later what it refused now.
  fileprivate var isBusy: Bool {
    get throws(ModemError) {
      [QMI_PROTOCOL_ERROR_DEVICE_IN_USE, QMI_PROTOCOL_ERROR_OPERATION_IN_PROGRESS, QMI_PROTOCOL_ERROR_DEVICE_NOT_READY]
        .contains(try refusal)
    }
  }
}
