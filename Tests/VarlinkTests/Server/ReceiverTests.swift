import FoundationEssentials
import Glibc
import Subprocess
import Testing
import Varlink

/// What another user can do with a socket that was handed to it: the table of Docs/security.md.
@Suite(
  "Receivers of sockets", .timeLimit(.minutes(1)),
  .enabled(if: PrivateNetwork.isAllowed, "needs root, for a network namespace, and ip(8)"))
struct ReceiverTests {
  /// The user that nobody's files belong to.
  private static let user = 65534

  /// Two ways out: the bearer, and an uplink that no packet may take.
  private static let links = """
    for link in bearer uplink; do
      ip link add ${link}0 type veth peer name ${link}1
      ip link set ${link}1 up
      ip link set ${link}0 up
    done
    ip address add 10.64.0.2/24 dev bearer0
    ip address add 192.0.2.2/24 dev uplink0
    ip -6 address add 2001:db8:64::2/64 dev bearer0 nodad
    ip -6 address add 2001:db8:2::2/64 dev uplink0 nodad
    ip neighbour add 10.64.0.9 lladdr 02:00:00:00:00:09 dev bearer0
    ip neighbour add 192.0.2.9 lladdr 02:00:00:00:00:09 dev uplink0
    ip -6 neighbour add 2001:db8:2::9 lladdr 02:00:00:00:00:09 dev uplink0
    """

