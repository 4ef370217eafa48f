// swift-tools-version: 6.2
import PackageDescription

// Warnings stop the build. MODEMD_ALLOW_WARNINGS=1 lets a newer compiler's new warnings pass.
let warnings: [SwiftSetting] =
  Context.environment["MODEMD_ALLOW_WARNINGS"] == nil ? [.treatAllWarnings(as: .error)] : []
let settings: [SwiftSetting] =
  [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")] + warnings

/// Of what computes by the thousand while tests run: optimised in debug builds too, as it takes
/// several times as long otherwise.
let arithmetic = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A folder of Sources. Docs/architecture.md says what each may depend on, and scripts/check-layers
/// holds it.
enum Layer: String {
  case c = "C"
  case base = "Base"
  case web = "Web"
  case api = "API"
  case port = "Port"
  case providers = "Providers"
  case client = "Client"
  case browser = "Browser"
  case fleet = "Fleet"
  case service = "Service"
  case simulation = "Simulation"
  case programs = "Programs"

  func path(_ name: String) -> String { "Sources/\(rawValue)/\(name)" }
}

func library(
  _ name: String, in layer: Layer, at place: String? = nil, _ dependencies: [Target.Dependency] = [],
  _ settings: [SwiftSetting] = settings
) -> Target {
  .target(name: name, dependencies: dependencies, path: layer.path(place ?? name), swiftSettings: settings)
}

/// The targets of a provider's folder: its interfaces, what it asks and answers, what its file
/// says, the methods of its interfaces, its verbs of modemctl, and its other side in simulated
/// worlds. (SwiftPM keeps what a manifest came to until its text changes, so that it must not look
/// at folders.)
func provider(
  _ name: String, flows: [Target.Dependency] = [], configuration: [Target.Dependency] = [],
  service: [Target.Dependency] = [], commands: [Target.Dependency] = [], simulation: [Target.Dependency] = []
) -> [Target] {
  let folder = Layer.providers.path(name)
  let interfaces = Target.target(
    name: name + "API", dependencies: ["ModemAPI", "Varlink"], path: folder + "/API", exclude: ["Interfaces"],
    swiftSettings: settings)
  let machines = Target.target(
    name: name + "Flows", dependencies: Kit.flows + flows, path: folder + "/Flows", swiftSettings: settings)
  let document = Target.target(
    name: name + "Configuration", dependencies: Kit.configuration + [.target(name: machines.name)] + configuration,
    path: folder + "/Settings", swiftSettings: settings)
  let methods = Target.target(
    name: name + "FlowService",
    dependencies: Kit.service + [.target(name: interfaces.name), .target(name: machines.name)] + service,
    path: folder + "/Service", swiftSettings: settings)
  let verbs = Target.target(
    name: name + "Commands", dependencies: Kit.commands + [.target(name: interfaces.name)] + commands,
    path: folder + "/Commands", swiftSettings: settings)
  let otherSide = Target.target(
    name: name + "Simulation", dependencies: Kit.simulation + simulation, path: folder + "/Simulation",
    swiftSettings: settings)
  return [interfaces, machines, document, methods, verbs, otherSide]
}

/// What the parts of all providers may use.
enum Kit {
  static let flows: [Target.Dependency] = [
    "AuthCore", "AuthFlows", "ModemModel", "NetworkAddress", "RedirectChain", "Web", "JSONTree", "OutsideNumber",
  ]
  static let configuration: [Target.Dependency] = [
    "AuthCore", "AuthFlows", "ProviderSettings", "ModemModel", "NetworkAddress", "RedirectChain", "Web",
    "SettingsFile", "TokenSigning",
  ]
  static let commands: [Target.Dependency] = ["ModemctlCore", "ModemAPI", "Varlink", "JSONTree", .arguments]
  static let simulation: [Target.Dependency] = [
    "OperatorSimulator", "ModemModel", "NetworkAddress", "JSONTree", .crypto, .cryptoExtras,
  ]
  static let service: [Target.Dependency] = [
    "FlowService", "AuthCore", "AuthFlows", "ModemAPI", "ModemModel", "NetworkAddress", "OutsideNumber", "Varlink",
  ]
}

/// Interfaces and what is generated of them.
func interfaces(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies + ["Varlink"], path: Layer.api.path(name), exclude: ["Interfaces"],
    swiftSettings: settings)
}

/// A folder with the static libstdc++ alone, for `make build`: the shared one costs each start more
/// than a million instructions, for names that are looked up in it. Where there is no such folder,
/// the shared one is linked.
let staticLibraries: [LinkerSetting] = [
  .unsafeFlags(["-L\(Context.packageDirectory)/.build/libstdc++"], .when(configuration: .release))
]

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: Layer.programs.path(name), swiftSettings: settings,
    linkerSettings: staticLibraries)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let providerNames = [
  "TruID", "IPification", "MobileConnect", "CAMARA", "Firebase", "MIRACL", "NumberRecycling", "TS43",
]
let providerFlows: [Target.Dependency] = providerNames.map { .target(name: "\($0)Flows") }
let providerInterfaces: [Target.Dependency] = providerNames.map { .target(name: "\($0)API") }
let providerServices: [Target.Dependency] = providerNames.map { .target(name: "\($0)FlowService") }
let providerConfigurations: [Target.Dependency] = providerNames.map { .target(name: "\($0)Configuration") }
let providerCommands: [Target.Dependency] = providerNames.map { .target(name: "\($0)Commands") }
let providerSimulations: [Target.Dependency] = providerNames.map { .target(name: "\($0)Simulation") }

