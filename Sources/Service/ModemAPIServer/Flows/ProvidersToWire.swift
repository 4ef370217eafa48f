import AuthFlows
import ModemAPI
import ProviderSettings
import SettingsFile

extension VerifyInterface.Provider {
  init(_ provider: ProviderDescription) {
    self.init(
      name: provider.name, kind: provider.kind, networks: provider.networks,
      abilities: provider.abilities.map(\.rawValue))
  }
}

extension VerifyInterface.ProviderFault {
  init(_ fault: ProviderFault) {
    self.init(name: fault.name, file: fault.file, line: fault.line, text: fault.text)
  }
}

extension VerifyInterface.ProviderKind {
  init(_ document: any ProviderDocument.Type) {
    let forms = SettingsKeys.forms(of: document)
    let common = SettingsKeyRow.common.filter { $0.key != "kind" }
    self.init(
      kind: document.kind,
      keys: (document.rows + common).map { VerifyInterface.ProviderKey($0, forms[$0.key] ?? $0.commonForm) })
  }
}

extension VerifyInterface.ProviderKey {
  fileprivate init(_ row: SettingsKeyRow, _ form: SettingsForm) {
    let need: Need =
      switch row.need {
      case .required: .required
      case .asked: .asked
      case .optional: .optional
      }
    self.init(
      key: row.key, meaning: row.meaning, standard: row.standard, need: need, form: Form(word: form),
      secret: row.isSecret, companion: row.companion)
  }
}
