import FleetSettings
import MQTTClient

/// A machine's part in a fleet: tells a broker what modemd knows, and carries out the commands that
/// this machine allows.
package enum FleetAgent {}
