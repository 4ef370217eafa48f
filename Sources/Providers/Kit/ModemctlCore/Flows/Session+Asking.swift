import Varlink

/// What an error means for a line that somebody typed because a flow asked for it.
package struct LineRefusal: Sendable {
  let error: String
  /// The message before another line is read; nil if the flow ended before the line came, which the
  /// flow reports itself.
  let sentence: String?

  /// The line is wrong, and another line is read.
  package static func wrong<Failure: VarlinkErrorParameters>(_ error: Failure.Type, _ sentence: String) -> LineRefusal {
    LineRefusal(error: Failure.name, sentence: sentence)
  }

  /// The flow ended before the line came.
  package static func late<Failure: VarlinkErrorParameters>(_ error: Failure.Type) -> LineRefusal {
    LineRefusal(error: Failure.name, sentence: nil)
  }
}

extension Session {
  /// Asks for a line that a flow needs, until modemd accepts it or the flow has ended.
  ///
  /// - Parameters:
  ///   - method: passes the line to modemd.
  ///   - prompt: shown before the line on a terminal.
  ///   - missing: the error if standard input ends before such a line.
  ///   - status: of that error.
  ///   - refusals: the method's errors that do not end the verb.
  ///   - parameters: the method's parameters for a line.
  /// - Throws: `ModemctlError` if there are no more lines, and whatever the method throws.
  package func ask<Method: VarlinkMethod>(
    for method: Method.Type, prompt: String, missing: String, status: ExitStatus = .usage, refusals: [LineRefusal],
    parameters: (String) -> Method.Parameters
  ) async throws {
    while let line = try console.readSecret(prompt) {
      do {
        _ = try await call(method, parameters(line), within: .answer)
        return
      } catch let error as VarlinkError {
        guard let refusal = refusals.first(where: { $0.error == error.name }) else { throw error }
        guard let sentence = refusal.sentence else { return }
        complain(sentence)
      }
    }
    throw ModemctlError(status, missing)
  }
}
