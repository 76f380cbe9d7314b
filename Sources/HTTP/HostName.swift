import Quotes

/// The host of a URL, which determines the machine that a request goes to.
package struct HostName: Hashable, Sendable {
  /// In lower case, percent-decoded and without a trailing dot; an IPv6 address in brackets.
  package let name: String
  /// nil means the scheme's default.
  package let port: Int?

  /// - Parameter url: An absolute URL without a user name, or the part after its scheme.
  package init(of url: some StringProtocol) {
    let url = Substring(url)
    let isSecure = url.hasPrefix("https://")
    let rest = isSecure ? url.dropFirst(8) : url.hasPrefix("http://") ? url.dropFirst(7) : url
    // Byte by byte, as HTTP clients parse it: a combining mark after a slash does not make it a letter.
    let slash = rest.utf8.firstIndex { byte in
      byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
    let authority = rest[..<(slash ?? rest.endIndex)]
    let isBracketed = authority.utf8.first == UInt8(ascii: "[")
    let end =
      isBracketed
      ? authority.utf8.firstIndex(of: UInt8(ascii: "]")).map { authority.utf8.index(after: $0) }
      : authority.utf8.firstIndex(of: UInt8(ascii: ":"))
    let host = PercentEncoding.decoded(authority[..<(end ?? authority.endIndex)])
    var text = String(decoding: host, as: UTF8.self).lowercased()
    while text.hasSuffix(".") { text.removeLast() }
    name = text
    let number = end.map { authority[$0...].dropFirst() }.flatMap { Int($0) }
    port = number == (isSecure ? 443 : 80) ? nil : number
  }

  /// Returns whether what follows the host's colon is a port, if there is one.
  ///
  /// - Parameter address: A URL after its scheme.
  package static func hasValidPort(_ address: Substring) -> Bool {
    let authority = address.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let host = authority.lastIndex(of: UInt8(ascii: "]")).map { authority[$0...].dropFirst() } ?? authority
    guard let colon = host.lastIndex(of: UInt8(ascii: ":")) else { return true }
    let digits = host[colon...].dropFirst()
    return digits.allSatisfy(\.isDigit) && Int(Substring(digits)).map { (1...65_535).contains($0) } == true
  }

  /// Host and port, for counting and for messages.
  package var text: String { port.map { "\(name):\($0)" } ?? name }

  /// Whether this is a literal name of the local machine; other names may resolve to anything.
  package var isLoopback: Bool {
    if name == "localhost" || name == "[::1]" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    // Digits alone: an initializer of an integer accepts a sign.
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy(\.isLetterOrDigit) }
  }

  /// Whether the host is this machine, or in a private or link-local network, in any notation.
  ///
  /// Names that merely resolve to such an address are not detected. They need not be: over https the host has to prove
  /// its name, and plain http only goes to this machine.
  package var isLocal: Bool {
    if name.hasPrefix("[") { return IPv6Address(name).map(\.isLocal) ?? true }
    if let address = IPv4Address(name) { return address.isLocal }
    let isOfLocalDomain = [".localhost", ".local", ".internal", ".home.arpa", ".lan"].contains { name.hasSuffix($0) }
    return isOfLocalDomain || !name.contains(".")
  }
}

/// An address as the system's resolver parses it: `10.0.0.1`, but also `0x7f.1`.
private struct IPv4Address {
  let value: UInt32

  init(_ value: UInt32) { self.value = value }

  /// Returns nil if the text is not a number in any of these forms.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(Self.number)
    guard (1...4).contains(parts.count), numbers.count == parts.count, let last = numbers.last else { return nil }
    var value: UInt64 = 0
    for number in numbers.dropLast() {
      guard number < 256 else { return nil }
      value = value << 8 | number
    }
    let room = UInt64(8 * (5 - parts.count))
    guard last < 1 << room else { return nil }
    self.value = UInt32(truncatingIfNeeded: value << room | last)
  }

  private static func number(_ text: Substring) -> UInt64? {
    // An initializer of an integer accepts a sign.
    guard text.utf8.allSatisfy(\.isLetterOrDigit) else { return nil }
    if text.hasPrefix("0x") { return text.count == 2 ? 0 : UInt64(text.dropFirst(2), radix: 16) }
    return text.count > 1 && text.hasPrefix("0") ? UInt64(text, radix: 8) : UInt64(text)
  }

  /// RFC 6890: this machine, private networks, link-local and shared addresses, and those that lead nowhere.
  var isLocal: Bool {
    let blocks: [(UInt32, UInt32)] = [
      (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
      (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
    ]
    return blocks.contains { value >> (32 - $0.1) == $0.0 >> (32 - $0.1) }
  }
}

/// RFC 4291 §2.2
private struct IPv6Address {
  let groups: [UInt16]

  /// - Parameter text: In brackets, optionally with a zone.
  init?(_ text: String) {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    let address = text.dropFirst().dropLast().prefix { $0 != "%" }
    let halves = address.split(separator: "::", omittingEmptySubsequences: false)
    guard halves.count <= 2, let first = Self.groups(halves[0]) else { return nil }
    guard halves.count == 2 else {
      guard first.count == 8 else { return nil }
      groups = first
      return
    }
    guard let last = Self.groups(halves[1]), first.count + last.count < 8 else { return nil }
    groups = first + [UInt16](repeating: 0, count: 8 - first.count - last.count) + last
  }

  private static func groups(_ text: Substring) -> [UInt16]? {
    if text.isEmpty { return [] }
    var groups: [UInt16] = []
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      if part.contains("."), let address = IPv4Address(String(part)) {
        groups += [UInt16(truncatingIfNeeded: address.value >> 16), UInt16(truncatingIfNeeded: address.value)]
      } else if part.utf8.count <= 4, part.utf8.allSatisfy(\.isLetterOrDigit), let group = UInt16(part, radix: 16) {
        groups.append(group)
      } else {
        return nil
      }
    }
    return groups
  }

  var isLocal: Bool {
    let embedded = IPv4Address(UInt32(groups[6]) << 16 | UInt32(groups[7]))
    if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0 || groups[5] == 0xFFFF {
      return embedded.isLocal || groups[5] == 0
    }
    if groups[0] == 0x0064, groups[1] == 0xFF9B { return embedded.isLocal }
    return groups[0] & 0xFE00 == 0xFC00 || groups[0] & 0xFF80 == 0xFE80 || groups[0] & 0xFF00 == 0xFF00
  }
}
