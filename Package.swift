// swift-tools-version: 6.2
import PackageDescription

/// Treats warnings as errors wherever the program is built, except under compilers newer than those we have tested.
#if compiler(<6.4)
  let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]  // SE-0480
#else
  let warnings: [SwiftSetting] = []
#endif

// One list of settings for all Swift targets, so that no module is checked less strictly than another.
let settings: [SwiftSetting] =
  warnings + [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    // A type such as `[String: Row]` is asked for by its parts, not by a mangled name: the runtime would have to parse it,
    // and to search all conformances of the program for the one of `String` to `Hashable`.
    .unsafeFlags(
      ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release)),
    // A section for each function, so that the linker can leave out those that nothing calls and join equal ones.
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(platforms: [.linux], configuration: .release)),
  ]

/// Whether tests run optimized modules, which takes seconds instead of minutes. For debugging, and for builds in quick
/// succession, set `MARKET_UNOPTIMIZED=1` to build them unoptimized.
let isOptimized = Context.environment["MARKET_UNOPTIMIZED"] == nil
let roomSettings = settings + (isOptimized ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])

/// Code that runs rarely, or for one screenful at a time, is neither inlined nor specialized in the program that ships.
/// It compiles in a quarter of the time and takes up less of the binary. Tests run it all the time: specialized, it
/// spares them a third of their work.
let cold: [SwiftSetting] = [
  .unsafeFlags(
    ["inline", "early-inline", "late-inline", "generic-specializer"].flatMap { ["-Xllvm", "-sil-disable-pass=\($0)"] },
    .when(configuration: .release))
]

/// A library module below `Sources`, and the modules above it that it may use.
func room(
  _ name: String, uses dependencies: [Target.Dependency] = [], linking libraries: [LinkerSetting] = [],
  isCold: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: roomSettings + (isCold ? cold : []),
    linkerSettings: libraries)
}

