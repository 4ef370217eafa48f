import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: versions")
struct MobileConnectVersionTests {
  @Test(
    "A version is read by the number at its end, however it is spelled",
    arguments: [
      ("mc_v1.1", MobileConnectVersion.v1_1), ("mc_v1.2", .v1_2), ("mc_v2.0", .v2_0), ("mc_v2_0", .v2_0),
      ("mc_di_r2_v2.3", .v2_3), ("mc_di_v3.0", .v3_0), ("mc_di_r3.0", .v3_0),
    ])
  func spelled(text: String, version: MobileConnectVersion) throws {
    let read = try #require(MobileConnectVersion(text))
    #expect(read.isSame(as: version) && read.text == text)
  }

  @Test(
    "What is no version of the device-initiated mode is none",
    arguments: ["", "2.3", "mc_", "mc_v", "mc_v2.", "mc_si_r2_v1.0", "mc_v1.1 x", "openid_v1.1"])
  func none(text: String) { #expect(MobileConnectVersion(text) == nil) }

  @Test(
    "The newest version that both know is taken, in the operator's spelling",
    arguments: [
      (["mc_v1.1", "mc_di_r2_v2.3", "mc_v1.2"], "mc_di_r2_v2.3"), (["mc_di_r3.0", "mc_v2.0"], "mc_di_r3.0"),
      (["mc_v2_0", "mc_v1.1"], "mc_v2_0"), (["mc_di_v9.0", "mc_v1.2"], "mc_v1.2"), (["mc_si_r2_v1.0"], nil),
      (["mc_di_v9.0"], nil), ([], nil),
    ] as [([String], String?)])
  func newest(offered: [String], taken: String?) {
    #expect(MobileConnectVersion.newestCommon(of: offered)?.text == taken)
  }
}
