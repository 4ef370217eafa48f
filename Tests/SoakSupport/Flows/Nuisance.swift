import ModemSimulator
import ScenarioRunner

/// What gets in the way of flows for a moment: at the modem, in the machine's network, at the
/// operator's and the providers' servers.
enum Nuisance: String, CaseIterable, Sendable {
  case httpError, httpLimit, httpForbidden, bearerDropped, renumbered, bearerSilent, namesSilent, routesRemoved
  case rulesRemoved, linkDown, modemRestarts, modemUnplugged, connectRefused, modemHangsUp
  case entitlementHangsUp, entitlementPage, entitlementError, miraclHangsUp, miraclPage, miraclEmpty

  /// What is said to the world, in order.
  private var begin: [String] {
    switch self {
    case .httpError: ["tell distort.1 / status=503"]
    case .httpLimit: ["tell distort.1 / status=429 Retry-After:1"]
    case .httpForbidden: ["tell distort.1 / status=403"]
    case .bearerDropped: ["drop-bearer 36"]
    case .renumbered: ["renumber"]
    case .bearerSilent: ["silence-bearer"]
    case .namesSilent: ["names silent"]
    case .routesRemoved: ["empty-tables"]
    case .rulesRemoved: ["remove-rules"]
    case .linkDown: ["link-down"]
    case .modemRestarts: ["reset"]
    case .modemUnplugged: ["unplug"]
    case .connectRefused:
      [#"faults [{"operation":"connect","action":"refuse","cause":33,"times":1}]"#, "drop-bearer 36"]
    case .modemHangsUp: [#"faults [{"operation":"connect","action":"hangUpAfter","times":1}]"#, "drop-bearer 36"]
    case .entitlementHangsUp: [#"tell ts43.faults [{"fault":"hangUp"}]"#]
    case .entitlementPage: [#"tell ts43.faults [{"fault":"page"}]"#]
    case .entitlementError: [#"tell ts43.faults [{"fault":"httpStatus","status":503}]"#]
    case .miraclHangsUp: ["tell miracl.pass1 hangUp"]
    case .miraclPage: ["tell miracl.pass1 page"]
    case .miraclEmpty: ["tell miracl.pass2 empty"]
    }
  }

  private var end: [String] {
    switch self {
    case .httpError, .httpLimit, .httpForbidden: ["tell distort.1"]
    case .bearerDropped: []
    case .renumbered: ["renumber"]
    case .bearerSilent: ["restore-bearer"]
    case .namesSilent: ["names honest"]
    case .routesRemoved, .rulesRemoved, .modemRestarts: []
    case .linkDown: ["link-up"]
    case .modemUnplugged: ["plug-in"]
    case .connectRefused, .modemHangsUp: ["faults"]
    case .entitlementHangsUp, .entitlementPage, .entitlementError: ["tell ts43.faults"]
    case .miraclHangsUp, .miraclPage: ["tell miracl.pass1"]
    case .miraclEmpty: ["tell miracl.pass2"]
    }
  }

  /// Gets in the way for a moment.
  func happen(in world: World, for time: Duration) async {
    for line in begin { _ = try? await world.perform(line) }
    try? await Task.sleep(for: time)
    for line in end { _ = try? await world.perform(line) }
    // A modem that hung up returns by itself, or is plugged in again.
    if world.modem.snapshot.path == nil { try? await world.plugIn() }
  }
}
