import ModemctlCommands

@main
enum Modemctl {
  static func main() async { await ModemctlCommand.main() }
}
