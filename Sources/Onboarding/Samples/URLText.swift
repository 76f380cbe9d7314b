import HTTP
import Quotes

/// URL components as text (RFC 3986).
enum URLText {
  /// Decodes `%20` and `+`; returns the text unchanged if the result is not UTF-8.
  static func decoded(_ text: String) -> String {
    let bytes = PercentEncoding.decoded(String(text.map { $0 == "+" ? " " : $0 }))
    return String(validating: bytes, as: UTF8.self) ?? text
  }

  /// Encodes the value of `name=value` like curl's `--data-urlencode`: `=value` and `value` have no name.
  static func encodedItem(_ item: String) -> String {
    guard let sign = item.firstIndex(of: "=") else { return PercentEncoding.strict(item) }
    let name = item[..<sign]
    let value = PercentEncoding.strict(String(item[item.index(after: sign)...]))
    return name.isEmpty ? value : "\(name)=\(value)"
  }

  /// Returns the Authorization header for `user:password` (RFC 7617).
  static func basic(_ credentials: String) -> String { "Basic " + Base64.encode(Array(credentials.utf8)) }

  /// Returns `user:password` from the value after `Basic`; nil if it is invalid.
  static func plain(basic text: String) -> String? {
    Base64.decode(text).flatMap { String(validating: $0, as: UTF8.self) }.flatMap { $0.contains(":") ? $0 : nil }
  }
}
