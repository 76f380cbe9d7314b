import Config
import Files
import TestSupport
import Testing

@testable import Proving

@Suite struct CurlCheckTests {
  private static let head = "# a root\n-----BEGIN CERTIFICATE-----\nAAAA\n"

  /// `~` stands for a folder, which has a file with this text; nil for none.
  @Test(
    arguments: [
      ("~/roots.pem", head, .ok, "certificate authorities in ~/roots.pem"),
      ("~", head, .ok, "certificate authorities in ~"),
      ("~/roots.pem", "", .error, "'~/roots.pem' has no certificate authority"),
      (
        "~/roots.pem", nil, .error,
        "certificate authorities: cannot read '~/roots.pem': No such file or directory"
      ),
    ] as [(String, String?, Finding.Severity, String)])
  func authoritiesAreRead(_ path: String, _ text: String?, _ severity: Finding.Severity, _ message: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    if let text { try FileSystem.writeAtomically(Array(text.utf8), to: "\(folder.path)/roots.pem") }
    let finding = CurlCheck.authorities(in: path.replacing("~", with: folder.path))
    #expect(finding.severity == severity && finding.message.replacing(folder.path, with: "~") == message)
  }
}
