import Glibc

/// The shell that a person gets in a world.
extension World {
  /// The command that starts it.
  ///
  /// - Parameter isInteractive: whether a person types; otherwise the shell reads commands from its
  ///   standard input.
  /// - Throws: `WorldError`.
  package nonisolated func shell(isInteractive: Bool) throws -> [String] {
    guard isInteractive else { return ["/bin/sh"] }
    let own = Programs.environment["SHELL"].flatMap { $0.hasPrefix("/") && access($0, X_OK) == 0 ? $0 : nil }
    let shell = own ?? "/bin/sh"
    guard shell.hasSuffix("/bash") else { return [shell] }
    // A person's own start file may set PATH as a whole.
    let path = variables["PATH"].map { $0.split(separator: "'").joined(separator: #"'\''"#) } ?? ""
    try folder.write(
      """
      if [ -r ~/.bashrc ]; then . ~/.bashrc; fi
      PATH='\(path)'
      PS1="(world) $PS1"

      """, to: "bashrc")
    return [shell, "--rcfile", folder.file("bashrc"), "-i"]
  }
}
