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

  @Test("Its table of exit statuses is the program's, in the same words")
  func exitStatuses() throws {
    let section = try #require(Self.page.split(separator: ".SH EXIT STATUS\n").last)
    let entries = section.split(separator: ".PP\n")[0].split(separator: ".TP\n").compactMap { entry -> String? in
      let lines = entry.split(separator: "\n")
      guard let head = lines.first, head.hasPrefix(".B "), let number = Int32(head.dropFirst(3)) else { return nil }
      let text = lines.dropFirst().joined(separator: " ")
      return "\(number) \(text)"
    }
    #expect(entries == ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" })
  }

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
