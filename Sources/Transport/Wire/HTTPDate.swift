import CCurl

/// Dates as headers write them (RFC 9110 §5.6.7), the obsolete forms too.
package enum HTTPDate {
  /// Nanoseconds since 1970; nil for what is no date, and where there is no libcurl to read it. A date beyond
  /// the year 2262 is the last moment there is.
  package static func instant(_ text: String) -> Int64? {
    guard let curl = try? CurlLibrary.textFunctions() else { return nil }
    let seconds = Int64(curl.getdate(text, nil))
    let (nanoseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return seconds < 0 ? nil : isBeyond ? .max : nanoseconds
  }
}
