import ArgumentParser
import Testing

@testable import modemd_port

@Suite("modemd-port's command lines read in a short way", .timeLimit(.minutes(1)))
struct PlainPortTests {
  @Test(
    "They mean what they mean to ArgumentParser, in each of their values",
    arguments: [
      "--device /dev/cdc-wdm0 --socket /run/a",
      "--elect --device /dev/a --protocol auto --socket /run/a --state-directory /run/b",
      "--device=/dev/a --socket=/run/a --protocol=mbim --interface wwan0 --configuration /etc/a --id-key /var/a",
      "--proxy --device a --socket b --user modemd --log-level debug",
    ])
  func same(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let short = try #require(ModemdPortCommand.plain(words[...]))
    #expect(String(describing: short) == String(describing: try ModemdPortCommand.parse(words)))
  }

  @Test(
    "The rest is left to it",
    arguments: [
      "", "--device a", "--socket a", "--device a --socket b --protocol serial",
      "--device a --socket b --limit query=20",
      "--device a --socket b --log-level loud", "--device a --socket b --mbim-extensions 2", "--help", "--version",
      "--device a --socket b c",
    ])
  func left(_ line: String) {
    #expect(ModemdPortCommand.plain(line.split(separator: " ").map(String.init)[...]) == nil)
  }
}
