import Testing

/// The examples that speak to modemd by hand, and those with a client: built as their first lines
/// say, and run in a world.
@Suite("Examples in other languages", .timeLimit(.minutes(8)))
struct ExampleWorldTests {
  enum Language: String, CaseIterable, Sendable {
    case c, go, javascript, python, shell, swift

    /// Makes `$0/program`, in the repository's folder.
    var build: String {
      switch self {
      case .c: #"gcc -std=c11 -O2 -Wall -Wextra -Werror -o "$0/program" Examples/c/verify_number.c -ljson-c"#
      case .go:
        """
        test -z "$(gofmt -l Examples/go)"
        GO111MODULE=off GOCACHE="$0/cache" HOME="$0" go build -o "$0/program" Examples/go/verify_number.go
        """
      case .javascript:
        """
        mkdir "$0/node_modules" && ln -s "$PWD/clients/javascript" "$0/node_modules/modemd"
        cp Examples/javascript/verify_number.mjs "$0/"
        printf '#!/bin/sh\\nexec node "%s" "$@"\\n' "$0/verify_number.mjs" >"$0/program"
        """
      case .python:
        """
        printf '#!/bin/sh\\nPYTHONPATH=%s exec /usr/bin/python3 -B "%s" "$@"\\n' "$PWD/clients/python/src" \\
          "$PWD/Examples/python/verify_number.py" >"$0/program"
        """
      case .shell: #"cp Examples/shell/verify-number "$0/program""#
      case .swift: #"ln -s "$1/verify-number" "$0/program""#
      }
    }
  }

  /// Runs `body` with the path of a built example.
  private static func with(_ language: Language, _ body: (String) async throws -> Void) async throws {
    try await ClientTool.inFolder { scratch in
      let script = language.build + "\n" + #"test -L "$0/program" || chmod +x "$0/program""#
      let made = try await ClientTool.run("sh", ["-euc", script, scratch, ClientTool.binaries])
      try #require(made.status == 0, "run scripts/install-dependencies test: \(made.text)")
      try await body("\(scratch)/program")
    }
  }

  @Test("Each verifies numbers in a world, and ends as the outcome says", arguments: Language.allCases)
  func world(language: Language) async throws {
    try await Self.with(language) { program in
      let script = """
        for number in +4915112345678 +4915155555502 0770; do
          "$0" "$number" 2>&1 && echo "= 0" || echo "= $?"
        done
        MODEMD_SOCKET=$MODEM_SIMULATOR_FOLDER/none "$0" +4915112345678 2>&1 || echo "= $?"
        "$0" 2>&1 || echo "= $?"
        """
      let result = try await ClientTool.run(
        "\(ClientTool.binaries)/modem-simulator", ["up", "Scenarios/demo", "--", "sh", "-c", script, program])
      #expect(result.status == 0, "\(result.text)")
      var runs: [[String]] = [[]]
      for line in result.output.split(separator: "\n").map(String.init) {
        runs[runs.count - 1].append(line)
        if line.hasPrefix("= ") { runs.append([]) }
      }
      try #require(runs.count == 6, "\(result.text)")
      for (run, end) in zip(runs, [("verified: ", "= 0"), ("notVerified: ", "= 1")]) {
        #expect(run.first?.hasPrefix("step 1: ") == true && run.count > 3, "\(run)")
        #expect(run.last == end.1 && run.dropLast().last?.hasPrefix(end.0) == true, "\(run)")
      }
      #expect(runs[2].last == "= 2" && runs[2].joined().contains("org.modemd.Verify.InvalidArgument"), "\(runs[2])")
      #expect(runs[3].last == "= 2" && runs[3].count == 2, "\(runs[3])")
      #expect(runs[4].last == "= 2" && runs[4].joined().contains("usage: verify"), "\(runs[4])")
    }
  }

  /// Listens, runs a program, and answers its call with the given bytes, one in each write.
  private static let server = #"""
    import os, socket, subprocess, sys, tempfile, threading

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()

        def answer(connection):
            with connection:
                call = b""
                while not call.endswith(b"\0"):
                    more = connection.recv(4096)
                    if not more:
                        return
                    call += more
                try:
                    for byte in bytes.fromhex(sys.argv[1]):
                        connection.sendall(bytes([byte]))
                except OSError:
                    pass

        def serve():
            # A client may keep a connection beside that of its call.
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=answer, args=[connection], daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        environment = {**os.environ, "MODEMD_SOCKET": path}
        ended = subprocess.run(sys.argv[2:], env=environment, stdin=subprocess.DEVNULL, timeout=60)
        sys.exit(ended.returncode)
    """#

  /// What a server sends, how a program must end then, and what it must print.
  private static let conversations: [(String, Int32, String)] = {
    let ready = #"{"parameters":{"event":"ready"},"continues":true}"# + "\0"
    let step = """
      {"parameters":{"event":"step","step":{"index":1,"name":"größe – 号","lane":"host","host":null,"status":null,\
      "start":0.5,"milliseconds":2.5,"failure":null}},"continues":true}\0
      """
    let outcome = #"{"parameters":{"event":"outcome","outcome":{"result":"verified","text":"it is","milliseconds":3}}}"#
    return [
      (ready + step + outcome + "\0", 0, "step 1: größe – 号, 2.5 ms \nverified: it is\n"),
      (ready + step + outcome.replacing("verified", with: "verifiedTwice") + "\0", 1, "verifiedTwice: it is\n"),
      (ready + step + outcome, 2, ""),
      (ready + "{]\0", 2, ""),
      (#"{"error":"org.modemd.Check.TooManyFlows","parameters":{"limit":1,"retryAfterMilliseconds":5}}"# + "\0", 2, ""),
      ("", 2, ""),
    ]
  }()

  @Test("Each reads messages that come byte by byte, and ends with 2 when they end early", arguments: Language.allCases)
  func pieces(language: Language) async throws {
    try await Self.with(language) { program in
      for (bytes, status, printed) in Self.conversations {
        let hex = bytes.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let result = try await ClientTool.run("/usr/bin/python3", ["-c", Self.server, hex, program, "+447700900123"])
        #expect(result.status == status, "\(language) after \(bytes): \(result.text)")
        #expect(
          result.output.hasSuffix(printed) && (status != 2 || !result.error.isEmpty), "\(language): \(result.text)")
      }
    }
  }
}
