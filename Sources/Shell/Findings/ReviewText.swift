import Config
import JSON
package import Lint
import Quotes
import Terminal

extension FindingWriter {
  /// Returns the findings of configs, in text format each with a line that counts them.
  package func text(of reviews: [ConfigReview]) -> String {
    guard format == .text else { return text(of: reviews.flatMap(\.findings)) }
    return reviews.map { text(of: $0.findings) + summary(of: $0) + "\n" }.joined()
  }

  private func summary(of review: ConfigReview) -> String {
    let name = TerminalText.sanitized(review.source.name)
    guard review.findings.isEmpty else {
      let (errors, warnings) = (review.errorCount, review.warningCount)
      return warningsAreErrors
        ? "\(name): \((errors + warnings).counted("error"))"
        : "\(name): \(errors.counted("error")), \(warnings.counted("warning"))"
    }
    let configuration = review.configuration
    return "\(name): no problems in \((configuration?.exchanges.count ?? 0).counted("exchange")) and "
      + (configuration?.providerNames.count ?? 0).counted("rate provider")
  }
}

extension [Finding] {
  /// Returns a line for each finding fixed in a file, up to the number shown.
  package func fixedLines(in path: String) -> [String] {
    let lines = prefix(Excerpt.maximumShown).map { "\(path):\($0.place?.start.line ?? 1): \($0.fixed)" }
    return count > lines.count ? lines + ["\(path): fixed \(count - lines.count) more"] : lines
  }
}

extension Finding {
  /// What was replaced by what; if something was removed, what it was.
  fileprivate var fixed: String {
    guard fix.count == 1, let edit = fix.first, !edit.replacement.isEmpty else { return "fixed: \(message)" }
    let old = String(decoding: edit.place.file.bytes[edit.place.range], as: UTF8.self)
    return "fixed \(old) -> \(edit.replacement)"
  }
}

extension [Coverage] {
  /// The table of `--coverage`: what each market consists of.
  package var text: String {
    var table = Table(columns: ["EXCHANGE", "MARKET", "FIELDS", "LOOKUPS", "BY"].map { TableColumn($0) })
    for item in self {
      let words = [
        TerminalText.sanitized(item.owner), item.market, "\(item.mapped) of \(item.possible)", "\(item.lookups)",
        item.hooks.isEmpty ? "data" : "hook \(item.hooks.joined(separator: ", "))",
      ]
      table.addRow(words.map { StyledText($0) })
    }
    let data = count { $0.hooks.isEmpty }
    let share = isEmpty ? 100 : data * 100 / count
    return table.rendered(width: nil, palette: .plain) + "\(data) of \(count) tables are only data (\(share) %)\n"
  }
}
