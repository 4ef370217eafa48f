import OperatorSimulator
import MobileConnectSimulation
import Testing

/// The simulated app's own server: what a Mobile Connect button leads to.
@Suite struct AppServerTests {
  static let callback = "https://shop.example/mobile-connect/server_side_api/discovery_callback"
  static let root = "https://shop.example/mobile-connect/server_side_api"

  static func stage(
    application: (inout SimulatedMobileConnectApplication) -> Void = { _ in },
    server: (inout MobileConnectSimulationSettings.AppServer) -> Void = { _ in }
  ) -> MobileConnectStage {
    MobileConnectStage { settings in
      var shop = MobileConnectStage.application("shop")
      shop.redirectURIs = [callback]
      application(&shop)
      settings.applications.append(shop)
      var appServer = MobileConnectSimulationSettings.AppServer(application: "shop")
      server(&appServer)
      settings.appServer = appServer
    }
  }

  static let shared = stage()

  @Test(arguments: [
    "start_discovery?msisdn=4915112345678", "start_discovery?mcc=262&mnc=01", "start_discovery?sourceIp=10.64.0.2",
    "start_discovery", "start_discovery_manually?msisdn=4915112345678",
  ])
  func `what a device knows of itself leads over the operator to the page of a user who is signed in`(
    path: String
  ) async throws {
    let end = await Self.shared.walk("\(Self.root)/\(path)")
    #expect(end.response?.status == 200 && end.response?.body.contains("Signed in") == true, "\(end)")
    #expect(end.location.hasPrefix(Self.callback + "?code="))
    #expect(
      end.hops == [
        "https shop.example", "https op.example", "http he.example", "https op.example", "https shop.example",
      ])
  }

  @Test func `nothing that is known of a device leads to the page of operators, and on from its button`() async throws {
    let stage = Self.stage(server: { $0.passesAddress = false })
    for path in ["start_discovery", "start_discovery?mcc=262&mnc=02", "start_discovery?msisdn=4915299999999"] {
      let page = await stage.walk("\(Self.root)/\(path)", from: MobileConnectStage.elsewhere)
      #expect(page.hops == ["https shop.example", "https ex.example"] && page.response?.status == 200)
      let pressed = page.location.replacing("/select?", with: "/select/done?") + "&msisdn=4915112345678"
      let end = await stage.walk(pressed, from: MobileConnectStage.elsewhere)
      #expect(end.response?.body.contains("Signed in") == true, "the hint that came back is enough: \(end)")
    }
  }

  @Test(arguments: [
    ("start_discovery?msisdn=%2B4915112345678", 400), ("start_discovery?mcc=262", 400),
    ("start_discovery?sourceIp=here", 400), ("start_discovery?number=1", 400), ("start_discovery_manually", 400),
    ("discovery_callback?code=x&state=unknown", 400),
  ])
  func `a request that is not as it must be is refused`(path: String, status: Int) async {
    #expect(await Self.shared.send("\(Self.root)/\(path)")?.status == status)
  }

  @Test func `an error of the operator ends on a page that its URL alone gives away, and wrong tokens with 502`() async
  {
    let refused = Self.stage(application: { $0.refusal = "temporarily_unavailable" })
    let end = await refused.walk("\(Self.root)/start_discovery?mcc=262&mnc=01")
    #expect(end.response?.status == 200 && end.location.contains("error=temporarily_unavailable"))
    for fault in [SimulatedMobileConnectApplication.Fault.nonce, .signature, .otherSubject] {
      let wrong = Self.stage(application: { $0.faults = [fault] })
      #expect(await wrong.walk("\(Self.root)/start_discovery?mcc=262&mnc=01").response?.status == 502, "\(fault)")
    }
  }

  @Test func `a callback of another browser is refused where the server minds`() async throws {
    let stage = Self.stage(server: { $0.needsCookie = true })
    let end = await stage.walk("\(Self.root)/start_discovery?mcc=262&mnc=01")
    #expect(end.response?.status == 200)
    let begun = try #require(
      await stage.send("\(Self.root)/start_discovery?mcc=262&mnc=01")?.header("Location"))
    #expect(await stage.walk(begun).response?.status == 400)
  }
}
