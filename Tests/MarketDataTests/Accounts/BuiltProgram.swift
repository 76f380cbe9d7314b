import Files

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Programs built beside the tests.
enum BuiltProgram {
  struct Missing: Error { let name: String }

  static func path(_ name: String) throws -> String {
    guard let real = realpath(bundle, nil) else { throw Missing(name: name) }
    defer { free(real) }
    var folder = String(cString: real)[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if FileSystem.isExecutable("\(folder)/\(name)") { return "\(folder)/\(name)" }
    }
    throw Missing(name: name)
  }

  /// The file with the tests' code: on Linux the running program, on macOS a bundle loaded by another.
  private static var bundle: String {
    #if canImport(Glibc)
      return "/proc/self/exe"
    #else
      var information = Dl_info()
      guard dladdr(#dsohandle, &information) != 0, let name = information.dli_fname else { return "" }
      return String(cString: name)
    #endif
  }
}
