import ArgumentParser
import Glibc
import ModemAPIClient
import Varlink

/// Runs a verb: connects, and turns an error into its sentence on stderr and its exit status.
struct Session: Sendable {
  let client: ModemAPIClient

  static func run(_ options: CommonOptions, _ body: (Session) async throws -> Void) async throws {
    do {
      let path = options.socket ?? getenv("MODEMD_SOCKET").map { String(cString: $0) } ?? ModemAPIClient.defaultPath
      try await body(Session(client: try await ModemAPIClient.connect(to: path)))
    } catch let exit as ExitCode {
      throw exit
    } catch {
      let explanation = Explanation(error)
      Terminal.complain(explanation.sentence)
      throw explanation.status.code
    }
  }
}
