import NetworkAddress
import Testing

@testable import Rtnetlink

/// Sockets as bytes of sock_diag (linux/inet_diag.h).
struct SocketBytesTests {
  /// An answer about an established TCP connection over interface 5.
  private static let head = """
    02 01 00 00                          ; AF_INET, ESTABLISHED, timer, retransmits
    a0f1 0050                            ; ports 41201 and 80, network order
    0a400002 00000000 00000000 00000000  ; 10.64.0.2
    c6336407 00000000 00000000 00000000  ; 198.51.100.7
    05000000                             ; interface 5
    11000000 02000000                    ; cookie 0x200000011
    00000000 00000000 00000000           ; expires, queues
    de030000 39300000                    ; user 990, inode 12345
    """
  /// INET_DIAG_INFO: 136 bytes of struct tcp_info; 1001 acknowledged, 70,000 received.
  private static let information =
    "\n8c00 0200" + String(repeating: "00", count: 120) + "e903000000000000 7011010000000000"

  private func message(_ text: String) -> NetlinkMessage {
    NetlinkMessage(type: 20, flags: 2, sequence: 1, port: 7, payload: hex(text))
  }

  @Test func aConnectionIsRead() throws {
    let socket = try #require(InternetSocket(message(Self.head + Self.information), .stream))
    #expect(socket.source == IPAddress("10.64.0.2") && socket.sourcePort == 41201)
    #expect(socket.remote == IPAddress("198.51.100.7") && socket.remotePort == 80)
    #expect(socket.interfaceIndex == 5 && socket.cookie == 0x2_0000_0011 && socket.user == 990)
    #expect(!socket.isOrphan && !socket.isListening)
    // Without the byte that opened the connection.
    #expect(socket.sent == 1000 && socket.received == 70_000)
  }

  @Test func anIPv4AddressInIPv6FormIsIPv4() throws {
    let text = """
      0a 01 00 00  a0f1 0050
      00000000 00000000 0000ffff 0a400002
      00000000 00000000 0000ffff c6336407
      05000000 11000000 02000000  00000000 00000000 00000000  de030000 00000000
      """
    let socket = try #require(InternetSocket(message(text + Self.information), .stream))
    #expect(socket.family == .ipv6 && socket.source == IPAddress("10.64.0.2") && socket.isOrphan)
  }

  @Test func whatIsNoSocketIsLeftOut() {
    // What remains after a connection has no counters.
    #expect(InternetSocket(message(Self.head), .stream) == nil)
    #expect(InternetSocket(message(Self.head), .datagram)?.sent == nil)
    let whole = hex(Self.head + Self.information)
    for count in 0..<72 {
      let cut = NetlinkMessage(type: 20, flags: 2, sequence: 1, port: 7, payload: Array(whole.prefix(count)))
      #expect(InternetSocket(cut, .stream) == nil && InternetSocket(cut, .datagram) == nil)
    }
    // Counters that an older kernel lacks.
    for count in 76..<whole.count {
      var cut = Array(whole.prefix(count))
      cut[72] = UInt8(count - 72)
      let message = NetlinkMessage(type: 20, flags: 2, sequence: 1, port: 7, payload: cut)
      #expect(InternetSocket(message, .stream)?.received == nil)
    }
  }

  @Test func oneInterfacesSocketsAreAskedFor() throws {
    let done = { (number: UInt8) in
      var answer = hex("14000000 0300 0200 01000000 07000000 00000000")
      answer[8] = number
      return answer
    }
    let fake = FakeNetlinkSocket([done(1), done(2)])
    try NetlinkSession(fake).sockets(boundTo: 5, [.datagram]) { _ in }
    let request =
      hex(
        """
        54000000 1400 0103 01000000 07000000  ; SOCK_DIAG_BY_FAMILY, a dump
        02 11 02 00  bfffffff                 ; AF_INET, UDP, INET_DIAG_INFO; every state but TIME_WAIT
        """) + [UInt8](repeating: 0, count: 48)
      + hex("0c00 0100  09 08 0c00 05000000 ; INET_DIAG_REQ_BYTECODE: INET_DIAG_BC_DEV_COND 5")
    #expect(fake.sent.first == request)
    #expect(fake.sent.count == 2 && fake.sent.last?[16] == 10)
  }

  @Test func aDatagramSocketIsNeverDestroyed() throws {
    let fake = FakeNetlinkSocket()
    let socket = try #require(InternetSocket(message(Self.head), .datagram))
    #expect(try NetlinkSession(fake).destroy([socket]).count == 0)
    #expect(fake.sent.isEmpty)
  }

  @Test func eachAnswerIsItsOwnSockets() throws {
    let socket = try #require(InternetSocket(message(Self.head + Self.information), .stream))
    // Numbers 1 to 3: done, gone, not permitted; in another order.
    let failed = { (number: String, errno: String) in
      hex("24000000 0200 0001 \(number)000000 07000000 \(errno) 48000000 1500 0500 \(number)000000 07000000")
    }
    let fake = FakeNetlinkSocket([failed("02", "feffffff"), failed("03", "ffffffff"), FakeNetlinkSocket.done(1)])
    let result = try NetlinkSession(fake).destroy([socket, socket, socket])
    #expect(result.count == 1 && result.refusal?.code == .notPermitted)
    #expect(fake.sent.count == 1 && fake.sent.first?.count == 3 * 72)
  }

  @Test func aKernelThatCannotDestroySaysWhichOptionItLacks() throws {
    let fake = FakeNetlinkSocket([
      hex("24000000 0200 0001 01000000 07000000 a1ffffff 48000000 1500 0500 01000000 07000000")
    ])
    let refusal = try NetlinkSession(fake).refusalToDestroySockets()
    #expect(refusal?.message.contains("CONFIG_INET_DIAG_DESTROY") == true)
    #expect(try NetlinkSession(FakeNetlinkSocket([failedWithENOENT])).refusalToDestroySockets() == nil)
  }

  private var failedWithENOENT: [UInt8] {
    hex("24000000 0200 0001 01000000 07000000 feffffff 48000000 1500 0500 01000000 07000000")
  }
}
