package import Config
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
  package let configuration: Configuration?
  /// In the order of the text.
  package let findings: [Finding]
  private let builtin: Source
  private let hooks: [String]?

  /// - Parameters:
  ///   - builtin: the shipped config, which is looked at only where the text extends it.
  ///   - hooks: the hooks that are compiled in; nil leaves unknown names alone.
  package init(_ source: Source, builtin: Source, hooks: [String]?) {
    self.init(ConfigLook(source, builtin: builtin, hooks: hooks))
  }

  private init(_ look: ConfigLook) {
    source = look.source
    builtin = look.builtin
    hooks = look.hooks
    configuration = look.configuration
    findings = ConfigSight(look).findings
  }

  package var errorCount: Int { findings.count { $0.severity == .error } }
  package var warningCount: Int { findings.count - errorCount }

  /// The config with the safe fixes made, everything else as it was; nil where there is none.
  ///
  /// A fix stays when the text can be read as far as before, and names nothing twice that was named once. What a repaired
  /// key brings to light is repaired as well.
  package func repaired() -> (review: ConfigReview, fixes: [Finding])? {
    var look = ConfigLook(source, builtin: builtin, hooks: hooks)
    var fixed: [Finding] = []
    var refused: Set<Diagnostic.Fix> = []
    while let (finding, next) = look.oneFix(refusing: &refused) {
      look = next
      fixed.append(finding)
    }
    return fixed.isEmpty ? nil : (ConfigReview(look), fixed)
  }
}

extension ConfigLook {
  /// The last fix of the text that can be made, so that the places before it stay right.
  fileprivate func oneFix(refusing refused: inout Set<Diagnostic.Fix>) -> (Finding, ConfigLook)? {
    for (told, fix) in fixes.reversed() where !refused.contains(fix) {
      let next = ConfigLook(edited(by: [fix]).source, builtin: builtin, hooks: hooks)
      if next.configuration != nil || configuration == nil, next.duplicateCount <= duplicateCount {
        return (SourceMaps(self, secrets: self.told.flatMap(\.told.secrets)).finding(told), next)
      }
      refused.insert(fix)
    }
    return nil
  }
}
