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
  private let diagnostics: [Diagnostic]
  private let builtin: Source
  private let hooks: [String]?

  /// - Parameters:
  ///   - builtin: the shipped config, which is looked at only where the text extends it.
  ///   - hooks: the hooks that are compiled in; nil leaves unknown names alone.
  package init(_ source: Source, builtin: Source, hooks: [String]?) {
    self.source = source
    self.builtin = builtin
    self.hooks = hooks
    do throws(ConfigSyntaxError) {
      let file = try ConfigFile(name: source.name, bytes: source.bytes, isUntrusted: source.isUntrusted)
      let catalog = try Catalog(file) { () throws(ConfigSyntaxError) in
        try ConfigFile(name: builtin.name, bytes: builtin.bytes)
      }
      self.catalog = catalog
      diagnostics = Validator(catalog, hooks: hooks).findings()
      findings = Finding.all(diagnostics)
    } catch {
      catalog = nil
      diagnostics = []
      findings = [.brokenText(error)]
    }
  }

  package var errorCount: Int { findings.count { $0.severity == .error } }
  package var warningCount: Int { findings.count - errorCount }

  /// The config with the safe fixes made, everything else as it was; nil where there is none.
  ///
  /// A fix stays when the text is still JSON, and names nothing twice that was named once. What a repaired key brings to
  /// light is repaired as well.
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
    for (diagnostic, finding) in zip(diagnostics, findings).reversed() {
      guard let fix = diagnostic.fix, diagnostic.place.file.name == source.name, !refused.contains(fix) else {
        continue
      }
      var text = source
      text.bytes.replaceSubrange(fix.range, with: Array(fix.replacement.utf8))
      let next = ConfigReview(text, builtin: builtin, hooks: hooks)
      let doubles = next.findings.count { $0.code == "MKT002" }
      if next.catalog != nil, doubles <= findings.count(where: { $0.code == "MKT002" }) { return (finding, next) }
      refused.insert(fix)
    }
    return nil
  }
}
