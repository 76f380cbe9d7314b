/// The target of a link on terminals that support links (OSC 8):
/// https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
///
/// Consists only of visible ASCII, so that it can be sent as it is.
package struct Hyperlink: Hashable, Sendable {
  package let address: String

  /// The longest address that common terminals accept, in bytes.
  private static let maximumLength = 2083

  /// - Returns: nil for an address with a scheme other than https, with blanks, control bytes or non-ASCII characters,
  ///   or that is too long to be accepted whole.
  package init?(_ address: String) {
    let bytes = address.utf8
    guard address.hasPrefix("https://"), bytes.count <= Self.maximumLength,
      bytes.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.address = address
  }

  /// Returns the sequence that starts a link and ends the previous one; nil only ends it.
  static func sequence(_ link: Hyperlink?) -> String { "\u{1B}]8;;\(link?.address ?? "")\u{1B}\\" }

  /// Returns whether to send links to the terminal. Others ignore them and show the text, but the Linux console would
  /// also print the address in the middle of the picture, and Terminal.app does not support links.
  package static func areShown(environment: (String) -> String?) -> Bool {
    !["linux", "dumb"].contains(environment("TERM") ?? "") && environment("TERM_PROGRAM") != "Apple_Terminal"
  }
}
