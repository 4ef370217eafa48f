import Glibc
import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

/// Commands of a user without privileges over the bearer, as `modemctl run` starts them. Nothing of
/// them leaves by the other uplink.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct RunWorldTests {
  private static let page = "the operator's page"

  /// Programs that know no proxy; HOST and FILES stand for the server's name and folder.
  static let programs: [(String, String)] = [
    ("curl", "curl -sS http://HOST/index.html"),
    ("curl", "curl -sS --cacert FILES/authority.pem -o /dev/null https://NAME/ && echo \"\(page)\""),
    ("git", "d=$(mktemp -d) && git clone -q http://HOST/repository $d/clone && cat $d/clone/page; rm -rf $d"),
    (
      "python3",
      "/usr/bin/python3 -c 'import urllib.request as r; print(r.urlopen(\"http://HOST/index.html\").read().decode())'"
    ),
    ("node", "node -e 'fetch(\"http://HOST/index.html\").then(a => a.text()).then(t => console.log(t))'"),
    ("wget", "wget -q -O - http://HOST/index.html"),
    ("sh", "for n in 1 2 3; do curl -sS http://HOST/index.html & done; wait"),
  ]

  @Test("programs that know nothing of a proxy reach the network of the bearer alone", arguments: ["ipv4", "ipv6"])
  func unchanged(family: String) async throws {
    try await ProxyUser.with(ProxyUser.scenario(#"{ "ipType": "\#(family)" }"#)) { user in
      let made = try await user.world.run([
        "sh", "-ec",
        """
        cd "$1"; mkdir work; cd work; git init -q; echo "$2" >page; git add page
        git -c user.name=n -c user.email=e@example.com commit -qm page; cd ..
        git clone -q --bare work repository; git -C repository update-server-info; chmod -R a+rX .
        """, "sh", user.files, Self.page,
      ])
      #expect(made.end == .exited(0), "\(made.error)")
      for (program, script) in Self.programs where Self.exists(program) {
        let script = script.replacing("HOST", with: user.host).replacing("FILES", with: user.files)
          .replacing("NAME", with: user.world.scenario.chain.aggregator.name)
        let result = try await user.run("sh", "-c", script)
        #expect(result.output.contains(Self.page), "\(script): \(result)")
      }
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  @Test("a static program of Go, which resolves names by itself", .enabled(if: exists("go"), "Go is not installed"))
  func staticProgram() async throws {
    try await ProxyUser.with { user in
      let source = """
        package main
        import ("fmt"; "io"; "net"; "os")
        func main() {
          c, err := net.Dial("tcp", os.Args[1])
          if err != nil { fmt.Println(err); os.Exit(1) }
          fmt.Fprint(c, "GET /index.html HTTP/1.0\\r\\n\\r\\n")
          io.Copy(os.Stdout, c)
        }
        """
      try user.world.folder.write(source, to: "www/main.go")
      let built = try await user.world.run([
        "sh", "-ec",
        #"cd "$1"; GOCACHE=/tmp/modemd-go-cache HOME=/tmp CGO_ENABLED=0 go build -o fetch main.go; chmod 755 fetch"#,
        "sh", user.files,
      ])
      #expect(built.end == .exited(0), "\(built.error)")
      let result = try await user.run(user.files + "/fetch", user.host)
      #expect(result.output.contains(Self.page), "\(result)")
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  @Test("Chromium, with its own sandbox inside", .enabled(if: exists("chromium"), "Chromium is not installed"))
  func browser() async throws {
    try await ProxyUser.with { user in
      let script = """
        d=$(mktemp -d); HOME=$d timeout 60 chromium --headless --no-first-run --disable-gpu --user-data-dir=$d/profile \
          --dump-dom "http://\(user.host)/index.html" 2>/dev/null; rm -rf $d
        """
      let result = try await user.run("sh", "-c", script)
      #expect(result.output.contains(Self.page), "\(result)")
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  static let losses: [(String, String?)] = [
    ("empty-tables", nil), ("drop-bearer 36", nil), ("renumber", nil), ("remove-interface", "restore-interface"),
    ("link-down", nil),
  ]

  @Test("a bearer that is lost or renumbered in the middle ends what runs, and nothing leaves by another way")
  func losses() async throws {
    try await ProxyUser.with { user in
      for (verb, repair) in Self.losses {
        let running = try await user.world.begin(user.confined(["curl", "-sSN", "http://\(user.host)/drip"]))
        let flows = try await user.world.eventually { running.output().contains("drip") }
        #expect(flows, "\(verb): \(running.error())")
        _ = try await user.world.perform(verb)
        #expect(try await user.world.eventually { running.process.end != nil }, "\(verb): it goes on")
        // 56: a failure to receive. A transfer without a length must not look complete.
        #expect(running.process.end == .exited(56), "\(verb): \(running.error())")
        if let repair { _ = try await user.world.perform(repair) }
        let works = try await user.world.eventually {
          try await user.run("curl", "-sS", "http://\(user.host)/index.html").output.contains(Self.page)
        }
        #expect(works, "\(verb)")
      }
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  @Test("another SIM in the middle ends what runs: it does not pay for what the first one began")
  func otherSIM() async throws {
    let sims = #""otherSIMs": [ { "iccid": "8949020000012349999", "imsi": "262011234569999" } ], "network""#
    let scenario = ProxyUser.scenario.replacing(#""network""#, with: sims)
    try await ProxyUser.with(scenario) { user in
      let running = try await user.world.begin(user.confined(["curl", "-sSN", "http://\(user.host)/drip"]))
      #expect(try await user.world.eventually { running.output().contains("drip") }, "\(running.error())")
      _ = try await user.world.perform("use-slot 2")
      #expect(try await user.world.eventually { running.process.end != nil }, "it goes on")
      #expect(running.process.end == .exited(56), "\(running.error())")
      let works = try await user.world.eventually {
        try await user.run("curl", "-sS", "http://\(user.host)/index.html").output.contains(Self.page)
      }
      #expect(works)
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  @Test("root's modemctl run, with the modem named, and a modem that is not there")
  func verb() async throws {
    try await ProxyUser.with { user in
      let url = "http://\(user.host)/index.html"
      let result = try await user.world.run(["modemctl", "run", "--modem", "wwan0", "--", "curl", "-sS", url])
      #expect(result.output.contains(Self.page) && result.end == .exited(0), "\(result)")
      let none = try await user.world.run(["modemctl", "run", "--modem", "wwan7", "--", "curl", "-sS", url])
      #expect(none.end != .exited(0) && none.error.contains("wwan7"), "\(none)")
      #expect(try await user.world.run(["modemctl", "run", "--", "sh", "-c", "exit 42"]).end == .exited(42))
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  @Test("curl by the proxy itself, over both languages, with the modem as its user")
  func proxy() async throws {
    try await ProxyUser.with { user in
      let url = "http://\(user.host)/index.html"
      let result = try await user.curl(url)
      #expect(result.output.contains(Self.page), "\(result)")
      let named = try await user.curl("--proxy-user", "wwan0:", url)
      #expect(named.output.contains(Self.page), "\(named)")
      let none = try await user.curl("--proxy-user", "wwan7:", url)
      #expect(none.end == .exited(97) && none.output == "", "\(none)")
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  static func exists(_ name: String) -> Bool {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { access($0 + name, X_OK) == 0 }
  }
}
