import BoundHTTP
import Glibc
import HTTPTestSupport
import NIOPosix
import NetworkAddress

/// Two network namespaces with a cable between them: in one `wwan0`, the bearer, and `lan0`,
/// another interface of the machine; in the other the operator with all service addresses, so that
/// servers have their usual ports.
struct TestNetwork: Sendable {
  /// A namespace and what runs in it.
  struct Side: Sendable {
    /// Its sockets live in the namespace.
    let group: MultiThreadedEventLoopGroup
    private let thread: NIOThreadPool
    private let threadID: String

    static func make() throws -> Side {
      let thread = NIOThreadPool(numberOfThreads: 1)
      thread.start()
      let (group, threadID) = try thread.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.next()) {
        guard TestNamespace.leaveNamespace(), let threadID = ownThreadID() else {
          throw TestCertificates.Failure(description: "no network namespace")
        }
        return (MultiThreadedEventLoopGroup(numberOfThreads: 1), threadID)
      }.wait()
      return Side(group: group, thread: thread, threadID: threadID)
    }

    /// For `ip link set … netns`.
    var name: String { threadID }

    /// Runs a shell script in the namespace.
    @discardableResult
    func run(_ script: String) async throws -> Int32 {
      try await thread.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.next()) {
        TestProcess.run(script)
      }.get()
    }

    func index(of interface: String) async throws -> Int {
      try await thread.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.next()) {
        Int(if_nametoindex(interface))
      }.get()
    }

    func stop() async {
      try? await group.shutdownGracefully()
      try? await thread.shutdownGracefully()
    }

    /// The last part of `/proc/thread-self`, which leads to `PID/task/TID`.
    private static func ownThreadID() -> String? {
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = buffer.withUnsafeMutableBytes { readlink("/proc/thread-self", $0.baseAddress!, $0.count) }
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "/").last.map(String.init)
    }
  }

  let device: Side
  let operatorSide: Side
  let index: Int

  /// `lan0`'s own address.
  static let ownAddress = "192.0.2.2"
  static let dnsServer = "10.64.0.1"
  static let sources = (v4: "10.64.0.2", v6: "2001:db8:64::2")

  static func make() async throws -> TestNetwork {
    let (device, far) = (try Side.make(), try Side.make())
    let cable = """
      ip link set lo up && ip link add wwan0 type veth peer name net0 && ip link set net0 netns \(far.name) &&
      ip address add \(sources.v4)/30 dev wwan0 && ip address add \(sources.v6)/64 dev wwan0 nodad &&
      ip link set wwan0 up && \(TestNamespace.addDevice("lan0", "\(ownAddress)/24"))
      """
    let services = """
      ip link set lo up && ip address add \(dnsServer)/30 dev net0 &&
      ip address add 2001:db8:64::1/64 dev net0 nodad && ip link set net0 up &&
      for n in 1 2 3 4 5; do
        ip address add 198.51.100.$n/32 dev lo && ip address add 2001:db8:1::$n/128 dev lo nodad || exit 1
      done
      """
    let routes = """
      ip route add default via \(dnsServer) dev wwan0 && ip -6 route add default via 2001:db8:64::1 dev wwan0
      """
    guard try await device.run(cable) == 0, try await far.run(services) == 0, try await device.run(routes) == 0 else {
      throw TestCertificates.Failure(description: "no pair of network namespaces")
    }
    return TestNetwork(device: device, operatorSide: far, index: try await device.index(of: "wwan0"))
  }

  /// The bearer, with the families that its addresses are of.
  func bearer(_ addresses: [String] = [sources.v4]) throws -> BoundInterface {
    try BoundInterface(
      name: "wwan0", index: index, dnsServers: [IPAddress(Self.dnsServer)!],
      sources: addresses.compactMap { IPAddress($0) })
  }

  func stop() async {
    await device.stop()
    await operatorSide.stop()
  }
}
