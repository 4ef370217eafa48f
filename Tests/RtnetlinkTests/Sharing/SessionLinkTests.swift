import Glibc
import Testing

@testable import BearerNetworking

/// Links that qmi_wwan makes when it is asked in sysfs.
@Suite struct SessionLinkTests {
  @Test func `qmi_wwan is asked in its files, and the link is found by its id`() throws {
    let tree = try SysfsTree()
    tree.file("class/net/wwan0/qmi/add_mux", "")
    tree.file("class/net/wwan0/qmi/del_mux", "")
    #expect(tree.files.addMux(77, to: "wwan0") == 0 && tree.text("class/net/wwan0/qmi/add_mux") == "77")
    #expect(tree.files.deleteMux(77, of: "wwan0") == 0 && tree.text("class/net/wwan0/qmi/del_mux") == "77")
    #expect(tree.files.addMux(77, to: "wwan1") == ENOENT)
    for (link, id) in [("qmimux0", "0x01"), ("qmimux1", "0x4d")] {
      tree.folder("class/net/wwan0/upper_\(link)")
      tree.file("class/net/\(link)/qmap/mux_id", "\(id)\n")
    }
    #expect(tree.files.muxLink(77, over: "wwan0") == "qmimux1")
    #expect(tree.files.muxLink(2, over: "wwan0") == nil)
    #expect(tree.files.muxIDs(over: "wwan0") == [1, 77])
    #expect(tree.files.muxIDs(over: "wwan1") == [])
  }
}
