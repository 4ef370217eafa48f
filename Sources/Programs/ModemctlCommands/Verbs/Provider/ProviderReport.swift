import ModemAPI
import ModemctlCore
import Varlink

/// What `modemctl provider check` tells.
struct ProviderReport {
  /// In `--json`.
  struct Document: Codable, Hashable {
    struct Entry: Codable, Hashable {
      var provider: VerifyInterface.Provider
      var check: VerifyInterface.CheckProvider.Reply
    }
    var providers: [Entry]
    var faults: [VerifyInterface.ProviderFault]
  }

  let session: Session

  /// Checks providers, and shows what was found.
  ///
  /// - Parameter names: nil for all.
  /// - Returns: `done` if each can be used, as far as is known, else `misconfigured`.
  func check(_ names: [String]?, modem: String?) async throws -> ExitStatus {
    let reply = try await session.call(VerifyInterface.Providers.self, .init(), within: .answer)
    let faults = reply.faults ?? []
    if let unknown = names?.first(where: { name in
      !reply.providers.contains { $0.name == name } && !faults.contains { $0.name == name }
    }) {
      let known = (reply.providers.map(\.name) + faults.map(\.name)).sorted().joined(separator: ", ")
      throw ModemctlError(
        .usage, "there is no provider \(ForeignText.visible(unknown)); there are: \(known.isEmpty ? "none" : known)")
    }
    var document = Document(providers: [], faults: faults.filter { names?.contains($0.name) ?? true })
    for provider in reply.providers where names?.contains(provider.name) ?? true {
      let check = try await session.call(
        VerifyInterface.CheckProvider.self, .init(provider: provider.name, modem: modem), within: .network)
      document.providers.append(.init(provider: provider, check: check))
    }
    try session.show(document) { text(document) }
    return isGood(document) ? .done : .misconfigured
  }

  private func isGood(_ document: Document) -> Bool {
    document.faults.isEmpty
      && document.providers.allSatisfy { $0.check.credentials != .refused && $0.check.coverage != .notServed }
  }

  private func text(_ document: Document) -> String {
    guard !document.providers.isEmpty || !document.faults.isEmpty else {
      return "no provider is configured; `sudo modemctl provider add` configures one\n"
    }
    let good = document.providers.map { entry in
      Details.Group(
        "\(entry.provider.name) (\(entry.provider.kind))",
        cells: [
          ("File", Cell("good", .good)),
          ("Networks", Cell(entry.provider.networks.map { $0.joined(separator: ", ") } ?? "all")),
          ("Abilities", Cell(ProviderText.abilities(entry.provider))),
          (
            "Credentials",
            Cell(
              "\(words(entry.check.credentials)): \(visible(entry.check.credentialsText))",
              colour(entry.check.credentials))
          ),
          (
            "Operator",
            Cell("\(words(entry.check.coverage)): \(visible(entry.check.coverageText))", colour(entry.check.coverage))
          ),
        ])
    }
    let bad = document.faults.map { fault in
      Details.Group("\(fault.name)", cells: [("File", Cell("disabled: \(ProviderText.line(fault))", .bad))])
    }
    return Details(groups: good + bad).render(session.paint)
  }

  private func visible(_ text: String) -> String { ForeignText.visible(text) }

  private func words(_ state: VerifyInterface.CheckProvider.Reply.Credentials) -> String {
    switch state {
    case .accepted: "accepted"
    case .refused: "refused"
    case .unknown: "not known"
    case .notNeeded: "none"
    case .notFree: "not checked"
    case .other(let word): word
    }
  }

  private func words(_ state: VerifyInterface.CheckProvider.Reply.Coverage) -> String {
    switch state {
    case .served: "served"
    case .notServed: "not served"
    case .unknown: "not known"
    case .notAsked: "not asked"
    case .other(let word): word
    }
  }

  private func colour(_ state: VerifyInterface.CheckProvider.Reply.Credentials) -> Paint.Colour {
    switch state {
    case .accepted: .good
    case .refused: .bad
    case .unknown: .attention
    default: .plain
    }
  }

  private func colour(_ state: VerifyInterface.CheckProvider.Reply.Coverage) -> Paint.Colour {
    switch state {
    case .served: .good
    case .notServed: .bad
    case .unknown: .attention
    default: .plain
    }
  }
}
