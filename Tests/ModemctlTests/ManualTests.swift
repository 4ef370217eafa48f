import ArgumentParser
import FoundationEssentials
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("The manual page of modemctl") struct ManualTests {
  private static let page: String = {
    let folder = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let bytes = (try? ArgumentFile.read("\(folder)/Docs/man/modemctl.1", for: "the manual page")) ?? []
    return String(decoding: bytes, as: UTF8.self).replacing("\\-", with: "-")
  }()

  @Test("It has every verb, and every option that the verbs take")
  func complete() throws {
    #expect(Self.page.hasPrefix(".TH MODEMCTL 1"))
    for verb in Modemctl.configuration.subcommands {
      let name = verb._commandName
      let heads = [".B \(name)\n", ".B \(name) ", ".BI \(name) ", ".BI \"\(name) "]
      #expect(heads.contains { Self.page.contains("\n\($0)") }, "\(name)")
      let help = Modemctl.helpMessage(for: verb, columns: 200)
      for match in help.matches(of: #/--[a-z][a-z-]*/#) where !["--help", "--version"].contains(match.output) {
        #expect(Self.page.contains(match.output), "\(name) \(match.output)")
      }
    }
  }
}
