import JSONTree

/// A reply from a frame, which is read once.
struct ReceivedReply: Sendable {
  /// Whether further replies follow.
  let continues: Bool
  /// The error, if the reply is one.
  let failure: VarlinkError?
  /// Missing parameters count as `{}`.
  let parameters: JSONValue

  /// What a service may nest: as deep as replies of modemd get. A frame's length limits the number
  /// of values.
  private static let limits = JSONReader.Limits(depth: 512, values: .max)

  /// - Throws: if the frame is no reply.
  init(_ frame: [UInt8]) throws {
    guard case .object(let members) = try JSONReader.read(frame, Self.limits) else { throw NoReply() }
    switch members["continues"] {
    case nil, .null: continues = false
    case .bool(let value): continues = value
    default: throw NoReply()
    }
    let given = members["parameters"]
    parameters = given ?? .object([:])
    switch members["error"] {
    case nil, .null: failure = nil
    case .string(let name):
      let fields = given == .null ? .object([:]) : parameters
      failure = VarlinkError(name: name, encodedParameters: JSONCoding.encode(fields))
    default: throw NoReply()
    }
  }

  /// The parameters as a method declares them.
  func read<Parameters: Decodable>(_ type: Parameters.Type) throws -> Parameters {
    try JSONValueDecoder(parameters, of: .replies).decode(type)
  }

  /// The one reply of a call that has its connection for itself.
  ///
  /// - Throws: `VarlinkError` that the service answered, `VarlinkClientError.badReply`.
  static func only<Method: VarlinkMethod>(_ frame: [UInt8], of method: Method.Type) throws -> Method.Reply {
    guard let reply = try? ReceivedReply(frame), !reply.continues else {
      throw VarlinkClientError.badReply(method: Method.name)
    }
    if let failure = reply.failure { throw failure }
    guard let parameters = try? reply.read(Method.Reply.self) else {
      throw VarlinkClientError.badReply(method: Method.name)
    }
    return parameters
  }

  private struct NoReply: Error {}
}
