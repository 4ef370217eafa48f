import BenchmarkFigures
import FoundationEssentials

/// Calls of org.modemd.Check and what is read of their replies, and no type of the service's own:
/// the benchmark is a client like any other.
enum CheckCall {
  struct Open: Encodable {
    var url: String
    var modem: String?
    var redirectURI: String?
    var learn: Bool?
  }
  struct Prepare: Encodable {
    var url: String
  }
  struct Empty: Encodable {}
  struct Reply: Decodable {
    let parameters: Event?
    let continues: Bool?
    let error: String?
  }
  struct Event: Decodable {
    let event: String?
    let hop: Hop?
    let outcome: Outcome?
    /// In the reply of a preparation.
    let connected: Int?
  }
  struct Hop: Decodable {
    let reused: Bool
    let times: Times
  }
  struct Times: Decodable {
    let dns: Double?
    let connect: Double?
  }
  struct Outcome: Decodable {
    let result: String
    let failure: Failure?
  }
  struct Failure: Decodable {
    let cause: String
    let text: String
  }
  struct Modems: Decodable {
    struct Parameters: Decodable {
      struct Modem: Decodable {
        let id: String
      }
      let modems: [Modem]
    }
    let parameters: Parameters
  }

  private struct Call<Parameters: Encodable>: Encodable {
    let method: String
    let parameters: Parameters
    let more: Bool
  }

  /// A call as it is sent.
  static func frame(_ method: String, _ parameters: some Encodable, more: Bool) throws -> [UInt8] {
    Array(try JSONEncoder().encode(Call(method: method, parameters: parameters, more: more))) + [0]
  }

  /// The next reply of a check.
  ///
  /// - Throws: when it is an error, or an outcome that is a failure.
  static func reply(on connection: VarlinkConnection) throws -> Reply {
    let reply = try JSONDecoder().decode(Reply.self, from: Data(try connection.receive()))
    if let error = reply.error { throw BenchmarkError("the service answered \(error)") }
    if let failure = reply.parameters?.outcome?.failure {
      throw BenchmarkError("the chain failed: \(failure.cause): \(failure.text)")
    }
    return reply
  }

  /// Ids of the service's modems.
  static func modems(of socket: String) throws -> [String] {
    let reply = try VarlinkConnection(path: socket).call("org.modemd.Modem.List")
    return try JSONDecoder().decode(Modems.self, from: Data(reply.utf8)).parameters.modems.map(\.id).sorted()
  }
}
