import CTaskThreads
import Glibc
import HTTPTestSupport
import NIOPosix

/// A network namespace of its own: `wwan0` as the bearer, `lan0` with the default route, both
/// leading nowhere.
///
/// A thread leaves the host's namespace; the event loops and processes that it starts stay where it
/// is.
struct TestNamespace: Sendable {
  static let isAvailable: Bool = {
    guard geteuid() == 0, let trial = try? make() else { return false }
    try? trial.group.syncShutdownGracefully()
    try? trial.thread.syncShutdownGracefully()
    return true
  }()

  /// Its sockets live in the namespace.
  let group: MultiThreadedEventLoopGroup
  /// The index of `wwan0` as it was at first.
  let index: Int
  private let thread: NIOThreadPool

  /// A pair of which nobody answers on the other end, without ARP as a modem's device is, and
  /// without IPv6, so that nothing but a chain makes it send.
  static func addDevice(_ name: String, _ address: String, index: String = "") -> String {
    """
    ip link add \(name) \(index) type veth peer name \(name)-peer &&
    echo 1 | tee /proc/sys/net/ipv6/conf/\(name)*/disable_ipv6 &&
    ip link set \(name) arp off && ip address add \(address) dev \(name) &&
    ip link set \(name) up && ip link set \(name)-peer up
    """
  }

  private static let setUp = """
    ip link set lo up && \(addDevice("wwan0", "10.64.0.2/30")) && \(addDevice("lan0", "192.0.2.2/24")) &&
    ip route add default via 192.0.2.1
    """

  static func make() throws -> TestNamespace {
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (group, index) = try thread.runIfActive(eventLoop: loop) {
      guard leaveNamespace(), TestProcess.run(setUp) == 0 else {
        throw TestCertificates.Failure(description: "no network namespace with veth devices")
      }
      return (MultiThreadedEventLoopGroup(numberOfThreads: 1), Int(if_nametoindex("wwan0")))
    }.wait()
    return TestNamespace(group: group, index: index, thread: thread)
  }

  /// Puts the calling thread into a namespace of its own, and keeps the threads of tasks where they
  /// are.
  ///
  /// unshare(CLONE_NEWNET) is not shown by Glibc's module.
  static func leaveNamespace() -> Bool {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard ctaskthreads_stay() == 0, let symbol = dlsym(nil, "unshare") else { return false }
    return unsafeBitCast(symbol, to: Unshare.self)(0x4000_0000) == 0
  }

  /// Runs a shell script in the namespace.
  func run(_ script: String) async throws -> Int32 {
    try await thread.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.next()) { TestProcess.run(script) }
      .get()
  }

  /// Waits until the bearer's device has sent something. Its IPv6 is off, so that only a chain
  /// makes it.
  func sent() async throws {
    let script =
      "for n in $(seq 1500); do awk '$1==\"wwan0:\"{exit $11 == 0}' /proc/net/dev && exit 0; sleep 0.02; done; exit 1"
    guard try await run(script) == 0 else {
      throw TestCertificates.Failure(description: "the chain sent nothing over the bearer's device")
    }
  }

  /// Packets that left by the host's own uplink.
  func leaked() async throws -> Int {
    // The exit status is the count, up to 255.
    Int(try await run("exit $(awk '$1==\"lan0:\"{print ($11 > 255) ? 255 : $11}' /proc/net/dev)"))
  }

  func stop() async {
    try? await group.shutdownGracefully()
    try? await thread.shutdownGracefully()
  }
}
