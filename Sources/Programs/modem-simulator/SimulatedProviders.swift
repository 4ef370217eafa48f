import CAMARASimulation
import FirebaseSimulation
import IPificationSimulation
import MIRACLSimulation
import MobileConnectSimulation
import NumberRecyclingSimulation
import OperatorSimulator
import ScenarioRunner
import TS43Simulation
import TruIDSimulation

/// The providers that a scenario may have, one line for each.
package let simulatedProviders: [any SimulatedProvider.Type] = [
  SampleProvider.self,
  SimulatedCAMARA.self,
  SimulatedFirebase.self,
  IntruderProvider.self,
  SimulatedIPification.self,
  SimulatedMIRACL.self,
  SimulatedMobileConnect.self,
  ProgramProvider.self,
  SimulatedNumberRecycling.self,
  SimulatedTS43.self,
  SimulatedTruID.self,
]

/// Scenarios with any of these providers.
extension Scenario {
  /// Reads the scenario of a folder.
  ///
  /// - Throws: `WorldError` `scenario`.
  package init(folder: String) throws { try self.init(folder: folder, providers: simulatedProviders) }

  /// Reads a scenario.
  ///
  /// - Parameters:
  ///   - text: an object in JSON.
  ///   - file: stands in errors.
  /// - Throws: `WorldError` `scenario`.
  package init(text: String, file: String = "scenario.json") throws {
    try self.init(text: text, file: file, providers: simulatedProviders)
  }
}
