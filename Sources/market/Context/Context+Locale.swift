extension Context {
  /// The locale for dates, as POSIX has it: `LC_ALL`, else `LC_TIME`, else `LANG`.
  var timeLocale: String? {
    ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }
}
