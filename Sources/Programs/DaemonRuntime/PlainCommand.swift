import ArgumentParser

/// A daemon whose usual command line is read without ArgumentParser, which takes most of the time
/// from its start to its first answer.
package protocol PlainCommand: AsyncParsableCommand {
  /// The command that ArgumentParser would make of the arguments.
  ///
  /// - Parameter arguments: without the program's name.
  /// - Returns: nil if there is anything that it may see in another way; help and errors are
  ///   ArgumentParser's.
  static func plain(_ arguments: ArraySlice<String>) -> Self?
}

extension PlainCommand {
  /// The program.
  package static func main() async {
    guard var command = plain(CommandLine.arguments.dropFirst()) else { return await main(nil) }
    do {
      try await command.run()
    } catch {
      exit(withError: error)
    }
  }
}
