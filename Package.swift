// swift-tools-version: 6.2
import PackageDescription

// One list of settings for every Swift target, so that no room is checked less strictly than another.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
]

/// A room of the house: a library below `Sources`, and the rooms above it that it may use.
func room(
  _ name: String, uses dependencies: [Target.Dependency] = [], linking libraries: [LinkerSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings, linkerSettings: libraries)
}

/// The tests of one room.
func tests(of name: String, uses dependencies: [Target.Dependency] = [], besides data: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: ["TestSupport", .target(name: name)] + dependencies, exclude: data,
    swiftSettings: settings)
}

let package = Package(
  name: "market",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "market", targets: ["market"])],
  dependencies: [],
  targets: [
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CHeap"),
    room("Files"),
    room("JSON"),
    room("JSONPath", uses: ["JSON"]),
    room("Quotes"),
    room("Catalog", uses: ["JSON", "JSONPath", "Quotes"]),
    room("Adapters", uses: ["JSON", "JSONPath", "Quotes", "Catalog"]),
    .target(name: "Hooks", dependencies: ["JSON", "Adapters"], path: "Plugins", swiftSettings: settings),
    // On Linux libcurl is opened when it is first needed: see `Sources/CCurl/shim.h`.
    room("Transport", uses: ["CCurl", "Files", "JSON"], linking: [.linkedLibrary("curl", .when(platforms: [.macOS]))]),
    room("MarketData", uses: ["JSON", "Quotes", "Catalog", "Adapters", "Transport"]),
    room("Terminal", uses: ["Quotes"]),
    .executableTarget(
      name: "market",
      dependencies: [
        "CHeap", "Files", "JSON", "JSONPath", "Quotes", "Catalog", "Adapters", "Hooks", "Transport", "MarketData",
        "Terminal",
      ],
      swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["Files", "JSON", "Transport"], path: "Tests/TestSupport",
      swiftSettings: settings),
    tests(of: "JSON"),
    tests(of: "JSONPath", uses: ["JSON"]),
    tests(of: "Quotes"),
    tests(
      of: "Catalog",
      uses: ["JSON", "JSONPath", "Quotes", "Adapters", "Hooks", "Transport", "MarketData"]),
    tests(of: "Adapters", uses: ["JSON", "JSONPath", "Quotes", "Catalog"]),
    tests(of: "Hooks", uses: ["JSON", "Adapters"]),
    tests(
      of: "Transport", uses: ["Files", "JSON", "Quotes", "Catalog", "Adapters", "Hooks", "MarketData"]),
    tests(
      of: "MarketData", uses: ["JSON", "Quotes", "Catalog", "Adapters", "Hooks", "Transport"],
      besides: ["Golden"]),
    tests(of: "Terminal", uses: ["Quotes"]),
    .testTarget(
      name: "MarketTests",
      dependencies: ["TestSupport", "Catalog", "Files", "JSON", "Quotes", "Terminal", "Transport", "market"],
      exclude: ["Golden"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// `make bench` sets this: benchmarks are no part of an ordinary build.
if Context.environment["MARKET_BENCHMARKS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "benchmarks", dependencies: ["JSON", "Quotes", "Catalog", "Adapters", "Files"], path: "Tests/Benchmarks",
      exclude: ["run.sh", "simdjson.cpp"], swiftSettings: settings))
}
