import Quotes

/// A filter that rules out rows of other assets by a look at their symbol, before any of it is read.
///
/// A table of all pairs has thousands of rows, but only one pair is wanted. Whatever the rules do with a symbol, an
/// asset cut out of it occurs in it: under its own name, an alias, or with a multiplier. So a symbol without any of
/// these is skipped; one that contains them may still be of another asset, and is read.
struct SymbolPrefilter: Sendable {
  /// The number of the path that leads to the symbol.
  let path: Int
  /// In uppercase.
  private let names: [[UInt8]]

  /// Returns nil if the asset may come from elsewhere than the symbol.
  init?(_ plan: SymbolPlan, wanted asset: String, globalAliases: [String: String]) {
    guard let path = plan.plainPath, !plan.isRequest, plan.rules.allSatisfy({ $0.asset == nil }) else { return nil }
    var names: Set<String> = [asset]
    names.formUnion(globalAliases.filter { $0.value == asset }.keys)
    let canonical = names
    names.formUnion(plan.aliases.filter { canonical.contains($0.value.uppercased()) }.keys)
    // Letters beyond ASCII may have more than one uppercase form.
    guard names.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } && !$0.isEmpty }) else { return nil }
    self.path = path
    self.names = names.map { Array($0.uppercased().utf8) }
  }

  func mayHold(_ symbol: UnsafeBufferPointer<UInt8>) -> Bool {
    names.contains { Self.contains($0, in: symbol) }
  }

  private static func contains(_ name: [UInt8], in symbol: UnsafeBufferPointer<UInt8>) -> Bool {
    guard symbol.count >= name.count else { return false }
    var start = 0
    while start + name.count <= symbol.count {
      var offset = 0
      while offset < name.count, symbol[start + offset].uppercased == name[offset] { offset += 1 }
      if offset == name.count { return true }
      start += 1
    }
    return false
  }
}
