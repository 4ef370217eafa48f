import Glibc
import ModemModel
import Testing

@testable import BearerNetworking

/// How a driver carries sessions, read from sysfs as the drivers write it.
@Suite struct SessionLinkTests {
  /// A sysfs of files and links; removed with the value.
  private final class Tree {
    let root: String

    init() throws {
      var template = Array("/tmp/modemd-sysfs-XXXXXX".utf8CString)
      root = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { Self.remove(root) }

    var files: LinkFiles { LinkFiles(sysfs: root, procfs: "/nowhere") }

    func folder(_ path: String) {
      var made = root
      for part in path.split(separator: "/") {
        made += "/\(part)"
        mkdir(made, 0o700)
      }
    }

    func link(_ path: String, to target: String) {
      folder(target)
      folder(path.split(separator: "/").dropLast().joined(separator: "/"))
      symlink("\(root)/\(target)", "\(root)/\(path)")
    }

    func file(_ path: String, _ text: String) {
      folder(path.split(separator: "/").dropLast().joined(separator: "/"))
      let file = fopen("\(root)/\(path)", "w")
      fputs(text, file)
      fclose(file)
    }

    func text(_ path: String) -> String? { files.line(path) }

    private static func remove(_ path: String) {
      guard unlink(path) != 0, let folder = opendir(path) else { return }
      var names: [String] = []
      while let entry = readdir(folder) {
        names.append(
          withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          })
      }
      closedir(folder)
      for name in names where name != "." && name != ".." { remove("\(path)/\(name)") }
      rmdir(path)
    }
  }

  private static let drivers: [(driver: String, kind: ModemProtocol, expected: SessionLink?)] = [
    ("cdc_mbim", .mbim, .vlan), ("qmi_wwan", .qmi, .qmimux), ("ipa", .qmi, .rmnet), ("cdc_ether", .mbim, nil),
    ("bam-dmux", .qmi, nil),
  ]

  @Test(arguments: drivers.indices)
  func `by the driver`(row: Int) throws {
    let (driver, kind, expected) = Self.drivers[row]
    let tree = try Tree()
    tree.link("devices/port/driver", to: "bus/drivers/\(driver)")
    tree.link("class/net/wwan0/device", to: "devices/port")
    #expect(SessionLink(kind, interface: "wwan0", files: tree.files) == expected)
  }

  @Test func `by the WWAN class device, by pass_through, and without a device`() throws {
    let tree = try Tree()
    tree.link("devices/pci/wwan/wwan0/subsystem", to: "class/wwan")
    tree.link("class/net/wwan0/device", to: "devices/pci/wwan/wwan0")
    #expect(SessionLink(.mbim, interface: "wwan0", files: tree.files) == .wwan(device: "wwan0"))
    tree.link("devices/usb/driver", to: "bus/drivers/qmi_wwan")
    tree.link("class/net/wwan1/device", to: "devices/usb")
    tree.file("class/net/wwan1/qmi/pass_through", "Y\n")
    #expect(SessionLink(.qmi, interface: "wwan1", files: tree.files) == .rmnet)
    #expect(SessionLink(.mbim, interface: "wwan2", files: tree.files) == .vlan)
    #expect(SessionLink(.qmi, interface: "wwan2", files: tree.files) == nil)
  }

  @Test func `qmi_wwan is asked in its files, and the link is found by its id`() throws {
    let tree = try Tree()
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
  }
}
