import Glibc
import Testing

/// systemd's own client for Varlink, which knows nothing of modemd.
@Suite("varlinkctl", .timeLimit(.minutes(4)))
struct VarlinkctlTests {
  /// What the program is, or nil if this machine has none that is new enough: Debian 12 has none.
  static let program = SystemdTool.path(of: "varlinkctl", variable: "MODEMD_VARLINKCTL")
  static let reason: Comment = "needs varlinkctl of systemd 257 or later in PATH or MODEMD_VARLINKCTL"

  @Test("It finds no fault in any interface", .enabled(if: program != nil, reason))
  func interfaces() async throws {
    let found = try await ClientTool.run("find", ["Sources", "-name", "*.varlink"])
    let files = found.output.split(separator: "\n").map(String.init)
    #expect(files.count > 15)
    for file in files {
      let result = try await ClientTool.run(try #require(Self.program), ["validate-idl", file])
      #expect(result.status == 0, "\(file): \(result.text)")
    }
    // It finds faults where there are some.
    try await ClientTool.inFolder { scratch in
      let script = #"printf 'interface org.example.Wrong\nmethod list() -> ()\n' >"$0""#
      _ = try await ClientTool.run("sh", ["-c", script, "\(scratch)/wrong.varlink"])
      let result = try await ClientTool.run(try #require(Self.program), ["validate-idl", "\(scratch)/wrong.varlink"])
      #expect(result.status != 0)
    }
  }

  /// Runs a script with `$0`, the program, in the world of the demo.
  private static func inWorld(_ script: String) async throws -> ClientTool.Result {
    try await ClientTool.run(
      "\(ClientTool.binaries)/modem-simulator",
      ["up", "Scenarios/demo", "--", "bash", "-uc", script, try #require(program)])
  }

  @Test("It describes modemd, and what it describes is valid", .enabled(if: program != nil, reason))
  func descriptions() async throws {
    let result = try await Self.inWorld(
      #"""
      "$0" info "$MODEMD_SOCKET"
      for interface in $("$0" list-interfaces "$MODEMD_SOCKET"); do
        "$0" introspect "$MODEMD_SOCKET" "$interface" >"$MODEM_SIMULATOR_FOLDER/introspected" &&
          "$0" validate-idl "$MODEM_SIMULATOR_FOLDER/introspected" >"$MODEM_SIMULATOR_FOLDER/validated" &&
          echo "valid $interface"
      done
      """#)
    #expect(result.output.contains("Product: modemd"), "\(result.text)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("valid org.modemd.") } > 12, "\(result.text)")
    #expect(lines.contains("valid org.varlink.service"))
  }

  @Test("It calls, streams, and tells errors with their parameters", .enabled(if: program != nil, reason))
  func calls() async throws {
    let result = try await Self.inWorld(
      #"""
      "$0" call "$MODEMD_SOCKET" org.modemd.Modem.List '{}'; echo "= $?"
      "$0" call --more "$MODEMD_SOCKET" org.modemd.Verify.Number '{"number":"+4915112345678"}'; echo "= $?"
      "$0" call --collect "$MODEMD_SOCKET" org.modemd.Verify.Number '{"number":"+4915155555502"}' | wc -l; echo "= $?"
      "$0" call "$MODEMD_SOCKET" org.modemd.Verify.Number '{"number":"0770"}' 2>&1; echo "= $?"
      "$0" call "$MODEMD_SOCKET" org.modemd.Verify.Number '{"nunber":"0770"}' 2>&1; echo "= $?"
      """#)
    let parts = result.output.split(separator: "\n= ", omittingEmptySubsequences: false).map(String.init)
    try #require(parts.count == 6, "\(result.text)")
    #expect(parts[0].contains(#"{"modems":[{"id":"modem-"#))
    let stream = parts[1].split(separator: "\n").dropFirst()
    #expect(stream.first?.contains(#"{"event":"ready""#) == true && stream.count > 3, "\(parts[1])")
    #expect(stream.last?.contains(#""result":"verified""#) == true, "\(parts[1])")
    #expect(parts[2].split(separator: "\n").count == 2, "\(parts[2])")
    #expect(parts[3].contains("org.modemd.Verify.InvalidArgument") && parts[3].contains(#""argument":"number""#))
    #expect(parts[4].contains(#"{"parameter":"nunber"}"#), "\(parts[4])")
    #expect(parts[5].hasPrefix("1"))
  }

  @Test("It takes a socket and a stream over the bearer", .enabled(if: program != nil, reason))
  func descriptors() async throws {
    let result = try await Self.inWorld(
      #"""
      "$0" call -q "$MODEMD_SOCKET" org.modemd.Bearer.Connect '{}'
      call='{"host":"ip.operator.example","port":80}'
      "$0" --exec call "$MODEMD_SOCKET" org.modemd.Bearer.OpenSocket "$call" -- sh -c \
        'printf "GET /socket HTTP/1.0\r\nHost: ip.operator.example\r\n\r\n" >&3; head -n 1 <&3 | tr -d "\r"'
      printf 'GET /stream HTTP/1.0\r\nHost: ip.operator.example\r\n\r\n' |
        "$0" --upgrade call "$MODEMD_SOCKET" org.modemd.Bearer.OpenStream "$call" | head -n 1 | tr -d '\r'
      """#)
    #expect(result.output.split(separator: "\n").count { $0.hasPrefix("HTTP/1.1 404") } == 2, "\(result.text)")
  }
}

/// systemd-report, which reads figures of all services of a machine (systemd 260 and later).
@Suite("systemd-report", .timeLimit(.minutes(2)))
struct SystemdReportTests {
  static let program = SystemdTool.path(of: "systemd-report", variable: "MODEMD_SYSTEMD_REPORT")
  static let isPossible = program != nil && geteuid() == 0
  static let reason: Comment =
    "needs root, and systemd-report of systemd 260 or later in PATH, /usr/lib/systemd or MODEMD_SYSTEMD_REPORT"

  @Test("It reads modemd's figures, all of them", .enabled(if: isPossible, reason))
  func figures() async throws {
    // A folder of sources that is this test's own.
    let script = #"""
      modemctl verify +4915112345678 >"$MODEM_SIMULATOR_FOLDER/verified" || exit 1
      unshare -m sh -euc '
        mount -t tmpfs none /run/systemd && mkdir /run/systemd/report
        ln -s "$MODEM_SIMULATOR_FOLDER/metrics" /run/systemd/report/org.modemd
        "$0" list-sources --no-legend
        "$0" metrics --json=short >"$MODEM_SIMULATOR_FOLDER/told" 2>"$MODEM_SIMULATOR_FOLDER/complaints"
        "$0" describe --json=short >"$MODEM_SIMULATOR_FOLDER/described" 2>>"$MODEM_SIMULATOR_FOLDER/complaints"
      ' "$0"
      echo "complaints: $(wc -l <"$MODEM_SIMULATOR_FOLDER/complaints")"
      head -n 5 "$MODEM_SIMULATOR_FOLDER/complaints"
      modemctl metrics --json | grep -o '"name":"[^"]*"' | sort >"$MODEM_SIMULATOR_FOLDER/expected"
      grep -o '"name":"[^"]*"' "$MODEM_SIMULATOR_FOLDER/told" | sort >"$MODEM_SIMULATOR_FOLDER/names"
      diff "$MODEM_SIMULATOR_FOLDER/expected" "$MODEM_SIMULATOR_FOLDER/names" && echo same
      echo "described: $(grep -c '"name":"org.modemd' "$MODEM_SIMULATOR_FOLDER/described")"
      cat "$MODEM_SIMULATOR_FOLDER/told"
      """#
    let result = try await ClientTool.run(
      "\(ClientTool.binaries)/modem-simulator",
      ["up", "Scenarios/demo", "--", "sh", "-c", script, try #require(Self.program)])
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("org.modemd ") == true, "\(result.text)")
    #expect(lines.contains("complaints: 0") && lines.contains("same"), "\(result.text)")
    #expect(lines.contains { $0.hasPrefix("described: ") && $0 != "described: 0" })
    for figure in [
      #"{"name":"org.modemd.Modems","value":1}"#, #""name":"org.modemd.BearerUp","value":1,"object":"modem-"#,
      #""name":"org.modemd.SimState","value":"ready""#, #"{"name":"org.modemd.CheckWaitSecondsBucket","value":"#,
    ] {
      #expect(lines.contains { $0.contains(figure) }, "\(figure)")
    }
  }
}

/// Programs of a systemd that this machine may not have.
enum SystemdTool {
  /// The path that a variable names, or that of the program in PATH or beside systemd.
  static func path(of program: String, variable: String) -> String? {
    let named = getenv(variable).map { String(cString: $0) }
    let folders = getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    let candidates = named.map { [$0] } ?? (folders + ["/usr/lib/systemd"]).map { "\($0)/\(program)" }
    return candidates.first { access($0, X_OK) == 0 }
  }
}
