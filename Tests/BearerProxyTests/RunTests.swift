import Glibc
import Testing

import BearerStreams

@Suite(
  "A command whose connections go to the proxy", .timeLimit(.minutes(1)),
  .enabled(Confined.reason) { await Confined.isAllowed() })
struct RunTests {
  private func with(
    isAllowed: Bool = true, failure: StreamError? = nil, _ body: (Confined, ProxyWorld) async throws -> Void
  ) async throws {
    try await ProxyWorld.with(isAllowed: { _ in isAllowed }, failure: failure) { world in
      let confined = try Confined(world)
      defer { confined.remove() }
      try await body(confined, world)
    }
  }

  @Test("names reach the proxy as names, addresses of both families as addresses, and bytes pass both ways")
  func connects() async throws {
    try await with { run, world in
      let result = try await run.python(
        """
        for host, port in ("www.example", 80), ("203.0.113.9", 81), ("2001:db8::9", 82), ("WWW.example", 83):
          with socket.create_connection((host, port)) as s:
            s.sendall(b"hello"); s.shutdown(socket.SHUT_WR)
            print(s.makefile().read())
        """)
      #expect(result.output == "HELLO\nHELLO\nHELLO\nHELLO\n", "\(result)")
      #expect(result.error == "")
      #expect(world.requests.map(\.host) == ["www.example", "203.0.113.9", "2001:db8::9", "www.example"])
      #expect(world.requests.map(\.port) == [80, 81, 82, 83])
    }
  }

  @Test("megabytes pass both ways at once, also to a program that reads slowly")
  func passesMuch() async throws {
    try await with { run, _ in
      let result = try await run.python(
        """
        import threading
        s = socket.create_connection(("www.example", 80))
        threading.Thread(target=lambda: (s.sendall(b"a" * 8000000), s.shutdown(socket.SHUT_WR))).start()
        time.sleep(0.5)
        count = 0
        while True:
          data = s.recv(65536)
          if not data: break
          assert data == b"A" * len(data)
          count += len(data)
        print(count)
        """)
      #expect(result.output == "8000000\n", "\(result)")
    }
  }

  @Test("what cannot go over the proxy fails at once")
  func failsAtOnce() async throws {
    try await with { run, world in
      let result = try await run.python(
        """
        begin = time.monotonic()
        UDP = socket.SOCK_DGRAM
        for family, address in ((2, ("8.8.8.8", 443)), (2, ("192.168.1.1", 9)), (2, ("224.0.0.251", 5353)),
            (10, ("2001:db8::1", 443)), (10, ("ff02::fb", 5353))):
          print(attempt(lambda: socket.socket(family, UDP).sendto(b"x", address)))
        for kind in ((2, socket.SOCK_RAW, 1), (17, socket.SOCK_RAW, 0), (2, UDP, 1)):
          print(attempt(lambda: socket.socket(*kind)))
        print(attempt(lambda: socket.socket().connect(("127.0.0.1", 22))))
        print(time.monotonic() - begin < 2, len(socket.if_nameindex()))
        """)
      let lines = result.output.split(separator: "\n")
      #expect(lines.prefix(5).allSatisfy { $0 == "ENETUNREACH" }, "\(result)")
      #expect(lines.dropFirst(5).prefix(3) == ["EPERM", "EPERM", "EACCES"], "\(result)")
      #expect(lines.suffix(2) == ["ECONNREFUSED", "True 1"], "\(result)")
      #expect(world.requests.isEmpty)
    }
  }

