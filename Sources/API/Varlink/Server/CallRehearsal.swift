import NIOCore

/// Reads a call and writes its replies for nobody, so that the first caller need not wait for what
/// a process looks up only once: the conformances of the wire types, and the code of reader and
/// writer.
package enum CallRehearsal {
  /// - Parameters:
  ///   - call: a whole call of the method, as a client sends it, without the NUL at its end.
  ///   - replies: replies such as the method's handler would send.
  /// - Returns: bytes that the replies would have on the wire.
  /// - Throws: if it is no call that the method could serve.
  @discardableResult
  package static func run<Method: VarlinkMethod>(
    _ method: Method.Type, call: String, replies: [Method.Reply]
  ) throws -> Int {
    let read = try ReadCall.read(Array(call.utf8), VarlinkServer.Limits().json)
    _ = try CallBody<Method.Parameters>.read(read.source)
    return replies.reduce(0) { $0 + Frame.reply(JSONCoding.encode($1), continues: true).readableBytes }
  }
}
