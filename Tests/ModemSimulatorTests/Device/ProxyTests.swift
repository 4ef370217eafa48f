import Glibc
import ModemModel
import Testing

@testable import ModemSimulator

/// The real proxies between the real tools and the simulator.
///
/// A proxy listens on an abstract socket, of which there is one in a network namespace, and it
/// outlives the tool that started it. So each tool runs as the first process of a process namespace
/// of its own, which takes the proxy down with it.
@Suite(.enabled(if: Tool.canIsolateProxies, "namespaces for the proxies need root"), .timeLimit(.minutes(1)))
struct ProxyTests {
  private func isolated(_ tool: Tool, _ arguments: [String]) -> Tool.Result {
    Tool.unshare.run(["--net", "--pid", "--fork", tool.path] + arguments)
  }

  @Test("mbim-proxy passes commands on", arguments: ["--query-subscriber-ready-status", "--connect=apn=internet"])
  func mbimProxy(option: String) throws {
    let modem = SimulatedModem()
    defer { modem.unplug() }
    let result = isolated(.mbimcli, ["-p", "-d", try modem.plugIn(), option])
    #expect(result.status == 0, "\(result.output)")
    #expect(modem.snapshot.commands[.open] == 1)
  }

  @Test("qmi-proxy passes commands on", arguments: ["--dms-get-msisdn", "--wds-start-network=apn=internet"])
  func qmiProxy(option: String) throws {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = .qmi
    let modem = SimulatedModem(configuration)
    defer { modem.unplug() }
    let arguments = ["-p", "-d", try modem.plugIn(), "--device-open-qmi", option, "--client-no-release-cid"]
    let result = isolated(.qmicli, arguments)
    #expect(result.status == 0, "\(result.output)")
    #expect(modem.snapshot.clientIDs.count == 1)
  }

  @Test(
    "a host that asks for MBIM's extensions gets on with a modem that has none",
    arguments: ["--device-open-ms-mbimex-v2", "--device-open-ms-mbimex-v3"])
  func extensions(option: String) throws {
    let modem = SimulatedModem()
    defer { modem.unplug() }
    let result = Tool.mbimcli.run(["-d", try modem.plugIn(), option, "--query-subscriber-ready-status"])
    #expect(result.output.contains("Ready state: 'initialized'"), "\(result.output)")
  }
}

extension Tool {
  fileprivate static let unshare = Tool(path: "/usr/bin/unshare")

  fileprivate static let canIsolateProxies =
    geteuid() == 0 && mbimcli.isInstalled && qmicli.isInstalled && unshare.isInstalled
    && unshare.run(["--net", "--pid", "--fork", "/bin/true"]).status == 0
}
