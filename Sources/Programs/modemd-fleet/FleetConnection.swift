import FleetSettings
import Logging
import MQTTClient

enum FleetConnection {
  static func forCheck(_ settings: FleetSettings, logger: Logger) throws -> any MQTTConnection {
    throw MQTTRefusal.ended
  }
}