  @Test("every name server that a program may know is the relay, over UDP and TCP")
  func names() async throws {
    try await with { run, world in
      let result = try await run.python(
        """
        query = b"\\0\\7\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\3www\\7example\\0\\0\\1\\0\\1"
        for family, server in (2, "198.18.0.1"), (2, "8.8.8.8"), (2, "127.0.0.53"), (10, "2001:db8::53"):
          s = socket.socket(family, socket.SOCK_DGRAM); s.settimeout(5); s.connect((server, 53)); s.send(query)
          t = socket.create_connection((server, 53), 5); t.sendall(bytes([0, len(query)]) + query)
          print(s.recv(512) == t.recv(600)[2:])
        six = query[:-4] + b"\\0\\x1c\\0\\1"
        s.send(six); print(s.recv(512)[6:8])
        s.send(query.replace(b"www", b"w\\nw")); print(s.recv(512)[3] & 15)
        s.send(b"\\0\\7\\1\\0\\0\\1" + b"\\0" * 6 + b"\\x3f"); print(s.recv(512)[3] & 15)
        print(socket.gethostbyname("localhost"), socket.gethostbyname("www.example"), socket.gethostbyname("b.example"))
        """)
      #expect(
        result.output
          == "True\nTrue\nTrue\nTrue\nb'\\x00\\x00'\n3\n1\n127.0.0.1 198.18.0.2 198.18.0.3\n", "\(result)")
      #expect(world.requests.isEmpty)
    }
  }

  @Test("the machine's resolvers are hidden, and the user is the same without any privilege")
  func confined() async throws {
    try await with { run, _ in
      let result = try await run(
        "sh", "-c",
        """
        id -u; grep ^nameserver /etc/resolv.conf; grep ^hosts: /etc/nsswitch.conf; ls /run/nscd /run/avahi-daemon 2>/dev/null
        grep -h -e Cap -e NoNewPrivs /proc/self/status | tr -d '\\t '; env | grep -i _proxy=
        """, outer: ["env", "http_proxy=http://127.0.0.1:1", "ALL_PROXY=socks5://127.0.0.1:1"])
      let user = geteuid() == 0 ? "61005" : "\(geteuid())"
      let zero = "0000000000000000"
      #expect(
        result.output.hasPrefix("\(user)\nnameserver 198.18.0.1\nhosts: files dns\n")
          && result.output.hasSuffix(
            "CapInh:\(zero)\nCapPrm:\(zero)\nCapEff:\(zero)\nCapBnd:\(zero)\nCapAmb:\(zero)\nNoNewPrivs:1\n"),
        "\(result)")
    }
  }

  @Test("the exit status is the command's, by exit and by signal")
  func status() async throws {
    try await with { run, _ in
      #expect(try await run("sh", "-c", "exit 42").status == 42)
      #expect(try await run("sh", "-c", "kill -TERM $$").status == 143)
      #expect(try await run("sh", "-c", "kill -KILL $$").status == 137)
      let missing = try await run("/nowhere/at/all")
      #expect(missing.status == 127 && missing.error.contains("/nowhere/at/all"))
      #expect(try await run("/etc/passwd").status == 126)
    }
  }

  @Test("a command that waits for all of its children has only its own")
  func children() async throws {
    try await with { run, _ in
      let result = try await run.python("print(attempt(lambda: os.waitpid(-1, 0)))")
      #expect(result.output == "ECHILD\n", "\(result)")
    }
  }

  @Test("inherited sockets are closed, pipes and files are not")
  func descriptors() async throws {
    try await with { run, _ in
      let outer = """
        import os, socket, sys
        pair, udp = socket.socketpair(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        os.dup2(pair[0].fileno(), 20); os.dup2(udp.fileno(), 21)
        os.dup2(os.pipe()[0], 22); os.dup2(os.open("/etc/passwd", 0), 23); os.dup2(os.eventfd(0), 24)
        os.execvp(sys.argv[1], sys.argv[1:])
        """
      let result = try await run.python(
        "print([n for n in range(20, 25) if not isinstance(attempt(lambda: os.fstat(n)), str)])",
        outer: ["/usr/bin/python3", "-c", outer])
      #expect(result.output == "[22, 23]\n", "\(result)")
    }
  }

  @Test("without the right, or without a proxy, the command is not run, and is told why")
  func noRight() async throws {
    try await with(isAllowed: false) { run, world in
      let result = try await run("echo", "ran")
      #expect(result.status == 125 && result.output == "")
      #expect(result.error.contains("access.table"), "\(result)")
      await world.proxy.close()
      let without = try await run("echo", "ran")
      #expect(without.status == 125 && without.output == "" && without.error.contains("modemd does not run"))
    }
  }

  @Test("a refused connection is reset, and its reason is told without a terminal's commands")
  func refusals() async throws {
    try await with(failure: .notResolved(name: "h", text: "No \u{1b}[2Jsuch name.")) { run, _ in
      let result = try await run.python(
        """
        s = attempt(lambda: socket.create_connection(("www.example", 80)))
        print(s if isinstance(s, str) else attempt(lambda: s.recv(1)))
        """)
      #expect(result.output == "ECONNRESET\n" || result.output == "ECONNREFUSED\n", "\(result)")
      #expect(result.error == "modemctl run: www.example:80: No ?[2Jsuch name.\n")
    }
  }

  @Test("a connection that breaks does not look like one that has ended")
  func breaks() async throws {
    try await with { run, _ in
      let result = try await run.python(
        """
        s = socket.create_connection(("www.example", 80))
        s.sendall(b"a"); print(s.recv(9)); s.sendall(b".")
        last = attempt(lambda: s.recv(9))
        print(last if last != b"." else attempt(lambda: s.recv(9)))
        """)
      #expect(result.output == "b'A'\nECONNRESET\n", "\(result)")
    }
  }

  @Test("connections of processes that are left behind end with the command")
  func leftBehind() async throws {
    try await with { run, _ in
      // Two commands in one shell: the pipe tells what the process that is left behind sees.
      let script = """
        import errno, os, socket
        def attempt(what):
          try: return what()
          except OSError as error: return errno.errorcode[error.errno]
        s = socket.create_connection(("www.example", 80))
        if os.fork(): os._exit(0)
        print(attempt(lambda: s.recv(1)), attempt(lambda: socket.create_connection(("198.18.0.2", 80))), flush=True)
        """
      let result = try await run.through("cat", script: script)
      #expect(result.status == 0)
      // The kernel ends the relay's sockets with FIN or RST, and nobody listens any more.
      #expect(["b'' ECONNREFUSED\n", "ECONNRESET ECONNREFUSED\n"].contains(result.output), "\(result)")
    }
  }
}
