/// An address that text leads to on terminals that know links (OSC 8):
/// https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
///
/// It is made of visible ASCII alone, so that it can be sent as it stands.
package struct Hyperlink: Hashable, Sendable {
  package let address: String

  /// What common terminals take of an address, in bytes.
  private static let longest = 2083

  /// - Returns: nil for an address with another scheme than https, with blanks, control bytes or characters beyond ASCII, and
  ///   for one that is too long to arrive whole.
  package init?(_ address: String) {
    let bytes = address.utf8
    guard address.hasPrefix("https://"), bytes.count <= Self.longest, bytes.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.address = address
  }

  /// What begins a link, and ends the one before; nil ends it alone.
  static func sequence(_ link: Hyperlink?) -> String { "\u{1B}]8;;\(link?.address ?? "")\u{1B}\\" }

  /// Whether a terminal is told of links. All others pass over them, and show the text; the console of Linux would show the
  /// address once more in the midst of the picture, and Terminal.app has no use for it.
  package static func areShown(environment: (String) -> String?) -> Bool {
    !["linux", "dumb"].contains(environment("TERM") ?? "") && environment("TERM_PROGRAM") != "Apple_Terminal"
  }
}
