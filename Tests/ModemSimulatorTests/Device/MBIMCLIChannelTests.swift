import ModemModel
import Testing

@testable import ModemSimulator

/// The unmodified `mbimcli` asks the simulated SIM over a logical channel.
@Suite(.enabled(if: Tool.mbimcli.isInstalled, "mbimcli is not installed"), .timeLimit(.minutes(1)))
struct MBIMCLIChannelTests {
  private static let open =
    "--ms-set-uicc-open-channel=application-id=\(Hexadecimal.text(of: SIMCard.applicationID)),selectp2arg=12,channel-group=1"

  private static func command(_ bytes: [UInt8]) -> String {
    let text = Hexadecimal.text(of: bytes)
    return "--ms-set-uicc-apdu=channel=1,secure-message=none,classbyte-type=inter-industry,command=\(text)"
  }

  @Test func `it opens a channel, sends a challenge and closes the channel`() throws {
    let modem = SimulatedModem()
    defer { modem.unplug() }
    let path = try modem.plugIn()
    let opened = Tool.mbimcli.run(["-d", path, Self.open])
    #expect(opened.status == 0 && opened.output.contains("channel: 1"), "\(opened.output)")
    #expect(modem.snapshot.openChannels == [1])
    let vector = SimulatedHome().vector(32)
    let command = [0x00, 0x88, 0x00, 0x81, 0x22, 0x10] + vector.rand + [0x10] + vector.autn + [0x00]
    let answer = Tool.mbimcli.run(["-d", path, Self.command(command)])
    let content = [0xdb, 8] + vector.res + [16] + vector.ck + [16] + vector.ik
    let text = Hexadecimal.text(of: content, uppercase: true)
    #expect(answer.status == 0 && answer.output.filter { $0 != ":" }.uppercased().contains(text), "\(answer.output)")
    #expect(modem.snapshot.challenges == 1)
    let closed = Tool.mbimcli.run(["-d", path, "--ms-set-uicc-close-channel=channel=0,channel-group=1"])
    #expect(closed.status == 0, "\(closed.output)")
    #expect(modem.snapshot.openChannels == [])
  }

  @Test func `it is told that no channel is left`() throws {
    let modem = SimulatedModem(.answering { $0.takenChannels = 3 })
    defer { modem.unplug() }
    let result = Tool.mbimcli.run(["-d", try modem.plugIn(), Self.open])
    // Later versions have a name for it.
    let isTold = ["0x87430001", "NoLogicalChannels"].contains { result.output.contains($0) }
    #expect(result.status == 1 && isTold, "\(result.output)")
    #expect(modem.snapshot.openChannels == [])
  }

  @Test func `it lists the service AUTH`() throws {
    let modem = SimulatedModem()
    defer { modem.unplug() }
    let result = Tool.mbimcli.run(["-d", try modem.plugIn(), "--query-device-services"])
    #expect(result.status == 0 && result.output.contains("Service: 'auth'"), "\(result.output)")
    #expect(result.output.contains("aka (1)") && result.output.contains("akap (2)"), "\(result.output)")
  }
}
