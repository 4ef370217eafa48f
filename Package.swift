// swift-tools-version: 6.2
import PackageDescription

// Warnings stop the build. MODEMD_ALLOW_WARNINGS=1 lets a newer compiler's new warnings pass.
let warnings: [SwiftSetting] =
  Context.environment["MODEMD_ALLOW_WARNINGS"] == nil ? [.treatAllWarnings(as: .error)] : []
let settings: [SwiftSetting] =
  [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")] + warnings

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

extension Target.Dependency {
  static let nioCore = product(name: "NIOCore", package: "swift-nio")
  static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
  static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
  static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
  static let nioConcurrency = product(name: "NIOConcurrencyHelpers", package: "swift-nio")
  static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
  static let logging = product(name: "Logging", package: "swift-log")
  static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
  static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
  static let arguments = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let subprocess = product(name: "Subprocess", package: "swift-subprocess")
}

// Dependencies point down only. The network side never links GLib, the hardware side never links an
// Internet socket. Docs/architecture.md draws the layers.
let package = Package(
  name: "modemd",
  products: [
    .executable(name: "modemd", targets: ["modemd"]),
    .executable(name: "modemd-port", targets: ["modemd-port"]),
    .executable(name: "modemctl", targets: ["modemctl"]),
    .executable(name: "modem-simulator", targets: ["modem-simulator"]),
    .library(name: "ModemAPIClient", targets: ["ModemAPIClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // C: module maps; shims only where Swift cannot import what the header says.
    .target(name: "CLinux"),
    .systemLibrary(name: "CGLib", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CMBIM", pkgConfig: "mbim-glib", providers: [.apt(["libmbim-glib-dev"])]),
    .systemLibrary(name: "CQMI", pkgConfig: "qmi-glib", providers: [.apt(["libqmi-glib-dev"])]),

    // Pure: the standard library only.
    library("NetworkAddress"),
    library("ModemModel", ["NetworkAddress"]),
    library("VarlinkWire"),
    library("DNSWire", ["NetworkAddress"]),
    library("RedirectChain", ["NetworkAddress"]),

    // Both sides.
    library("Varlink", ["VarlinkWire", "CLinux", .nioCore, .nioPosix, .logging]),
    .target(
      name: "ModemAPI", dependencies: ["ModemModel", "NetworkAddress", "Varlink", "VarlinkWire"],
      exclude: ["Interfaces"],
      swiftSettings: settings),
    library("SystemdSupport"),
    library(
      "DaemonRuntime", ["Varlink", "SystemdSupport", "ModemModel", .nioPosix, .lifecycle, .logging, .arguments]),

    // Hardware side.
    library("GLibBridge", ["CGLib"]),
    library("Rtnetlink", ["CLinux", "NetworkAddress"]),
    library("BearerNetworking", ["Rtnetlink", "ModemModel", "NetworkAddress"]),
    library("MBIMBackend", ["GLibBridge", "CGLib", "CMBIM", "ModemModel", "NetworkAddress"]),
    library("QMIBackend", ["GLibBridge", "CGLib", "CQMI", "ModemModel", "NetworkAddress"]),
    library("ModemPort", ["ModemModel", .logging]),
    library("PortServer", ["ModemPort", "ModemAPI", "ModemModel", "Varlink"]),

    // Network side.
    library(
      "BoundHTTP",
      [
        "RedirectChain", "DNSWire", "NetworkAddress", .nioCore, .nioPosix, .nioHTTP1, .nioTLS, .nioConcurrency,
        .nioSSL, .logging,
      ]),
    library("PortClient", ["ModemAPI", "ModemModel", "ModemService", "Varlink", .nioCore, .nioPosix, .logging]),
    library("ModemService", ["ModemModel", "RedirectChain"]),
    library("ModemAPIServer", ["ModemService", "ModemAPI", "ModemModel", "RedirectChain", "Varlink"]),
    library("ModemAPIClient", ["ModemAPI", "Varlink"]),
    library("ModemctlCommands", ["ModemAPIClient", "ModemAPI", "Varlink", .arguments]),

    // The simulated world.
    library("ModemSimulator", ["ModemModel", "NetworkAddress"]),
    library(
      "OperatorSimulator",
      ["DNSWire", "NetworkAddress", "CLinux", .nioCore, .nioPosix, .nioHTTP1, .nioSSL, .logging]),
    library(
      "ScenarioRunner",
      [
        "ModemSimulator", "OperatorSimulator", "ModemModel", "ModemAPI", "ModemAPIClient", "Rtnetlink",
        "NetworkAddress", "CLinux",
      ]),

    // Programs: thin mains.
    program(
      "modemd",
      [
        "ModemAPIServer", "ModemService", "ModemModel", "NetworkAddress", "PortClient", "BoundHTTP", "RedirectChain",
        "Varlink", "SystemdSupport", "DaemonRuntime", .nioPosix, .arguments, .lifecycle,
        .logging,
      ]),
    program(
      "modemd-port",
      [
        "PortServer", "ModemPort", "ModemModel", "MBIMBackend", "QMIBackend", "BearerNetworking", "Varlink",
        "SystemdSupport", "DaemonRuntime", .arguments, .lifecycle, .logging,
      ]),
    program("modemctl", ["ModemctlCommands"]),
    program(
      "modem-simulator", ["ScenarioRunner", "OperatorSimulator", "ModemModel", .nioPosix, .arguments, .unixSignals]),
    program("varlink-generate", ["VarlinkWire"]),
    .executableTarget(
      name: "modemd-bench", dependencies: [.arguments], path: "Benchmarks/modemd-bench", swiftSettings: settings),
    .executableTarget(
      name: "modemd-bench-backend",
      dependencies: ["MBIMBackend", "ModemSimulator", "ModemModel", "CGLib", "CMBIM", .arguments],
      path: "Benchmarks/modemd-bench-backend", swiftSettings: settings),

    // Tests.
    tests("NetworkAddressTests", ["NetworkAddress"]),
    tests("ModemModelTests", ["ModemModel"]),
    tests("VarlinkWireTests", ["VarlinkWire"]),
    tests("VarlinkTests", ["Varlink", .nioCore, .nioPosix, .logging, .subprocess]),
    tests("ModemAPITests", ["ModemAPI", "ModemModel", "NetworkAddress", "RedirectChain", "Varlink", "VarlinkWire"]),
    tests("DNSWireTests", ["DNSWire", "NetworkAddress"]),
    tests("RedirectChainTests", ["RedirectChain", "NetworkAddress"]),
    tests(
      "BoundHTTPTests",
      [
        "BoundHTTP", "RedirectChain", "DNSWire", "NetworkAddress", .nioCore, .nioPosix, .nioHTTP1, .nioConcurrency,
        .nioSSL, .logging,
      ]),
    tests("GLibBridgeTests", ["GLibBridge", "CGLib"]),
    tests("RtnetlinkTests", ["Rtnetlink", "BearerNetworking", "ModemModel", "NetworkAddress", "CLinux"]),
    tests(
      "BackendTests",
      ["MBIMBackend", "QMIBackend", "ModemSimulator", "GLibBridge", "CGLib", "CMBIM", "ModemModel", "NetworkAddress"]),
    tests("ModemSimulatorTests", ["ModemSimulator"]),
    tests("OperatorSimulatorTests", ["OperatorSimulator", "DNSWire", "NetworkAddress", .nioPosix, .subprocess]),
    tests(
      "ServiceTests", ["ModemService", "ModemPort", "PortServer", "PortClient", "ModemAPIServer", "ModemAPIClient"]),
    tests(
      "ModemctlTests",
      [
        "ModemctlCommands", "modemctl", "ModemAPIServer", "ModemService", "ModemAPI", "ModemModel", "NetworkAddress",
        "RedirectChain", "Varlink", .nioPosix, .logging, .subprocess,
      ]),
    tests(
      "ScenarioTests",
      [
        "ScenarioRunner", "ModemSimulator", "ModemModel", "NetworkAddress", "Rtnetlink", "ModemAPI", "ModemAPIClient",
        "Varlink",
      ]),
    tests("SystemdSupportTests", ["SystemdSupport"]),
    tests("PackagingTests", [.subprocess]),
  ]
)
