import AuthCore
import AuthFlows
import SystemdSupport

/// Where providers' files are, and what they may be.
package struct ProviderFiles: Sendable {
  package let folder: String
  package let kinds: [any ProviderDocument.Type]
  private let credentials: CredentialsDirectory?

  package init(folder: String, kinds: [any ProviderDocument.Type], credentials: CredentialsDirectory?) {
    self.folder = folder
    self.kinds = kinds
    self.credentials = credentials
  }

  /// Looks for what is wrong with the text of a file that is not there yet.
  ///
  /// - Parameter given: credentials that the service does not have yet, by their keys.
  /// - Returns: nil if the file can be used.
  package func fault(in text: String, named name: String, given: [String: Secret]) -> ProviderFault? {
    ProviderFolder.fault(
      in: Array(text.utf8), of: "\(folder)/\(name).json",
      ProviderSecrets(name: name, credentials: credentials, given: given), kinds: kinds)
  }
}
