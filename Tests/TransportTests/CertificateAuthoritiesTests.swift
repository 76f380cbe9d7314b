import Testing

@testable import Transport

@Suite struct CertificateAuthoritiesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fileOfUser: String?
    var directoryOfUser: String?
    var builtInDirectory: String? = "/etc/ssl/certs"
    var library = "OpenSSL/3.0.19"
    /// The number of hashed names in the folders.
    var hashes = 139
    var expectedDirectory: String?
    var expectedFile: String?
  }

  static let cases = [
    Case(
      testDescription: "the system's folder before its bundle", expectedDirectory: "/etc/ssl/certs",
      expectedFile: "/bundle.crt"),
    Case(testDescription: "no folder", builtInDirectory: nil, expectedFile: "/bundle.crt"),
    Case(testDescription: "a folder without hashes", hashes: 0, expectedFile: "/bundle.crt"),
    Case(testDescription: "a folder with a few additions", hashes: 31, expectedFile: "/bundle.crt"),
    Case(
      testDescription: "a TLS library that reads whole folders", library: "GnuTLS/3.7.9", expectedFile: "/bundle.crt"),
    Case(testDescription: "the user's bundle is the only source", fileOfUser: "/mine", expectedFile: "/mine"),
    Case(
      testDescription: "the system's bundle named by the user", fileOfUser: "/bundle.crt",
      expectedDirectory: "/etc/ssl/certs", expectedFile: "/bundle.crt"),
    Case(
      testDescription: "the user's folder", directoryOfUser: "/folder", expectedDirectory: "/folder",
      expectedFile: "/bundle.crt"),
  ]

  @Test(arguments: cases) func chooses(_ example: Case) {
    let hashes = (0..<example.hashes).map { number in
      "5ed36f\(number < 100 ? "9" : "a")\(number % 10).\(number / 10)"
    }
    let authorities = CertificateAuthorities(
      fileOfUser: example.fileOfUser, directoryOfUser: example.directoryOfUser, builtInFile: "/bundle.crt",
      builtInDirectory: example.builtInDirectory, library: example.library,
      namesIn: { _ in hashes + ["ca-certificates.crt", "Some_Root.pem", "5ed36f9.0", "5ed36f990", "5ed36f99.r0"] })
    #expect(authorities.directory == example.expectedDirectory)
    #expect(authorities.file == example.expectedFile)
  }
}
