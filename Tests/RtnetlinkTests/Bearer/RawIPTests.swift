import BearerNetworking
import Glibc
import ModemModel
import Rtnetlink
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct RawIPTests {
  @Test(.enabled(if: NetworkNamespace.isAllowed, Comment(rawValue: NetworkNamespace.reason)))
  func theDriverIsToldWhileTheLinkIsDown() async throws {
    let host = try Host()
    var template = Array("/tmp/modemd-sysfs-XXXXXX".utf8CString)
    let root = String(cString: try #require(mkdtemp(&template)))
    let directories = ["class", "class/net", "class/net/wwan0", "class/net/wwan0/qmi"].map { "\(root)/\($0)" }
    for directory in directories { mkdir(directory, 0o700) }
    let path = "\(root)/class/net/wwan0/qmi/raw_ip"
    defer {
      unlink(path)
      for directory in directories.reversed() + [root] { rmdir(directory) }
    }
    try write("N\n", to: path)
    try host.kernel { kernel in
      let link = try #require(try kernel.link(named: "wwan0"))
      try kernel.set(LinkChange(isUp: true), of: link)
    }
    let namespace = host.namespace
    let network = BearerNetwork(files: LinkFiles(sysfs: root, procfs: "/nowhere")) { groups in
      try namespace.run { try KernelNetlinkSocket(groups: groups) }
    }
    try await network.setRawIP(interface: "wwan0")
    #expect(try read(path) == "Y\n")
    #expect(try host.kernel { try $0.link(named: "wwan0")?.isUp } == false)
  }

  @Test(.enabled(if: NetworkNamespace.isAllowed, Comment(rawValue: NetworkNamespace.reason)))
  func theDriverIsToldOfEthernetFramesTooThroughWhateverCarriesTheBearer() async throws {
    let host = try Host()
    let namespace = host.namespace
    let written = Mutex<[String]>([])
    let network = PortNetwork(
      BearerNetwork(
        files: LinkFiles(
          read: { path in
            path.hasSuffix("/raw_ip") ? written.withLock { $0.last ?? "Y\n" } : nil
          },
          write: { text, _ in
            written.withLock { $0.append(text) }
            return 0
          })
      ) { groups in try namespace.run { try KernelNetlinkSocket(groups: groups) } })
    try await network.setLinkFormat(.ethernet, interface: "wwan0")
    #expect(written.withLock { $0 } == ["N\n"])
    try await network.setLinkFormat(.ethernet, interface: "wwan0")
    #expect(written.withLock { $0 }.count == 1)
    try await network.setLinkFormat(.rawIP, interface: "wwan0")
    #expect(written.withLock { $0 } == ["N\n", "Y\n"])
    let bearer = try await network.install(Settings.ipv4, on: "wwan0")
    let reason = await network.diagnose(bearer, format: .ethernet)
    #expect(reason?.contains("qmi/raw_ip is Y") == true)
    #expect(await network.diagnose(bearer, format: .rawIP) == nil)
  }

  @Test func aDriverWithoutTheFileIsLeftAlone() async throws {
    let network = BearerNetwork(files: LinkFiles(sysfs: "/nowhere", procfs: "/nowhere")) { _ in
      throw NetlinkError(.failed, "no socket was expected")
    }
    try await network.setRawIP(interface: "wwan0")
  }

  private func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(Glibc.write(file, Array(text.utf8), text.utf8.count) == text.utf8.count)
    close(file)
  }

  private func read(_ path: String) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Glibc.read(file, &bytes, bytes.count)
    close(file)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
