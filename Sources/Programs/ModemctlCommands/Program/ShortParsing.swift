import ArgumentParser
import ModemctlCore
import PlainArguments

/// Finds out what a command line means without all verbs. ArgumentParser looks at every verb of its
/// tree before it begins, which takes more time than most verbs do.
///
/// Nothing is decided against a command line here: what cannot be read in a short way is for the
/// whole tree, and so are help, completion and errors.
enum ShortParsing {
  /// The verb that a command line names, with its arguments.
  ///
  /// - Returns: nil if only the whole tree can tell.
  static func verb(of arguments: [String]) -> (any Verb)? {
    guard let name = arguments.first else { return nil }
    let rest = arguments.dropFirst()
    if let verb = plain(name, rest) { return verb }
    // Subcommands of its own, such as `help`, are no verbs.
    guard let verb = named(name) else { return nil }
    return (try? verb.parseAsRoot(Array(rest))) as? any Verb
  }

  /// The verbs that other programs call again and again, read without ArgumentParser.
  private static func plain(_ name: String, _ arguments: ArraySlice<String>) -> (any Verb)? {
    switch name {
    case "list":
      guard let given = given(arguments, positional: 0) else { return nil }
      var verb = List()
      verb.common = CommonOptions(given)
      return verb
    case "status":
      guard let given = given(arguments, positional: 1) else { return nil }
      var verb = Status()
      (verb.modem, verb.common) = (given.positional.first, CommonOptions(given))
      return verb
    case "bearer":
      guard let given = given(arguments, positional: 1) else { return nil }
      var verb = Bearer()
      (verb.modem, verb.common) = (given.positional.first, CommonOptions(given))
      return verb
    case "sim":
      guard let given = given(arguments, positional: 1) else { return nil }
      var verb = SIM()
      (verb.modem, verb.common) = (given.positional.first, CommonOptions(given))
      return verb
    default:
      return nil
    }
  }

  private static func given(_ arguments: ArraySlice<String>, positional: Int) -> PlainArguments? {
    PlainArguments(arguments, flags: ["--json", "--reveal"], values: ["--socket"], positional: positional)
  }

  private static func named(_ name: String) -> (any ParsableCommand.Type)? {
    for verb in Modemctl.verbs where verb.configuration.commandName == name { return verb }
    for provider in KnownProviders.commands {
      for verb in provider.verbs where verb.configuration.commandName == name { return verb }
    }
    return nil
  }
}

extension CommonOptions {
  fileprivate init(_ given: PlainArguments) {
    self.init()
    (json, reveal, socket) = (given.contains("--json"), given.contains("--reveal"), given["--socket"])
  }
}
