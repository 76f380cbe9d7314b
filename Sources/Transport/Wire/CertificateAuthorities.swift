/// Where libcurl finds the certificate authorities, chosen for speed among places of equal trust.
///
/// Reading a whole bundle costs OpenSSL 3 some 50 ms, and libcurl reads it again for every connection where a folder
/// is configured beside it: with twenty exchanges half a second. A folder whose files are named by the hashes of their
/// subjects (`openssl rehash`) is only looked into for the one authority that signed.
struct CertificateAuthorities: Hashable, Sendable {
  /// A folder with hashed names: asked first.
  var directory: String?
  /// One bundle: used without a folder, and when the folder does not know an authority. nil = what libcurl was built
  /// with.
  var file: String?

  /// - Parameters:
  ///   - fileOfUser: a bundle named in the environment. One that is not the system's own is the only truth.
  ///   - directoryOfUser: a folder named in the environment.
  ///   - builtInFile: what this libcurl was built to use, and so `builtInDirectory`.
  ///   - library: the TLS library's name and version, `OpenSSL/3.0.19`.
  ///   - namesIn: lists the names in a folder.
  init(
    fileOfUser: String?, directoryOfUser: String?, builtInFile: String?, builtInDirectory: String?, library: String,
    namesIn: (String) -> [String]
  ) {
    file = fileOfUser ?? builtInFile
    if let fileOfUser, fileOfUser != builtInFile { return }
    guard let candidate = directoryOfUser ?? builtInDirectory, Self.looksUpHashes(library),
      namesIn(candidate).count(where: Self.isHash) >= Self.fewestHashes
    else { return }
    directory = candidate
  }

  /// Fewer are a folder with additions of somebody's own, and no system's whole trust.
  static let fewestHashes = 32

  /// Other libraries read all files of a folder, which takes longer than a bundle.
  private static func looksUpHashes(_ library: String) -> Bool {
    ["OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls"].contains { library.hasPrefix($0) }
  }

  /// `5ed36f99.0`: eight hexadecimal digits and a number.
  private static func isHash(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return bytes.count >= 10 && bytes[8] == UInt8(ascii: ".")
      && bytes[..<8].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      && bytes[9...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
