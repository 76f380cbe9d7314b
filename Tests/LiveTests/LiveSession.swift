import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension LiveSession {
  /// Starts the probe on a terminal.
  convenience init(
    _ manners: Manners = Manners(), newsEvery milliseconds: Int? = nil, columns: UInt16 = 60, rows: UInt16 = 10
  ) throws {
    try self.init(
      try Self.probe(), milliseconds.map { ["\($0)"] } ?? [], manners, columns: columns, rows: rows)
  }

  /// Returns the path of the built probe, beside the test bundle or above it.
  static func probe() throws -> String {
    #if canImport(Glibc)
      let bundle = "/proc/self/exe"
    #else
      var information = Dl_info()
      guard dladdr(#dsohandle, &information) != 0, let name = information.dli_fname else {
        throw TerminalProcess.Problem("the bundle of the tests has no name")
      }
      let bundle = String(cString: name)
    #endif
    guard let real = realpath(bundle, nil) else { throw TerminalProcess.Problem("no \(bundle)") }
    defer { free(real) }
    var folder = String(cString: real)[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if access("\(folder)/LiveProbe", X_OK) == 0 { return "\(folder)/LiveProbe" }
    }
    throw TerminalProcess.Problem("no program 'LiveProbe' above \(String(cString: real))")
  }
}
