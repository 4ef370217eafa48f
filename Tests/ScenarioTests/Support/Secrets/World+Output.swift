import Glibc
import OperatorSimulator

@testable import ScenarioRunner

extension World {
  /// What the world's processes have written so far, where no secret may appear: the logs of the
  /// daemons and the servers, the lists of requests, and the output of commands.
  ///
  /// - Parameter isQuiet: whether a command's output may have no secret; without it, all of
  ///   modemctl's whose words have neither `--reveal`, nor a verb that is there to show a code.
  func collectedOutput(
    of isQuiet: @Sendable ([String]) -> Bool = { words in
      words.first?.hasSuffix("modemctl") == true && !words.contains("--reveal")
        && ["wait-for-code", "authorize", "quick-code"].allSatisfy { !words.contains($0) }
    }
  ) -> [CollectedText] {
    let names = WorldFolder.names(in: folder.path).filter { $0.hasSuffix(".log") || $0.hasPrefix("requests.") }
    var texts = names.sorted().map { name in
      CollectedText(name: name, text: WorldFolder.read(folder.file(name)) ?? "")
    }
    for run in commands where isQuiet(run.words) {
      // Arguments may be numbers.
      let name = run.words.prefix(2).joined(separator: " ")
      texts.append(CollectedText(name: "output of \(name)", text: run.command.output()))
      texts.append(CollectedText(name: "errors of \(name)", text: run.command.error()))
    }
    return texts
  }

  /// The secrets of the scenario, and those that its services have made so far.
  nonisolated var secretSearch: SecretSearch {
    SecretSearch(scenario.secrets + IssuedSecrets(at: folder.issuedSecrets).all)
  }
}
