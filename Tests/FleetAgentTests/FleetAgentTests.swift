import Testing

@testable import FleetAgent

@Suite struct FleetAgentTests {}
