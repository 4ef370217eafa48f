import AuthCore
import AuthFlows
import Web

/// What is configured of an operator's entitlement server.
package struct TS43Settings: ProviderConfiguration {
  package static let kind = "ts43"
  package var configuredURLs: [WebURL] { [] }
}
