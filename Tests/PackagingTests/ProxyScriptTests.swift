import Glibc
import Testing

@Suite("modemd-proxy", .timeLimit(.minutes(1)))
struct ProxyScriptTests {
  private static let script = "\(Tool.repository)/systemd/modemd-proxy"
  private static let areReal =
    getuid() == 0 && Tool.exists("unshare")
    && ["mbim-proxy", "qmi-proxy"].allSatisfy { access("/usr/libexec/\($0)", X_OK) == 0 }

  /// Two in a network namespace of their own. The second one waits while the first one serves, is
  /// the proxy when that has gone, and ends as a proxy ends.
  private static let handover = """
    set -eu
    is() { read -r comm <"/proc/$1/comm" && [ "$comm" = "$2" ]; }
    until_so() { i=0; until "$@"; do i=$((i + 1)); [ $i -lt 300 ] || { echo "not so: $*"; exit 1; }; sleep 0.1; done; }
    serves() { grep -q "@$NAME\\$" /proc/self/net/unix; }
    /usr/libexec/$NAME --no-exit & first=$!
    until_so serves
    "$SCRIPT" $NAME 2>"$FOLDER/said" & second=$!
    until_so grep -q 'another program serves' "$FOLDER/said"
    is $second modemd-proxy
    kill $first; wait $first || :
    until_so is $second $NAME
    until_so serves
    kill $second; wait $second || :
    echo whole
    """

  @Test(
    "it waits while another program is the proxy, and then is it",
    .enabled(if: areReal, "needs root, unshare, mbim-proxy and qmi-proxy"), arguments: ["mbim-proxy", "qmi-proxy"])
  func handsOver(_ name: String) async throws {
    try await Scratch.with { scratch in
      let result = try await Tool.run(
        "unshare", ["--net", "sh", "-c", Self.handover],
        environment: ["NAME": name, "SCRIPT": Self.script, "FOLDER": scratch.path])
      #expect(result.output == "whole\n", "\(result.output) \(result.error)")
    }
  }

  @Test("a program that cannot be started is an error, and so is a name that is no proxy's")
  func errors() async throws {
    let missing = try await Tool.run(Self.script, ["mbim-proxy", "/nonexistent"])
    #expect(missing.status == 127)
    for words in [[], ["sh"], ["../bin/sh"], ["--free"], ["--free", "sshd"]] {
      let refused = try await Tool.run(Self.script, words)
      #expect(refused.status == 2)
      #expect(refused.error.contains("expected mbim-proxy or qmi-proxy"))
    }
  }

  /// Processes with what the kernel would say of them in a folder of the test's own: name, control
  /// group, whether it is to end.
  private static let processes = [
    ("mbim-proxy", #"/system.slice/system-modemd\x2dport.slice/modemd-port@cdc\x2dwdm0.service"#, true),
    ("qmi-proxy", #"/system.slice/system-modemd\x2dport.slice/modemd-port@cdc\x2dwdm0.service"#, false),
    ("modemd-port", #"/system.slice/system-modemd\x2dport.slice/modemd-port@cdc\x2dwdm0.service"#, false),
    ("mbim-proxy", "/system.slice/ModemManager.service", false),
    ("mbim-proxy", "/system.slice/modemd-mbim-proxy.service", false),
    ("mbim-proxy", "/user.slice/user-1000.slice/user@1000.service/app.slice/modemd-port@x.service", false),
    ("mbim-proxy", #"/system.slice/system-modemd\x2dport.slice/modemd-port@x.service/below"#, false),
  ]

  private static let freeing = """
    set -eu
    while read -r comm group; do
      sleep 300 & id=$!
      mkdir -p "$FOLDER/$id"
      echo "$comm" >"$FOLDER/$id/comm"
      printf '0::%s\\n' "$group" >"$FOLDER/$id/cgroup"
      echo $id >>"$FOLDER/ids"
    done <"$FOLDER/processes"
    mkdir "$FOLDER/1"
    "$SCRIPT" --free mbim-proxy "$FOLDER"
    for id in $(cat "$FOLDER/ids"); do
      # Its end tells who ended it: SIGTERM came first, or this SIGKILL.
      kill -KILL $id 2>/dev/null || :
      status=0
      wait $id || status=$?
      if [ $status = 143 ]; then echo ended; else echo lives; fi
    done
    """

  @Test("only a proxy in a port's own control group is ended for its sake")
  func frees() async throws {
    try await Scratch.with { scratch in
      File.write(
        Self.processes.map { "\($0.0) \($0.1)\n" }.joined(),
        to: scratch.path + "/processes")
      let result = try await Tool.run(
        "sh", ["-c", Self.freeing], environment: ["SCRIPT": Self.script, "FOLDER": scratch.path])
      #expect(result.status == 0, "\(result.error)")
      #expect(
        result.output.split(separator: "\n").map(String.init) == Self.processes.map { $0.2 ? "ended" : "lives" },
        "\(result.error)")
    }
  }
}
