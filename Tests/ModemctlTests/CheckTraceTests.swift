import FoundationEssentials
import Glibc
import ModemAPI
import ModemAPIClient
import ModemAPIServer
import ModemService
@_spi(Exchange) import RedirectChain
import Subprocess
import Synchronization
import Testing
import Varlink
@_spi(Exchange) import Web

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("What a hop tells, and whom", .timeLimit(.minutes(1))) struct CheckTraceTests {
  private static let secret = "tok3n-geheim"

  private static let chain: CheckService.ChainRunner = { request, _, onHop in
    var hop = ChainHop(
      .init(
        index: 1, url: request.url, headers: [.init(name: "Authorization", value: "Bearer \(secret)")],
        cookieNames: ["sid"]))
    hop.address = "2001:db8::1"
    hop.addresses = ["2001:db8::1", "203.0.113.1"]
    hop.tlsVersion = "1.2"
    hop.status = 302
    hop.bodyBytes = 7
    hop.cookiesSet = ["a", "b"]
    hop.trace = [.init(name: "X-Request-ID", value: "req-1")]
    hop.secrets.revealed.answerFields = [
      .init(name: "Set-Cookie", value: "a=\(secret)"), .init(name: "Server", value: "gateway"),
    ]
    onHop(hop)
    return .failed(
      ChainFailure(
        .rateLimited, hop: 1, retryAfter: 30, answer: ChainAnswer(status: 429, contentType: nil, body: []), "slowly"))
  }

  private static func replies(
    _ service: MemoryService, reveal: Bool?
  ) async throws -> (hop: CheckInterface.Hop?, outcome: CheckInterface.Outcome?, text: String) {
    var replies: [CheckInterface.Open.Reply] = []
    for try await reply in try await ModemAPIClient.connect(to: service.path).stream(
      CheckInterface.Open.self, .init(url: "https://check.example:8443/x?code=\(secret)", reveal: reveal))
    { replies.append(reply) }
    let text = String(decoding: try JSONEncoder().encode(replies), as: UTF8.self)
    return (replies.first { $0.hop != nil }?.hop, replies.last?.outcome, text)
  }

  @Test(
    "Without `reveal` a hop tells hosts, names and times; values only of fields that are harmless or the operator's")
  func masked() async throws {
    try await MemoryService.run(chain: Self.chain) { service in
      for reveal in [nil, false] {
        let (hop, outcome, text) = try await Self.replies(service, reveal: reveal)
        #expect(!text.contains(Self.secret))
        #expect(hop?.url == "https://check.example:8443/…" && hop?.family == .ipv6 && hop?.tlsVersion == "1.2")
        #expect(hop?.addresses == ["2001:db8::1", "203.0.113.1"] && hop?.bodyBytes == 7 && hop?.method == .get)
        #expect(hop?.cookies == ["sid"] && hop?.setCookies == ["a", "b"] && (hop?.start ?? -1) >= 0)
        #expect(hop?.requestFields == [.init(name: "Authorization")])
        #expect(hop?.answerFields == [.init(name: "Set-Cookie"), .init(name: "Server", value: "gateway")])
        #expect(hop?.traceFields == [.init(name: "X-Request-ID", value: "req-1")])
        #expect(outcome?.failure?.retryAfterMilliseconds == 30_000 && outcome?.answer?.status == 429)
        #expect(outcome?.waitedMilliseconds != nil)
      }
    }
  }

  @Test("With `reveal` it tells all, to who may know it")
  func revealed() async throws {
    try await MemoryService.run(chain: Self.chain) { service in
      let (hop, _, _) = try await Self.replies(service, reveal: true)
      #expect(hop?.url == "https://check.example:8443/x?code=\(Self.secret)")
      #expect(hop?.requestFields == [.init(name: "Authorization", value: "Bearer \(Self.secret)")])
      #expect(hop?.answerFields?.first == .init(name: "Set-Cookie", value: "a=\(Self.secret)"))
    }
  }

  @Test("A hop's secrets print redacted, whichever way they are printed")
  func redacted() throws {
    let url = try WebURL("https://check.example/?code=\(Self.secret)")
    let hop = ChainHop(.init(index: 1, url: url, headers: [.init(name: "Authorization", value: Self.secret)]))
    var dumped = ""
    dump(hop, to: &dumped)
    for text in ["\(hop)", String(reflecting: hop), dumped] { #expect(!text.contains(Self.secret)) }
  }

  @Test(
    "Who may have secrets revealed: root, modemd's own user, and the groups that are named",
    arguments: [
      (Peer(processID: 1, userID: 0, groupIDs: [0]), true), (Peer(processID: 1, userID: 990, groupIDs: [990]), true),
      (Peer(processID: 1, userID: 1000, groupIDs: [1000, 985]), false),
      (Peer(processID: 1, userID: 1000, groupIDs: [1000, 985, 77]), true),
    ])
  func access(peer: Peer, isAllowed: Bool) {
    let policy = AccessPolicy(groupIDs: [985], revealGroupIDs: [77], ownUserID: 990)
    #expect(policy.allowsRevealing(peer) == isAllowed)
  }

  /// A user that is neither root nor modemd's own.
  private static let stranger = 65_534

  /// Sends one call as that user, and gives what comes until its last reply.
  private static func call(_ method: String, _ parameters: String, on service: MemoryService) async throws -> String {
    // The service's own set-up lets its user alone reach the socket.
    chmod(service.path, 0o666)
    chmod(String(service.path.dropLast("/socket".count)), 0o755)
    let script = """
      import json, os, socket, sys
      os.setgroups([]); os.setgid(int(sys.argv[3])); os.setuid(int(sys.argv[3]))
      s = socket.socket(socket.AF_UNIX); s.settimeout(30); s.connect(sys.argv[1])
      s.sendall(sys.argv[2].encode() + b"\\0")
      data = b""
      while True:
          piece = s.recv(65536)
          data += piece
          frames = data.split(b"\\0")
          if not piece or any(not json.loads(f).get("continues") for f in frames[:-1]): break
      print(data.replace(b"\\0", b"\\n").decode())
      """
    let frame = #"{"method":"org.modemd.Check.\#(method)","parameters":\#(parameters),"more":true}"#
    let result = try await Subprocess.run(
      .name("python3"), arguments: ["-c", script, service.path, frame, "\(stranger)"],
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
    return result.standardOutput
  }

  @Test(
    "Another user may open checks and not have them revealed; its history is its own, and root's is everybody's",
    .enabled(if: geteuid() == 0, "another user is only to be had as root"))
  func otherUser() async throws {
    let policy = AccessPolicy(groupIDs: [UInt32(Self.stranger)], ownUserID: 4_000_000)
    try await MemoryService.run(access: policy, chain: Self.chain) { service in
      let opened = try await Self.call("Open", #"{"url":"https://check.example/?code=\#(Self.secret)"}"#, on: service)
      #expect(opened.contains("X-Request-ID") && opened.contains("rateLimited") && !opened.contains(Self.secret))
      let denied = try await Self.call(
        "Open", #"{"url":"https://check.example/?code=\#(Self.secret)","reveal":true}"#, on: service)
      #expect(denied.contains("org.varlink.service.PermissionDenied") && !denied.contains("hop"))
      let own = await service.modemctl("open", "https://own.example/")
      #expect(own.status == .chainFailed)
      let theirs = try await Self.call("History", "{}", on: service)
      #expect(theirs.contains("check.example") && !theirs.contains("own.example"))
      let all = await service.modemctl("history")
      #expect(all.output.contains("check.example") && all.output.contains("own.example"))
      #expect(all.output.contains("rateLimited at hop 1") && all.output.contains("\(Self.stranger)"))
    }
  }

  private static func post(_ change: (inout CheckInterface.Open.Parameters) -> Void) -> CheckInterface.Open.Parameters {
    var parameters = CheckInterface.Open.Parameters(url: "https://check.example/")
    change(&parameters)
    return parameters
  }

  private static func request(_ parameters: CheckInterface.Open.Parameters) async throws -> ChainRequest? {
    let seen = Mutex<ChainRequest?>(nil)
    try await MemoryService.run(chain: { request, _, _ in
      seen.withLock { $0 = request }
      return .answer(ChainAnswer(status: 204, contentType: nil, body: []))
    }) { service in
      _ = try await ModemAPIClient.connect(to: service.path).call(CheckInterface.Open.self, parameters)
    }
    return seen.withLock { $0 }
  }

  @Test("A body makes a POST, with the type that is given or its own")
  func bodies() async throws {
    let json = try await Self.request(Self.post { $0.json = .object(["a": .string("/")]) })
    #expect(json?.method == .post(.json(#"{"a":"/"}"#)))
    let text = try await Self.request(Self.post { ($0.text, $0.method) = ("ü", .post) })
    #expect(text?.method == .post(.text("ü")))
    let form = try await Self.request(
      Self.post { ($0.text, $0.contentType) = ("a=1", "application/x-www-form-urlencoded") })
    #expect(form?.method.body?.contentType == "application/x-www-form-urlencoded")
    let bytes = try await Self.request(Self.post { ($0.base64, $0.contentType) = ("AP8=", "application/octet-stream") })
    #expect(bytes?.method.body?.bytes == [0, 255])
    let empty = try await Self.request(Self.post { $0.method = .post })
    #expect(empty?.method == .post(.init([], contentType: nil)))
    #expect(try await Self.request(Self.post { _ in })?.method == .get)
  }

  @Test("Options of a call reach the policy")
  func policy() async throws {
    let plain = try await Self.request(Self.post { _ in })
    #expect(plain?.policy.newestTLS == .tls13 && plain?.policy.learnsOrigins == true)
    let other = try await Self.request(Self.post { ($0.tlsAtMost, $0.learn) = (.tls12, false) })
    #expect(other?.policy.newestTLS == .tls12 && other?.policy.learnsOrigins == false)
  }

  private static let wrong: [(String, CheckInterface.Open.Parameters)] = [
    ("method", post { ($0.method, $0.text) = (.get, "x") }), ("contentType", post { $0.contentType = "text/plain" }),
    ("text", post { ($0.json, $0.text) = (.object([:]), "x") }),
    ("base64", post { ($0.text, $0.base64) = ("x", "eA==") }),
    ("base64", post { ($0.base64, $0.contentType) = ("*", "a/b") }), ("contentType", post { $0.base64 = "eA==" }),
    ("contentType", post { ($0.text, $0.contentType) = ("x", "a/b\r\nX: y") }),
    ("text", post { $0.text = String(repeating: "x", count: 65_537) }),
  ]

  @Test("A body that cannot be is refused by the option's name", arguments: wrong)
  func wrongBodies(option: String, parameters: CheckInterface.Open.Parameters) async throws {
    let error = await #expect(throws: VarlinkError.self) { _ = try await Self.request(parameters) }
    #expect(error?.parameters(as: CheckInterface.InvalidOption.self)?.option == option)
  }

  @Test("modemctl posts a body from an argument or a file, byte for byte")
  func posting() async throws {
    let path = "/tmp/modemctl-body-\(getpid())"
    try ArgumentFile.write(#"{ "code" : 1 }"#, to: path)
    defer { unlink(path) }
    let seen = Mutex<[ChainRequest]>([])
    try await MemoryService.run(chain: { request, _, _ in
      seen.withLock { $0.append(request) }
      return .answer(ChainAnswer(status: 204, contentType: nil, body: []))
    }) { service in
      for arguments in [
        ["--data", "@\(path)"], ["--data", "a=1", "--content-type", "text/x"], ["--tls-at-most", "1.2", "--no-learn"],
      ] {
        let recorder = RecordingConsole()
        let status = await Modemctl.run(
          ["open", "https://check.example/"] + arguments,
          on: recorder.console(variables: ["MODEMD_SOCKET": service.path]))
        #expect(Ending(rawValue: status) == .done, "\(recorder.messages)")
      }
      let run = await service.modemctl("open", "https://check.example/", "--content-type", "text/x")
      #expect(run.status == .usage)
    }
    let requests = seen.withLock { $0 }
    #expect(requests.count == 3)
    #expect(requests[0].method == .post(.init(Array(#"{ "code" : 1 }"#.utf8), contentType: "application/json")))
    #expect(requests[1].method == .post(.init(Array("a=1".utf8), contentType: "text/x")))
    #expect(requests[2].method == .get && requests[2].policy.newestTLS == .tls12 && !requests[2].policy.learnsOrigins)
  }
}
