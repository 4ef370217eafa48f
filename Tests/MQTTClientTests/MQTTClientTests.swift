import Testing

@testable import MQTTClient

@Suite struct MQTTClientTests {}