extension Target.Dependency {
  static let nioCore = product(name: "NIOCore", package: "swift-nio")
  static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
  static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
  static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
  static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
  static let nioConcurrency = product(name: "NIOConcurrencyHelpers", package: "swift-nio")
  static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
  static let logging = product(name: "Logging", package: "swift-log")
  static let metrics = product(name: "CoreMetrics", package: "swift-metrics")
  static let arguments = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let crypto = product(name: "Crypto", package: "swift-crypto")
  static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
  static let subprocess = product(name: "Subprocess", package: "swift-subprocess")
}

/// A library whose inner readers a libFuzzer program calls, in a release build too.
func backend(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  let inner: [SwiftSetting] = Context.environment["MODEMD_FUZZ"] == nil ? [] : [.unsafeFlags(["-enable-testing"])]
  return .target(
    name: name, dependencies: dependencies, path: Layer.port.path(name), swiftSettings: settings + inner)
}

/// A libFuzzer program: one file in Tests/Fuzz with `LLVMFuzzerTestOneInput`.
func fuzzer(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies + ["FuzzSupport"], path: "Tests/Fuzz/\(folder)",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

// Built by scripts/fuzz only: they need the fuzzer's runtime.
let fuzzers: [Target] =
  Context.environment["MODEMD_FUZZ"] == nil
  ? []
  : [
    .target(name: "FuzzSupport", path: "Tests/Fuzz/Support", swiftSettings: settings),
    fuzzer("fuzz-dns", "DNS", ["DNSWire"]),
    fuzzer("fuzz-location", "Location", ["RedirectChain", "Web"]),
    fuzzer("fuzz-cookies", "Cookies", ["RedirectChain", "Web"]),
    fuzzer("fuzz-http-answer", "HTTPAnswer", ["HTTPExchange", .nioCore, .nioHTTP1, .nioEmbedded]),
    fuzzer("fuzz-varlink-frames", "VarlinkFrames", ["JSONTree", "Varlink", .nioCore]),
    fuzzer("fuzz-short-message", "ShortMessage", ["ShortMessage", "ModemModel"]),
    fuzzer("fuzz-eap", "EAPPacket", ["EAPTestSupport"]),
    fuzzer("fuzz-varlink-interface", "VarlinkInterface", ["VarlinkWire"]),
    fuzzer("fuzz-reply-check", "ReplyCheck", ["ReplyCheck"]),
    fuzzer(
      "fuzz-mbim-translation", "MBIMTranslation",
      ["MBIMBackend", "CardCommands", "ModemModel", "ReplyCheck", "GLibBridge", "CGLib", "CMBIM"]),
    fuzzer("fuzz-qmi-translation", "QMITranslation", ["QMIBackend", "CardCommands", "CGLib", "CQMI", "ModemModel"]),
    fuzzer("fuzz-apdu", "APDU", ["CardCommands", "ModemModel"]),
    fuzzer("fuzz-truid", "TruID", ["MutationSupport"]),
    fuzzer("fuzz-ipification", "IPification", ["MutationSupport"]),
    fuzzer("fuzz-camara", "CAMARA", ["MutationSupport"]),
    fuzzer("fuzz-firebase", "Firebase", ["MutationSupport"]),
    fuzzer("fuzz-mobile-connect", "MobileConnect", ["MutationSupport"]),
    fuzzer("fuzz-miracl", "MIRACL", ["MutationSupport"]),
    fuzzer("fuzz-ts43", "TS43", ["MutationSupport"]),
    fuzzer("fuzz-entitlement", "Entitlement", ["TS43Flows"]),
    fuzzer("fuzz-arguments", "Arguments", ["MutationSupport", "Varlink"]),
    fuzzer(
      "fuzz-settings", "Settings",
      [
        "MutationSupport", "ModemModel", "ModemService", "NetworkAddress", "RedirectChain", "Web", "SettingsFile",
        "SystemdSupport",
      ]),
  ]

// A provider is a folder, and a line here.
let providers: [Target] =
  provider("TruID") + provider("IPification") + provider("MobileConnect")
  + provider("CAMARA", flows: ["CAMARACommonalities"], configuration: ["CAMARACommonalities"])
  + provider(
    "NumberRecycling", flows: ["CAMARACommonalities"], configuration: ["CAMARACommonalities"])
  + provider("Firebase", configuration: ["ShortMessage"])
  + provider("TS43", flows: ["Markup"], simulation: ["Milenage"])
  + provider("MIRACL", flows: ["MPin", "LimitClock"], simulation: ["MPin", "MPinServer"])

// Dependencies point down only. The network side never links GLib, the hardware side never links an
// Internet socket. Docs/architecture.md draws the layers.
let package = Package(
  name: "modemd",
  products: [
    .executable(name: "modemd", targets: ["modemd"]),
    .executable(name: "modemd-port", targets: ["modemd-port"]),
    .executable(name: "modemd-web", targets: ["modemd-web"]),
    .executable(name: "modemctl", targets: ["modemctl"]),
    .executable(name: "modem-simulator", targets: ["modem-simulator"]),
    .library(name: "ModemAPIClient", targets: ["ModemAPIClient"]),
  ] + providerNames.map { .library(name: "\($0)API", targets: ["\($0)API"]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    // Of the simulator and of tests, which look at what libcrypto made with another library.
    .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
  ],
  targets: [
    // C: module maps; shims only where Swift cannot import what the header says.
    .target(name: "CLinux", path: Layer.c.path("CLinux")),
    .target(name: "CTaskThreads", path: Layer.c.path("CTaskThreads")),
    .target(name: "CEAPCrypto", path: Layer.c.path("CEAPCrypto")),
    .systemLibrary(name: "CZlib", path: Layer.c.path("CZlib"), pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CCrypto", path: Layer.c.path("CCrypto"), pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CGLib", path: Layer.c.path("CGLib"), pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(
      name: "CMBIM", path: Layer.c.path("CMBIM"), pkgConfig: "mbim-glib", providers: [.apt(["libmbim-glib-dev"])]),
    .systemLibrary(
      name: "CQMI", path: Layer.c.path("CQMI"), pkgConfig: "qmi-glib", providers: [.apt(["libqmi-glib-dev"])]),

    .systemLibrary(
      name: "CMosquitto", path: Layer.c.path("CMosquitto"), pkgConfig: "libmosquitto",
      providers: [.apt(["libmosquitto-dev"])]),

    // Pure: the standard library only.
    library("OutsideNumber", in: .base),
    library("NetworkAddress", in: .base),
    library("ModemModel", in: .base, ["LimitClock", "NetworkAddress", "OutsideNumber"]),
    library("ShortMessage", in: .base, ["ModemModel"]),
    library("VarlinkWire", in: .api),
    library("DNSWire", in: .web, ["NetworkAddress"]),
    library("Web", in: .web, ["NetworkAddress"]),
    library("RedirectChain", in: .web, ["Web", "NetworkAddress", "OutsideNumber"]),
    library("CardCommands", in: .port, ["ModemModel"]),
    library("ReplyCheck", in: .port),
    library("JSONTree", in: .base, ["OutsideNumber"]),
    library("Markup", in: .base),
    library(
      "AuthCore", in: .providers, at: "Kit/AuthCore",
      ["ModemModel", "RedirectChain", "Web", "JSONTree", "OutsideNumber"]),

    // Both sides.
    library(
      "Varlink", in: .api,
      [
        "JSONTree", "CLinux", "DetachedThread", "EventLoopTasks", "JournalLog", "LimitClock", .nioCore, .nioPosix,
        .logging,
      ]),
    interfaces("DeviceAPI", ["ModemModel"]),
    interfaces("PortAPI", ["DeviceAPI", "ModemModel", "NetworkAddress"]),
    interfaces("ModemAPI", ["DeviceAPI"]),
    interfaces("WebAPI", []),
    interfaces("MetricsAPI", []),
    interfaces("FleetAPI", []),
    library("MetricSeries", in: .base, [.metrics]),
    library("JournalLog", in: .base, ["CLinux", "SystemdSupport", .logging]),
    library("CodedError", in: .base),
    library("SystemdSupport", in: .base, ["CodedError", "LimitClock", "SmallFiles"]),
    library("SettingsFile", in: .base, ["CodedError", "JSONTree"]),
    library("DetachedThread", in: .base),
    library("PlainArguments", in: .base),
    library("SmallFiles", in: .base),
    library("EAPAKA", in: .base, ["CEAPCrypto", "ModemModel"]),
    library("LocalUsers", in: .base, ["CLinux", .nioCore]),
    library("LimitClock", in: .base),
    library("EventLoopTasks", in: .base, [.nioCore]),
    library(
      "DaemonRuntime", in: .programs,
      [
        "JournalLog", "Varlink", "SystemdSupport", "ModemModel", "CLinux", "PlainArguments", .nioPosix, .logging,
        .arguments,
      ]),

    // Hardware side.
    library("GLibBridge", in: .port, ["CGLib", "LimitClock"]),
    library("Rtnetlink", in: .port, ["CodedError", "CLinux", "NetworkAddress", "DetachedThread"]),
    library(
      "BearerNetworking", in: .port,
      ["DetachedThread", "LimitClock", "Rtnetlink", "CLinux", "ModemModel", "NetworkAddress"]),
    library("ControlChannel", in: .port, ["GLibBridge", "ModemModel", "SmallFiles"]),
    backend(
      "MBIMBackend",
      [
        "CardCommands", "ControlChannel", "GLibBridge", "CGLib", "CMBIM", "LimitClock", "ModemModel", "NetworkAddress",
        "OutsideNumber", "ReplyCheck",
      ]),
    backend(
      "QMIBackend",
      [
        "CardCommands", "ControlChannel", "GLibBridge", "CGLib", "CQMI", "LimitClock", "ModemModel", "NetworkAddress",
        "OutsideNumber",
      ]),
    library("ModemManagerLink", in: .port, ["GLibBridge", "CGLib", "LimitClock", "ModemModel", "NetworkAddress"]),
    library(
      "ModemPort", in: .port,
      [
        "EAPAKA", "JournalLog", "JSONTree", "LimitClock", "Markup", "ModemModel", "NetworkAddress", "OutsideNumber",
        "SmallFiles", .logging,
      ]),
    library("PortSettings", in: .port, ["SettingsFile", "ModemModel"]),
    library(
      "PortServer", in: .port,
      ["ModemPort", "DeviceAPI", "JournalLog", "PortAPI", "ModemModel", "OutsideNumber", "LimitClock", "Varlink"]),

    // Network side.
    library(
      "HTTPExchange", in: .web,
      [
        "CodedError",
        "OutsideNumber", "RedirectChain", "Web", "CZlib", .nioCore, .nioPosix, .nioHTTP1, .nioTLS, .nioConcurrency,
        .nioSSL,
      ]),
    library(
      "BoundHTTP", in: .web,
      [
        "CodedError", "EventLoopTasks", "HTTPExchange", "RedirectChain", "Web", "DNSWire", "ModemModel",
        "NetworkAddress", "OutsideNumber", .nioCore, .nioPosix,
        .nioHTTP1, .nioConcurrency, .nioSSL, .logging,
      ]),
    library(
      "TokenSigning", in: .providers, at: "Kit/TokenSigning",
      ["AuthCore", "JSONTree", "ModemModel", "CCrypto"]),
    library(
      "HostHTTP", in: .web,
      [
        "HTTPExchange", "LimitClock", "NetworkAddress", "OutsideNumber", "Web", .nioCore, .nioPosix,
        .nioHTTP1,
        .nioSSL, .logging,
      ]),
    library("MPin", in: .providers, at: "MIRACL/MPin", ["CCrypto", "ModemModel"], arithmetic),
    library("MPinServer", in: .providers, at: "MIRACL/MPinServer", ["MPin"], arithmetic),
    library(
      "AuthFlows", in: .providers, at: "Kit/AuthFlows",
      [
        "AuthCore", "ModemModel", "NetworkAddress", "RedirectChain", "Web", "JSONTree", "OutsideNumber",
        "LimitClock",
      ]),
    library(
      "FlowService", in: .providers, at: "Kit/FlowService",
      [
        "AuthCore", "AuthFlows", "JournalLog", "ModemAPI", "ModemModel", "RedirectChain", "LimitClock", "Varlink",
        .logging,
      ]),
    library(
      "SealedFiles", in: .providers, at: "Kit/SealedFiles",
      ["AuthCore", "JSONTree", "ModemModel", "DetachedThread", "SmallFiles", "CCrypto"]),
    library(
      "TokenFiles", in: .providers, at: "TS43/TokenFiles",
      ["TS43Flows", "SealedFiles", "AuthFlows", "AuthCore", "JSONTree", "ModemModel"]),
    library(
      "IdentityFiles", in: .providers, at: "MIRACL/IdentityFiles",
      ["MIRACLFlows", "SealedFiles", "AuthFlows", "AuthCore", "TokenSigning", "JSONTree", "ModemModel"]),
    library(
      "CAMARACommonalities", in: .providers, at: "Kit/CAMARACommonalities",
      ["AuthCore", "AuthFlows", "ModemModel", "RedirectChain", "Web", "JSONTree"]),
    library(
      "PortClient", in: .service,
      [
        "DeviceAPI", "JournalLog", "PortAPI", "ModemModel", "ModemService", "LimitClock", "Varlink", .nioCore,
        .nioPosix, .logging,
      ]),
    library(
      "ProviderSettings", in: .providers, at: "Kit/ProviderSettings",
      [
        "AuthFlows", "AuthCore", "CAMARACommonalities", "SettingsFile",
        "SystemdSupport", "JSONTree", "RedirectChain", "Web", "TokenSigning",
      ]),
    library(
      "ModemService", in: .service,
      [
        "AuthFlows", "AuthCore", "ModemModel", "NetworkAddress", "OutsideNumber", "RedirectChain", "Web",
        "JournalLog", "ShortMessage",
        "LimitClock", .logging,
      ]),
    library(
      "TrafficLedger", in: .service,
      ["DetachedThread", "LimitClock", "ModemModel", "ModemService", "NetworkAddress", "SmallFiles"]),
    library(
      "BearerStreams", in: .service,
      [
        "BoundHTTP", "CLinux", "HTTPExchange", "LimitClock", "ModemModel", "ModemService", "NetworkAddress",
        "OutsideNumber",
        "RedirectChain", "TrafficLedger", .nioCore, .nioPosix,
      ]),
    library(
      "BearerProxy", in: .service,
      [
        "BearerStreams", "CLinux", "LimitClock", "LocalUsers", "ModemModel", "ModemService", "NetworkAddress",
        "TrafficLedger", "Varlink", .nioCore, .nioPosix, .logging,
      ]),
    library(
      "ServiceMetrics", in: .service,
      [
        "MetricSeries", "ModemService", "TrafficLedger", "AuthFlows", "AuthCore", "LimitClock", "ModemModel",
        "RedirectChain", .metrics,
      ]),
    library(
      "MetricsServer", in: .service,
      [
        "MetricSeries", "MetricsAPI", "CLinux", "JSONTree", "LimitClock", "LocalUsers", "Varlink", .nioCore, .nioPosix,
        .nioHTTP1, .logging,
      ]),
    library(
      "ModemAPIServer", in: .service,
      [
        "BearerStreams", "TrafficLedger", "FlowService", "LimitClock", "ProviderSettings", "SettingsFile",
        "ModemService", "AuthFlows", "AuthCore",
        "ModemAPI",
        "ModemModel",
        "NetworkAddress",
        "JournalLog", "OutsideNumber", "RedirectChain", "Web", "ShortMessage", "Varlink", .logging,
      ]),
    library("ModemAPIClient", in: .client, ["ModemAPI", "Varlink", "LimitClock"] + providerInterfaces),
    library(
      "ModemctlCore", in: .providers, at: "Kit/ModemctlCore",
      [
        "LimitClock", "ModemAPI", "ModemModel", "Varlink", "JSONTree", "OutsideNumber", "CLinux", "PlainArguments",
        .arguments,
      ]),
    library(
      "ModemctlCommands", in: .programs,
      [
        "ModemctlCore", "LimitClock", "ModemAPI", "PortAPI", "WebAPI", "MetricsAPI", "FleetAPI", "ModemModel",
        "NetworkAddress", "Varlink",
        "JSONTree", "OutsideNumber", "CLinux", "SettingsFile", "SmallFiles", "PlainArguments",
        .arguments,
      ] + providerCommands),

    // Pages in a browser.
    library("NativeMessaging", in: .browser, ["JSONTree"]),
    library("LoopbackHTTP", in: .browser, ["LocalUsers", .nioCore, .nioPosix, .nioHTTP1, .logging]),
    library(
      "BrowserBridge", in: .browser,
      [
        "LoopbackHTTP", "NativeMessaging", "ModemAPIClient", "WebAPI", "Varlink", "HostHTTP", "HTTPExchange", "Web",
        "JSONTree", "JournalLog", "LimitClock", "ModemModel",
        "SettingsFile", "SystemdSupport", "DetachedThread", "LocalUsers", .nioCore, .logging,
      ]),

    // A machine's part in a fleet. libmosquitto is seen by MQTTClient alone.
    library(
      "MQTTClient", in: .fleet,
      ["CMosquitto", "CLinux", "CodedError", "DetachedThread", "LimitClock", .logging]),
    library("FleetSettings", in: .fleet, ["CCrypto", "SettingsFile", "SystemdSupport"]),
    library(
      "FleetAgent", in: .fleet,
      [
        "MQTTClient", "FleetSettings", "FleetAPI", "MetricsAPI", "MetricSeries", "ModemAPIClient", "JournalLog",
        "Varlink", "DeviceAPI", "ModemAPI", "JSONTree", "LimitClock", "ModemModel", "CCrypto", "CLinux", "CZlib",
        "DetachedThread", "OutsideNumber",
        "SmallFiles", .logging,
      ]),

    // The simulated world.
    library("Milenage", in: .simulation, ["CCrypto"]),
    library(
      "ModemSimulator", in: .simulation, ["CodedError", "Milenage", "ModemModel", "NetworkAddress", "ShortMessage"]),
    library("USBModem", in: .simulation, ["CodedError", "DetachedThread"]),
    library(
      "OperatorSimulator", in: .simulation,
      [
        "DNSWire", "NetworkAddress", "ModemModel", "JSONTree", "CLinux", .nioCore, .nioPosix, .nioHTTP1, .nioSSL,
        .crypto,
        .cryptoExtras,
      ]),
    library(
      "ScenarioRunner", in: .simulation,
      [
        "CodedError", "ModemSimulator", "OperatorSimulator", "USBModem", "ModemModel", "ModemAPI", "ModemAPIClient",
        "Varlink",
        "Rtnetlink",
        "NetworkAddress", "OutsideNumber", "JSONTree", "DNSWire", "CLinux", "CTaskThreads", "DetachedThread",
        "SystemdSupport", .nioCore, "PortAPI",
      ]),

    // Programs: thin mains.
    program(
      "modemd",
      [
        "BearerProxy", "BearerStreams", "TruIDFlows", "FlowService", "ModemAPIServer", "ModemService",
        "MetricSeries", "ServiceMetrics", "MetricsServer", "MetricsAPI", "JournalLog", .metrics,
        "ProviderSettings", "IdentityFiles", "SealedFiles", "TokenFiles", "TS43Flows",
        "HostHTTP",
        "ModemModel", "AuthCore",
        "NetworkAddress", "PortClient", "BoundHTTP", "HTTPExchange", "RedirectChain", "Web", "Varlink", "SettingsFile",
        "SystemdSupport", "DaemonRuntime", "LocalUsers", "TrafficLedger", "PlainArguments", .nioPosix, .arguments,
        .logging,
      ] + providerConfigurations + providerServices),
    program(
      "modemd-port",
      [
        "PortServer", "PortSettings", "ModemPort", "LimitClock", "ModemModel", "MBIMBackend", "QMIBackend",
        "ControlChannel", "JournalLog",
        "ModemManagerLink", "ReplyCheck", "GLibBridge", "BearerNetworking", "Varlink", "SettingsFile",
        "SystemdSupport", "DaemonRuntime", "PlainArguments", .arguments, .logging,
      ]),
    program(
      "modemd-web",
      [
        "BrowserBridge", "LoopbackHTTP", "NativeMessaging", "HostHTTP", "HTTPExchange", "JournalLog", "ModemAPIClient",
        "Varlink", "ModemModel", "LimitClock", "SettingsFile", "SystemdSupport", "DaemonRuntime", .nioCore, .nioPosix,
        .arguments,
        .logging,
      ]),
    program(
      "modemd-fleet",
      [
        "FleetAgent", "FleetSettings", "MQTTClient", "FleetAPI", "ModemAPIClient", "JournalLog", "Varlink",
        "ModemModel", "LimitClock", "SettingsFile", "SystemdSupport", "DaemonRuntime", .nioPosix, .arguments, .logging,
      ]),
    program("modemctl", ["ModemctlCommands", "ModemctlCore"]),
    // In C: a user namespace is for a process of one thread, and the command takes its place.
    .executableTarget(name: "modemd-run", path: Layer.programs.path("modemd-run")),
    program(
      "modem-simulator",
      ["ScenarioRunner", "OperatorSimulator", "ModemModel", "OutsideNumber", .nioPosix, .arguments]
        + providerSimulations),
    program("varlink-generate", ["VarlinkWire"]),
    .executableTarget(
      name: "verify-number", dependencies: ["ModemAPIClient"], path: "Examples/swift",
      swiftSettings: settings + [.enableUpcomingFeature("MemberImportVisibility")]),
    .executableTarget(
      name: "modemd-bench", dependencies: ["BenchmarkFigures", .arguments], path: "Benchmarks/modemd-bench",
      swiftSettings: settings),
    .target(name: "BenchmarkFigures", path: "Benchmarks/BenchmarkFigures", swiftSettings: settings),
    .executableTarget(
      name: "modemd-attack", dependencies: [.arguments], path: "Benchmarks/modemd-attack", swiftSettings: settings),
    .executableTarget(
      name: "modemd-bench-backend",
      dependencies: [
        "MBIMBackend", "QMIBackend", "ModemSimulator", "ModemModel", "CGLib", "CMBIM", "CQMI", .arguments,
      ],
      path: "Benchmarks/modemd-bench-backend", swiftSettings: settings),
    .executableTarget(
      name: "modemd-bench-web",
      dependencies: [
        "HTTPTestSupport", "HostHTTP", "HTTPExchange", "Web", "ModemAPIClient", "JSONTree", .nioPosix, .nioConcurrency,
        .logging, .arguments,
      ],
      path: "Benchmarks/modemd-bench-web", swiftSettings: settings),
    .executableTarget(
      name: "modemd-bench-fleet",
      dependencies: [
        "BenchmarkFigures", "FleetAgent", "FleetSettings", "MQTTClient", "BrokerTestSupport", "MetricsAPI", "ModemAPI",
        "LimitClock", "JSONTree", .arguments, .logging,
      ],
      path: "Benchmarks/modemd-bench-fleet", swiftSettings: settings),
    .executableTarget(
      name: "modemd-bench-rack", dependencies: ["BenchmarkFigures", "RackSupport", .arguments],
      path: "Benchmarks/modemd-bench-rack", swiftSettings: settings),
    .executableTarget(
      name: "modemd-bench-mpin", dependencies: ["MPin", "MPinServer", "CCrypto", .arguments],
      path: "Benchmarks/modemd-bench-mpin", swiftSettings: settings),

    // Tests.
    .target(
      name: "RackSupport",
      dependencies: ["ModemModel", "NetworkAddress", "PortAPI", "Varlink", .nioCore, .nioPosix, .logging],
      path: "Tests/RackSupport", swiftSettings: settings),
    tests("OutsideNumberTests", ["OutsideNumber"]),
    .target(
      name: "ClockTestSupport", dependencies: ["LimitClock"], path: "Tests/ClockTestSupport", swiftSettings: settings),
    tests("LimitClockTests", ["LimitClock", "ClockTestSupport"]),
    tests("MetricSeriesTests", ["MetricSeries", .metrics]),
    tests("JournalLogTests", ["JournalLog", "CLinux", "SystemdSupport", .logging, .subprocess]),
    tests(
      "ServiceMetricsTests",
      [
        "ServiceMetrics", "MetricsServer", "MetricSeries", "MetricsAPI", "ModemService", "TrafficLedger", "ModemModel",
        "RedirectChain", "AuthFlows", "AuthCore", "ClockTestSupport", "LimitClock", "Varlink", "JSONTree", .nioCore,
        .nioPosix, .metrics, .logging, .subprocess,
      ]),
    // What tests of a fleet have of a broker: a real one, with its own authority.
    .target(
      name: "BrokerTestSupport", dependencies: ["DetachedThread", .subprocess], path: "Tests/BrokerTestSupport",
      swiftSettings: settings),
    tests(
      "MQTTClientTests",
      ["MQTTClient", "BrokerTestSupport", "ClockTestSupport", "LimitClock", .logging, .subprocess]),
    tests(
      "FleetAgentTests",
      [
        "DeviceAPI", "ModemAPI", "FleetAgent", "FleetSettings", "MQTTClient", "BrokerTestSupport", "FleetAPI",
        "MetricsAPI", "ModemAPIClient",
        "ClockTestSupport", "LimitClock", "JSONTree", "ModemModel", "SettingsFile", "SystemdSupport", "Varlink",
        .nioPosix, .logging, .subprocess,
      ]),
    tests("JSONTreeTests", ["JSONTree", "OutsideNumber"]),
    tests("SmallFilesTests", ["SmallFiles", "CLinux", "DetachedThread"]),
    tests("NativeMessagingTests", ["NativeMessaging", "JSONTree"]),
    tests("NetworkAddressTests", ["NetworkAddress"]),
    tests("ModemModelTests", ["ClockTestSupport", "LimitClock", "ModemModel", "NetworkAddress"]),
    tests("ShortMessageTests", ["ShortMessage", "ModemModel"]),
    tests("VarlinkWireTests", ["VarlinkWire"]),
    // Vectors that other parties made, for several targets.
    .target(
      name: "VectorSupport", dependencies: ["JSONTree", "ModemModel"], path: "Tests/VectorSupport",
      swiftSettings: settings),
    // A server of any kind, for the fuzz target and the mutations.
    .target(
      name: "EAPTestSupport", dependencies: ["EAPAKA", "ModemModel"], path: "Tests/EAPTestSupport",
      swiftSettings: settings),
    tests("EAPAKATests", ["EAPAKA", "Milenage", "VectorSupport", "ModemModel", "JSONTree"]),
    tests("MilenageTests", ["Milenage", "VectorSupport", "JSONTree", "ModemModel", .subprocess]),
    tests(
      "TS43Tests",
      [
        "TS43Flows", "TS43Configuration", "AuthCore", "AuthFlows", "EAPAKA", "JSONTree", "Markup", "ModemModel",
        "RedirectChain", "Web",
      ]),
    tests(
      "VarlinkTests",
      [
        "CLinux", "DetachedThread", "EventLoopTasks", "LimitClock", "Varlink", .nioCore, .nioPosix, .logging,
        .subprocess,
      ]),
    tests(
      "ModemAPITests",
      [
        "ModemAPI", "PortAPI", "AuthCore", "ModemModel", "NetworkAddress", "RedirectChain", "Varlink", "VarlinkWire",
      ] + providerInterfaces),
    .target(
      name: "MIRACLTestSupport",
      dependencies: ["MIRACLFlows", "AuthFlows", "AuthCore", "MPin", "MPinServer", "JSONTree", "RedirectChain", "Web"],
      path: "Tests/MIRACLTestSupport", swiftSettings: settings),
    // What the fuzz targets and their short form among the tests share.
    .target(
      name: "MutationSupport",
      dependencies: [
        "CAMARACommonalities",
        "CAMARAFlows", "FirebaseFlows", "IPificationFlows", "MIRACLFlows", "MobileConnectFlows", "TS43Flows",
        "TruIDFlows",
        "AuthFlows", "AuthCore", "MPin", "MIRACLTestSupport", "ModemModel", "NetworkAddress", "RedirectChain", "Web",
        "JSONTree", "TokenSigning", "FlowService", "ModemAPIServer", "ModemService", "ModemAPI", "ModemPort",
        "PortServer", "BearerStreams", "BoundHTTP", "TrafficLedger", "Varlink", "ClockTestSupport", "LimitClock",
        "VarlinkWire", "ProviderSettings", "PortSettings", "SettingsFile", "SystemdSupport", .nioPosix, .logging,
      ] + providerConfigurations + providerServices,
      path: "Tests/MutationSupport", swiftSettings: settings),
    tests(
      "MutationTests",
      [
        "EAPAKA", "EAPTestSupport", "MutationSupport", "AuthCore", "JSONTree", "ModemModel", "Varlink", "VarlinkWire",
        "modemd",
      ]),
    tests(
      "AuthFlowsTests",
      [
        "CAMARACommonalities",
        "CAMARAFlows", "FirebaseFlows", "IPificationFlows", "MIRACLFlows", "MobileConnectFlows", "TruIDFlows",
        "AuthFlows", "AuthCore", "MPin", "MIRACLTestSupport", "ModemModel", "NetworkAddress", "RedirectChain", "Web",
        "JSONTree", "TokenSigning", "ClockTestSupport", "LimitClock",
      ]),
    tests(
      "TokenSigningTests",
      [
        "TokenSigning", "AuthFlows", "AuthCore", "JSONTree", "ModemModel", "RedirectChain", "Web", .crypto,
        .cryptoExtras,
      ]),
    .testTarget(
      name: "MPinTests", dependencies: ["MPin", "MPinServer", "CCrypto", "ModemModel", .nioSSL],
      // Read from where they are: MODEMD_MPIN_VECTORS names another file.
      exclude: ["Vectors"], swiftSettings: arithmetic),
    .executableTarget(
      name: "identity-writer", dependencies: ["MIRACLFlows", "IdentityFiles", "AuthFlows", "JSONTree"],
      path: "Tests/IdentityWriter",
      swiftSettings: settings),
    tests(
      "IdentityFilesTests",
      [
        "MIRACLFlows", "IdentityFiles", "SealedFiles", "identity-writer", "AuthFlows", "AuthCore", "MPin", "MPinServer",
        "JSONTree",
        .crypto,
      ]),
    tests(
      "TokenFilesTests",
      ["TokenFiles", "TS43Flows", "SealedFiles", "IdentityFiles", "AuthFlows", "AuthCore", "JSONTree", "ModemModel"]),
    .executableTarget(
      name: "ledger-writer", dependencies: ["TrafficLedger", "ModemService"], path: "Tests/LedgerWriter",
      swiftSettings: settings),
    tests(
      "TrafficLedgerTests",
      [
        "TrafficLedger", "ModemService", "ModemModel", "NetworkAddress", "ClockTestSupport", "LimitClock",
        "ledger-writer",
      ]),
    tests("DNSWireTests", ["DNSWire", "NetworkAddress"]),
    tests("RedirectChainTests", ["RedirectChain", "Web", "NetworkAddress"]),
    .target(
      name: "HTTPTestSupport", dependencies: [.nioCore, .nioPosix, .nioConcurrency, .nioSSL],
      path: "Tests/HTTPTestSupport", swiftSettings: settings),
    .testTarget(
      name: "BoundHTTPTests",
      dependencies: [
        "BoundHTTP", "HTTPExchange", "HTTPTestSupport", "RedirectChain", "Web", "DNSWire", "NetworkAddress",
        "BearerStreams", "TrafficLedger", "ModemService", "ModemModel",
        "CTaskThreads",
        "CZlib",
        .nioCore, .nioPosix, .nioConcurrency, .logging,
      ],
      exclude: ["Conformance/Cases"], swiftSettings: settings),
    tests(
      "BrowserBridgeTests",
      [
        "BrowserBridge", "LoopbackHTTP", "NativeMessaging", "HostHTTP", "HTTPExchange", "HTTPTestSupport",
        "ClockTestSupport",
        "LimitClock", "LocalUsers",
        "JSONTree", "SettingsFile", "SystemdSupport", "ModemAPIClient", "WebAPI", "ModemModel", "DetachedThread",
        "Varlink",
        "Web",
        .nioCore, .nioPosix, .nioConcurrency, .logging,
      ]),
    tests(
      "BearerProxyTests",
      [
        "BearerProxy", "BearerStreams", "CLinux", "modemd-run", "ModemService", "NetworkAddress", "TrafficLedger",
        "Varlink",
        .nioCore,
        .nioPosix,
        .logging, .subprocess,
      ]),
    tests(
      "HostHTTPTests",
      [
        "HostHTTP", "AuthCore", "ClockTestSupport", "HTTPExchange", "HTTPTestSupport", "LimitClock", "NetworkAddress",
        "RedirectChain", "Web", .nioCore, .nioPosix, .nioConcurrency, .logging,
      ]),
    tests(
      "IdentityTests",
      [
        "ClockTestSupport", "LimitClock", "ModemPort", "PortServer", "PortAPI", "ModemAPI", "MBIMBackend", "QMIBackend",
        "ModemSimulator", "GLibBridge", "ModemModel", "Varlink", .nioPosix, .logging,
      ]),
    tests("GLibBridgeTests", ["GLibBridge", "CGLib"]),
    tests(
      "RtnetlinkTests",
      ["Rtnetlink", "BearerNetworking", "ModemModel", "ModemSimulator", "NetworkAddress", "CLinux"]),
    .executableTarget(
      name: "sim-asker", dependencies: ["MBIMBackend", "QMIBackend", "ModemModel"], path: "Tests/SIMAsker",
      swiftSettings: settings),
    .testTarget(
      name: "BackendTests",
      dependencies: [
        "MBIMBackend", "QMIBackend", "CardCommands", "ControlChannel", "ReplyCheck", "ModemSimulator",
        "GLibBridge", "CGLib", "CMBIM", "CTaskThreads", "Milenage", "ModemModel", "NetworkAddress", "ShortMessage",
        "JSONTree", "VectorSupport", "sim-asker",
      ],
      // Read from where they are: MODEMD_VECTORS names another file.
      exclude: ["Vectors"], swiftSettings: settings),
    .testTarget(
      name: "SharingTests",
      dependencies: [
        "ClockTestSupport", "ModemManagerLink", "ModemPort", "ModemModel", "NetworkAddress", "ModemSimulator",
        "modem-simulator",
        "ScenarioRunner", "Rtnetlink",
      ], exclude: ["Support/stage"], swiftSettings: settings),
    tests(
      "ModemSimulatorTests",
      ["ModemSimulator", "Milenage", "ModemModel", "NetworkAddress", "VectorSupport", "JSONTree"]),
    tests("USBModemTests", ["USBModem"]),
    tests(
      "OperatorSimulatorTests",
      [
        "OperatorSimulator", "MPin", "DNSWire", "NetworkAddress", "ModemModel", "JSONTree", .nioPosix,
        .subprocess, "EAPAKA", "Milenage", .crypto, .cryptoExtras,
      ] + providerSimulations),
    tests(
      "ServiceTests",
      [
        "EventLoopTasks", "JournalLog",
        "ModemService", "ModemPort", "PortServer", "PortClient", "ModemAPIServer", "ModemAPIClient", "ModemSimulator",
        "Markup", "RedirectChain", "Web", "ShortMessage", "AuthCore", "FlowService", "modemd", "ClockTestSupport",
        "LimitClock", "RackSupport",
      ] + providerInterfaces),
    // A program as others write it: one file, one import.
    .target(
      name: "OneImport", dependencies: ["ModemAPIClient"], path: "Tests/OneImport",
      swiftSettings: settings + [.enableUpcomingFeature("MemberImportVisibility")]),
    tests(
      "ModemctlTests",
      [
        "BearerStreams", "BoundHTTP", "ClockTestSupport", "LimitClock", "FirebaseFlows", "MIRACLFlows",
        "MobileConnectFlows", "TS43Flows", "TruIDFlows", "ModemctlCommands", "modemctl", "modemd", "TrafficLedger",
        "verify-number",
        "FlowService", "ModemAPIServer",
        "ModemAPIClient",
        "ModemService", "ModemAPI", "ModemctlCore", "OneImport",
        "ModemModel",
        "ModemSimulator", "NetworkAddress", "RedirectChain", "Web", "Varlink", "AuthCore", "AuthFlows", "JSONTree",
        "modemd-fleet", "FleetAPI", "MIRACLTestSupport", "VarlinkWire", "PlainArguments", .nioPosix, .arguments,
        .logging, .subprocess,
      ] + providerCommands + providerInterfaces + providerServices),
    .target(
      name: "SoakSupport",
      dependencies: [
        "ScenarioRunner", "ModemSimulator", "OperatorSimulator", "ModemAPI", "ModemAPIClient", "PortAPI", "ModemModel",
        "OutsideNumber", "Varlink", "JSONTree",
      ] + providerInterfaces + providerSimulations,
      path: "Tests/SoakSupport", swiftSettings: settings),
    .executableTarget(
      name: "modemd-soak", dependencies: ["SoakSupport", "ScenarioRunner", "ModemModel", "OutsideNumber", .arguments],
      path: "Tests/Soak", swiftSettings: settings),
    tests(
      "ScenarioTests",
      [
        "SoakSupport", "TokenSigning", "modem-simulator", "modemd-web", "modemd-fleet", "BrokerTestSupport",
        "ScenarioRunner", "OperatorSimulator",
        "ModemSimulator",
        "ModemModel", "NetworkAddress",
        "Rtnetlink", "ModemAPI", "ModemAPIClient", "Varlink", "JSONTree", "HTTPTestSupport", .nioCore,
        .nioPosix,
        .crypto,
        .cryptoExtras,
      ] + providerInterfaces),
    tests(
      "SettingsTests",
      [
        "CAMARAFlows", "FirebaseFlows", "IPificationFlows", "MIRACLFlows", "MobileConnectFlows", "TS43Flows",
        "TruIDFlows", "FleetSettings", "SettingsFile", "PortSettings", "ProviderSettings", "AuthFlows", "AuthCore",
        "JSONTree", "JournalLog", "ModemModel", "modemd",
        "ModemService", "NetworkAddress", "RedirectChain", "Web", "SystemdSupport", "TrafficLedger", .crypto,
        .cryptoExtras, .logging, .subprocess,
      ]),
    tests(
      "NumberRecyclingTests",
      [
        "NumberRecyclingFlows", "NumberRecyclingConfiguration", "CAMARACommonalities", "ProviderSettings",
        "SettingsFile", "SystemdSupport", "TokenSigning", "AuthFlows", "AuthCore", "RedirectChain", "Web", "JSONTree",
        "ModemModel",
      ]),
    tests("SystemdSupportTests", ["SystemdSupport"]),
    tests("DaemonRuntimeTests", ["DaemonRuntime", "SystemdSupport", .logging]),
    // The Swift client, as the conformance suite drives clients.
    .executableTarget(
      name: "conformance-driver", dependencies: ["ModemAPIClient", "LimitClock", .nioCore],
      path: "Tests/ConformanceDriver",
      swiftSettings: settings),
    tests(
      "ClientTests",
      [
        "ModemAPIClient", "conformance-driver", "verify-number", "modem-simulator", "modemd", "modemd-port", "modemctl",
        "varlink-generate", .arguments, .subprocess,
      ]),
    .testTarget(
      name: "PackagingTests",
      dependencies: [
        "modemd", "BrowserBridge", "NativeMessaging", "JSONTree", "Varlink", "ModemPort", "ClockTestSupport",
        .subprocess, .logging,
      ],
      exclude: ["fetch-unit", "proxy-units"],
      swiftSettings: settings),
  ] + providers + fuzzers
)