  /// Takes the socket, tries everything, and prints what the kernel said: `ok`, or an error's name.
  private static let attempts = #"""
    import ctypes, errno, json, os, socket, struct, sys
    path, kind, family = sys.argv[1], sys.argv[2], sys.argv[3]
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b'{"method":"org.example.Giving.Give"}\0')
    data, descriptors, _, _ = socket.recv_fds(connection, 65536, 4)
    taken = socket.socket(fileno=descriptors[0])
    found = {"user": os.getuid(), "number": len(descriptors)}

    def attempt(name, action):
        try:
            action()
            found[name] = "ok"
        except OSError as error:
            found[name] = errno.errorcode[error.errno]

    # Another device than the bearer, by the number that the namespace of the socket has for it.
    other = int(sys.argv[4])
    DEVICE, INDEX, UNICAST, UNICAST6, INFORMATION = 25, 62, 50, 76, 8
    for name in ["", "uplink0", "bearer0", "lo"]:
        attempt(f"device {name}", lambda: taken.setsockopt(socket.SOL_SOCKET, DEVICE, name.encode() + b"\0"))
    for name, index in [("0", 0), ("other", other)]:
        attempt(f"index {name}", lambda: taken.setsockopt(socket.SOL_SOCKET, INDEX, index))
    attempt("mark", lambda: taken.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, 1))
    if family == "ipv4":
        attempt("unicast", lambda: taken.setsockopt(socket.IPPROTO_IP, UNICAST, struct.pack("!I", other)))
    else:
        attempt("unicast", lambda: taken.setsockopt(socket.IPPROTO_IPV6, UNICAST6, struct.pack("!I", other)))

    attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close())
    if kind == "datagram" and family == "ipv4":
        info = struct.pack("=iII", other, 0, 0)
        attempt("information", lambda: taken.sendmsg(
            [b"x"], [(socket.IPPROTO_IP, INFORMATION, info)], 0, ("192.0.2.9", 9)))
        attempt("plain", lambda: taken.sendto(b"x", ("10.64.0.9", 9)))
    if kind == "datagram" and family == "ipv6":
        info = struct.pack("=16sI", bytes(16), other)
        attempt("information", lambda: taken.sendmsg(
            [b"x"], [(socket.IPPROTO_IPV6, socket.IPV6_PKTINFO, info)], 0, ("2001:db8:2::9", 9)))
    def bound():
        return taken.getsockopt(socket.SOL_SOCKET, DEVICE, 16).rstrip(b"\0").decode()
    found["bound"] = bound()

    def unspec():
        address = ctypes.create_string_buffer(struct.pack("=H14x", socket.AF_UNSPEC), 16)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.connect(taken.fileno(), address, 16) != 0:
            raise OSError(ctypes.get_errno(), "connect")
    attempt("unspec", unspec)
    found["bound afterwards"] = bound()
    attempt("device afterwards", lambda: taken.setsockopt(socket.SOL_SOCKET, DEVICE, b"uplink0\0"))
    print(json.dumps(found))
    """#

  /// What each attempt came to.
  private func attempts(
    _ kind: String, _ family: String, isApart: Bool, in network: PrivateNetwork
  ) async throws -> [String: JSONValue] {
    let (domain, type) = (
      family == "ipv4" ? AF_INET : AF_INET6, CInt((kind == "stream" ? SOCK_STREAM : SOCK_DGRAM).rawValue)
    )
    let give: @Sendable () async throws -> OwnedDescriptor = {
      try await network.socket(domain, type, boundTo: "bearer0")
    }
    var found: [String: JSONValue] = [:]
    try await GivingService.run(mode: 0o666, give: give) { service in
      chmod(String(service.path.dropLast("/socket".count)), 0o755)
      let user = "\(Self.user)"
      // As the other user and in the socket's network, or in namespaces of its own.
      let apart = isApart ? ["unshare", "--user", "--net", "--map-root-user"] : []
      let arguments =
        [
          "--net=\(network.path)", "setpriv", "--reuid", user, "--regid", user, "--clear-groups",
        ] + apart + ["/usr/bin/python3", "-I", "-c", Self.attempts, service.path, kind, family]
      let index = try await self.index(of: "uplink0", in: network)
      let result = try await run(
        .name("nsenter"), arguments: Arguments(arguments + [index]), output: .string(limit: 65_536),
        error: .string(limit: 65_536))
      #expect(result.standardError == "")
      let output = try json(result.standardOutput)
      if case .object(let fields) = output { found = fields }
    }
    return found
  }

  private func index(of device: String, in network: PrivateNetwork) async throws -> String {
    let script = "ip -oneline link show \(device) | cut -d: -f1"
    let result = try await run(
      .name("nsenter"), arguments: ["--net=\(network.path)", "sh", "-c", script], output: .string(limit: 4096))
    return result.standardOutput.filter { $0.isNumber }
  }

  /// Packets that left by a device.
  private func sent(by device: String, in network: PrivateNetwork) async throws -> Int {
    let script = "ip -statistics -oneline link show \(device) | sed 's/.*TX:[^0-9]*[0-9]* *\\([0-9]*\\).*/\\1/'"
    let result = try await run(
      .name("nsenter"), arguments: ["--net=\(network.path)", "sh", "-c", script], output: .string(limit: 4096))
    return try #require(Int(result.standardOutput.filter { $0.isNumber }))
  }

  private static let refusals: [String: String] = [
    "device ": "EPERM", "device uplink0": "EPERM", "device bearer0": "EPERM", "device lo": "EPERM", "index 0": "EPERM",
    "index other": "EPERM", "mark": "EPERM", "unicast": "EINVAL", "bound": "bearer0",
    // A destination is no restriction of the bearer's.
    "unspec": "ok",
  ]

  @Test(
    "Another user cannot unbind or rebind it, in the socket's network or from namespaces of its own",
    arguments: [("stream", "ipv4"), ("stream", "ipv6"), ("datagram", "ipv4"), ("datagram", "ipv6")], [false, true])
  func bound(socket: (kind: String, family: String), isApart: Bool) async throws {
    let network = try await PrivateNetwork.make(Self.links)
    let found = try await attempts(socket.kind, socket.family, isApart: isApart, in: network)
    #expect(found["user"] == .int(isApart ? 0 : Self.user) && found["number"] == .int(1))
    for (attempt, answer) in Self.refusals {
      #expect(found[attempt] == .string(answer), "\(attempt): \(String(describing: found[attempt]))")
    }
    // In namespaces of its own it is root, over nothing.
    #expect(found["raw"] == .string(isApart ? "ok" : "EPERM"))
    if socket.kind == "datagram", socket.family == "ipv6" { #expect(found["information"] == .string("EINVAL")) }
    // Ending its connection unbinds a socket for datagrams: nothing holds those to the bearer.
    let isHeld = socket.kind == "stream"
    #expect(found["bound afterwards"] == .string(isHeld ? "bearer0" : ""))
    #expect(found["device afterwards"] == .string(isHeld ? "EPERM" : "ok"))
  }

  @Test("What remains: a datagram leaves by another device if its sender wants that")
  func remains() async throws {
    let network = try await PrivateNetwork.make(Self.links)
    let before = try await sent(by: "uplink0", in: network)
    let datagram = try await attempts("datagram", "ipv4", isApart: false, in: network)
    #expect(datagram["information"] == .string("ok") && datagram["plain"] == .string("ok"))
    let after = try await sent(by: "uplink0", in: network)
    #expect(after > before)
    #expect(datagram["bound"] == .string("bearer0"))
  }
}