/// The tests of one module.
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
    .systemLibrary(name: "CProcess"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CCrypto"),
    .target(name: "CTerminal"),
    room("Files", uses: ["CProcess"]),
    room("JSON"),
    room("JSONPath", uses: ["JSON"]),
    room("Quotes"),
    room("HTTP", uses: ["Quotes"]),
    room("Config", uses: ["JSON", "JSONPath", "Quotes", "HTTP"]),
    room("Mapping", uses: ["HTTP", "JSON", "JSONPath", "Quotes", "Config"]),
    .target(name: "Hooks", dependencies: ["JSON", "Mapping"], path: "Plugins", swiftSettings: settings),
    // On Linux, libcurl and zlib are opened when first needed: see `Sources/CCurl/shim.h`.
    room(
      "Transport", uses: ["CCurl", "CZlib", "CCrypto", "Files", "JSON", "Quotes", "HTTP"],
      linking: [
        .linkedLibrary("curl", .when(platforms: [.macOS])), .linkedLibrary("z", .when(platforms: [.macOS])),
      ]),
    room("Cassettes", uses: ["Files", "JSON", "Quotes", "HTTP"]),
    room(
      "MarketData", uses: ["Files", "JSON", "Quotes", "HTTP", "Config", "Mapping", "Transport", "Cassettes"]),
    room("Inference", uses: ["JSON", "JSONPath", "Quotes", "Config"], isCold: true),
    room("Lint", uses: ["JSON", "JSONPath", "Quotes", "HTTP", "Config", "Mapping", "Inference"], isCold: true),
    room("Terminal", uses: ["Quotes"]),
    room("Live", uses: ["CTerminal", "Quotes", "Terminal"]),
    room("Formats", uses: ["JSON", "Quotes", "Config", "Mapping", "MarketData", "Terminal"]),
    room(
      "Views", uses: ["JSON", "Quotes", "HTTP", "Config", "Mapping", "MarketData", "Terminal", "Formats"], isCold: true),
    room(
      "Proving",
      uses: [
        "Files", "JSON", "JSONPath", "Quotes", "HTTP", "Config", "Mapping", "Transport", "MarketData", "Cassettes",
        "Inference", "Lint", "Terminal",
      ],
      isCold: true),
    room(
      "Shell",
      uses: [
        "CProcess", "Files", "JSON", "Quotes", "HTTP", "Config", "Mapping", "Hooks", "Transport", "MarketData",
        "Lint", "Terminal", "Live", "Views",
      ]),
    room(
      "Asking",
      uses: [
        "Files", "Quotes", "HTTP", "Config", "Mapping", "Transport", "MarketData", "Terminal", "Views", "Shell",
      ]),
    room(
      "Onboarding",
      uses: [
        "Files", "JSON", "Quotes", "HTTP", "Config", "Mapping", "Transport", "Cassettes", "MarketData", "Inference",
        "Lint", "Terminal", "Views", "Proving", "Shell",
      ],
      isCold: true),
    room(
      "Keys",
      uses: [
        "Files", "JSON", "Quotes", "HTTP", "Config", "Mapping", "Transport", "MarketData", "Terminal", "Shell",
        "Asking",
      ],
      isCold: true),
    room(
      "Watching",
      uses: [
        "Files", "Quotes", "Config", "Mapping", "Transport", "MarketData", "Terminal", "Live", "Formats", "Views",
        "Shell",
        "Asking",
      ],
      isCold: true),
    .executableTarget(
      name: "market",
      dependencies: [
        "Files", "JSON", "JSONPath", "Quotes", "Config", "Mapping", "Transport", "Cassettes", "MarketData", "Lint",
        "Terminal", "Live", "Views", "Proving", "Shell", "Asking", "Onboarding", "Keys", "Watching",
      ],
      swiftSettings: settings + cold),

    .target(
      name: "TestSupport", dependencies: ["Files", "JSON", "Quotes", "HTTP", "Transport", "Cassettes"],
      path: "Tests/TestSupport", swiftSettings: roomSettings),
    tests(of: "JSON"),
    tests(of: "JSONPath", uses: ["JSON"]),
    tests(of: "Quotes"),
    tests(of: "Config", uses: ["JSON", "JSONPath", "Quotes", "HTTP"]),
    tests(
      of: "Lint",
      uses: [
        "Files", "JSON", "JSONPath", "Quotes", "HTTP", "Config", "Mapping", "Hooks", "Transport", "Cassettes",
        "MarketData", "Proving",
      ]),
    tests(
      of: "Inference",
      uses: ["JSON", "JSONPath", "Quotes", "HTTP", "Config", "Mapping", "Hooks", "Cassettes", "MarketData"]),
    tests(of: "Onboarding", uses: ["Quotes", "HTTP", "Config"]),
    tests(
      of: "Mapping",
      uses: [
        "Files", "JSON", "JSONPath", "Quotes", "HTTP", "Config", "Transport", "Lint", "Cassettes", "MarketData",
        "Inference",
      ]),
    tests(
      of: "Proving",
      uses: [
        "Files", "JSON", "JSONPath", "Quotes", "HTTP", "Config", "Mapping", "Hooks", "Transport", "MarketData",
        "Cassettes",
      ]),
    tests(of: "Hooks", uses: ["JSON", "Mapping"]),
    tests(
      of: "Transport",
      uses: ["Files", "JSON", "Quotes", "HTTP", "Config", "Mapping", "Hooks", "MarketData", "Cassettes"]),
    // A process that takes nonces. Tests start many of them at once, and kill them.
    .executableTarget(
      name: "NonceProbe", dependencies: ["Config", "HTTP", "MarketData", "Quotes"], path: "Tests/NonceProbe",
      swiftSettings: settings),
    tests(
      of: "MarketData",
      uses: [
        "Files", "JSON", "Quotes", "HTTP", "Config", "Mapping", "Transport", "Cassettes", "Proving",
        "Inference", "NonceProbe", "Views",
      ],
      besides: ["Golden", "Streams/Golden", "Accounts/signature-server.py"]),
    tests(of: "Formats"),
    tests(of: "Terminal", uses: ["Quotes"], besides: ["Golden"]),
    // A program that a test can stop, kill and make trap.
    .executableTarget(
      name: "LiveProbe", dependencies: ["Live", "Quotes", "Terminal"], path: "Tests/LiveProbe", swiftSettings: settings),
    tests(of: "Live", uses: ["Files", "LiveProbe", "Terminal", "Transport"], besides: ["pyte-screens.py"]),
    tests(
      of: "Views", uses: ["JSON", "Quotes", "Config", "Mapping", "Hooks", "MarketData", "Terminal"],
      besides: ["Golden", "Listing/Golden", "PairScreens/Golden", "Watch/Golden"]),
    .testTarget(
      name: "MarketTests",
      dependencies: [
        "TestSupport", "Config", "Lint", "Inference", "Files", "JSON", "Quotes", "HTTP", "Terminal", "Transport",
        "Cassettes", "MarketData", "Mapping", "Onboarding", "Proving", "Formats", "Views", "Shell", "Asking", "Keys",
        "Watching",
        "market",
      ],
      exclude: ["Golden"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Set by `make bench`: benchmarks are not part of an ordinary build.
if Context.environment["MARKET_BENCHMARKS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "JSON", "Quotes", "Config", "Mapping", "Files", "HTTP", "Transport", "MarketData", "Terminal", "Views",
      ],
      path: "Tests/Benchmarks",
      exclude: ["run.sh", "simdjson.cpp", "streams.py", "watch.py", "accounts.py", "accounts.sh"],
      swiftSettings: settings))
}
