import FoundationEssentials
import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// A user of the simulated machine that the kernel knows as such: calls are made by a process with
/// that user's ids and nothing else.
struct LocalUser: Sendable {
  /// What came back of a call.
  struct Answer: Sendable {
    /// The error's name; nil for none.
    var error: String?
    /// Empty where the connection ended without an answer.
    var parameters: JSONValue?

    /// Whether the call was let through and answered.
    var isAnswered: Bool { error == nil && parameters != nil }
    var text: String { parameters.map { $0.text } ?? "nothing" }
  }

  static let daemonGroup: UInt32 = 1
  static let sysGroup: UInt32 = 3

  /// Two users with the group `daemon`, which stands for the group modemd, and one with `sys`,
  /// which is named in tables.
  static let first = LocalUser(userID: 61_001, groupIDs: [daemonGroup])
  static let second = LocalUser(userID: 61_002, groupIDs: [daemonGroup])
  static let trusted = LocalUser(userID: 61_003, groupIDs: [daemonGroup, sysGroup])
  static let stranger = LocalUser(userID: 61_004, groupIDs: [])
  /// One who is in every Debian's list of users, and whom no program runs as: `backup`.
  static let kiosk = LocalUser(userID: 34, groupIDs: [daemonGroup])

  let userID: UInt32
  let groupIDs: [UInt32]

  /// The user, its group and its further groups, as Tests/Browsers/browser takes them.
  var ids: String { ([userID, userID] + groupIDs).map { "\($0)" }.joined(separator: ",") }

  /// The words before a command that have it run as this user.
  var words: [String] {
    ["setpriv", "--reuid", "\(userID)", "--regid", "\(userID)"]
      + (groupIDs.isEmpty ? ["--clear-groups"] : ["--groups", groupIDs.map { "\($0)" }.joined(separator: ",")])
  }

  /// Perl's base is on every Debian: modemd's own programs may lie where this user may not go.
  private static let client = """
    $SIG{PIPE} = "IGNORE"; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "connect: $!"; $s->autoflush(1);
    print $s $ARGV[1] . "\\0"; local $/ = "\\0"; my $reply = <$s>; exit 0 unless defined $reply; chop $reply; print $reply;
    """

  /// Makes one call and reads its one answer.
  ///
  /// - Parameter parameters: as JSON.
  func call(
    _ method: String, _ parameters: String = "{}", in world: World, at socket: String? = nil
  ) async throws -> Answer {
    let call = #"{"method":"\#(method)","parameters":\#(parameters)}"#
    let run = try await world.run(
      words + ["perl", "-MIO::Socket::UNIX", "-e", Self.client, socket ?? world.folder.socket, call])
    #expect(run.end == .exited(0), "\(run.error)")
    guard let reply = JSONValue(parsing: Array(run.output.utf8)) else { return Answer() }
    return Answer(error: reply["error"]?.string, parameters: reply["parameters"])
  }
}

extension World {
  /// Lets members of the group `daemon` reach modemd's socket, as a machine's own folders let those
  /// of the group modemd.
  nonisolated func admitMembers() {
    chmod(folder.path, 0o711)
    chown(folder.socket, 0, LocalUser.daemonGroup)
  }
}
