import JSON

/// The text of a config and all that is wrong with it.
package struct ConfigReview: Sendable {
  /// A text with the name that messages give it.
  package struct Source: Sendable {
    package var name: String
    package var bytes: [UInt8]
    package var isUntrusted: Bool

    package init(name: String, bytes: [UInt8], isUntrusted: Bool = false) {
      self.name = name
      self.bytes = bytes
      self.isUntrusted = isUntrusted
    }
  }

  package let source: Source
  /// nil where the text, or the shipped one that it is laid over, is no JSON.
  package let catalog: Catalog?
  /// In the order of the text.
  package let findings: [Finding]
  /// What can be put right by `--fix`, with the edits; the last of the text first.
  private let fixes: [(finding: Finding, fix: Diagnostic.Fix)]
  /// How many names stand twice.
  private let duplicateCount: Int
  private let builtin: Source
  private let hooks: [String]?

  /// - Parameters:
  ///   - builtin: the shipped config, which is looked at only where the text extends it.
  ///   - hooks: the hooks that are compiled in; nil leaves unknown names alone.
  package init(_ source: Source, builtin: Source, hooks: [String]?) {
    self.source = source
    self.builtin = builtin
    self.hooks = hooks
    let first = ConfigLook(source, builtin: builtin, hooks: hooks)
    let all = ConfigSight(first)
    catalog = first.catalog
    duplicateCount = first.duplicateCount
    findings = all.findings
    fixes = first.fixes.reversed().map { (all.finding(of: $0.told), $0.fix) }
  }

  package var errorCount: Int { findings.count { $0.severity == .error } }
  package var warningCount: Int { findings.count - errorCount }

  /// The config with the safe fixes made, everything else as it was; nil where there is none.
  ///
  /// A fix stays when the text can be read as far as before, and names nothing twice that was named once. What a repaired
  /// key brings to light is repaired as well.
  package func repaired() -> (review: ConfigReview, fixes: [Finding])? {
    var review = self
    var fixed: [Finding] = []
    var refused: Set<Diagnostic.Fix> = []
    while let (finding, next) = review.oneFix(refusing: &refused) {
      review = next
      fixed.append(finding)
    }
    return fixed.isEmpty ? nil : (review, fixed)
  }

  /// The last fix of the text that can be made, so that the places before it stay right.
  private func oneFix(refusing refused: inout Set<Diagnostic.Fix>) -> (Finding, ConfigReview)? {
    for (finding, fix) in fixes where !refused.contains(fix) {
      var text = source
      text.bytes.replaceSubrange(fix.range, with: Array(fix.replacement.utf8))
      let next = ConfigReview(text, builtin: builtin, hooks: hooks)
      if next.catalog != nil || catalog == nil, next.duplicateCount <= duplicateCount { return (finding, next) }
      refused.insert(fix)
    }
    return nil
  }
}
