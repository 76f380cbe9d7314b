package import Config
import JSON

/// A symbol rule that is given instead of inferred: which payment currencies it needs is learned from the sample.
package struct GivenSymbol {
  /// `symbol` of the config.
  private let value: ConfigValue

  package init(_ value: ConfigValue) { self.value = value }

  /// The rules that split a symbol at its payment currency, each with the affixes that it removes first.
  private var rules: [(prefix: String, suffix: String)] {
    var rules = [value]
    if case .list(let given)? = value["rules"] { rules = given }
    return rules.compactMap { rule in
      guard case .text("payment")? = rule["split"] else { return nil }
      return (rule["prefix"]?.string ?? "", rule["suffix"]?.string ?? "")
    }
  }

  /// Whether it needs a list of payment currencies.
  package var needsPayments: Bool { !rules.isEmpty }

  /// Returns the payment currencies that end the symbols of a sample, most frequent first, and the first symbol.
  ///
  /// - Parameter rows: the JSONPath of the rows.
  package func payments(in bytes: [UInt8], rows: String) -> (currencies: [String], example: String?) {
    guard let root = try? JSONDocument(parsing: bytes).root, var rows = SampleRows(at: rows, in: root) else {
      return ([], nil)
    }
    var texts: [String] = []
    if value["from"]?.string == "key" {
      texts = rows.keys
    } else if let path = value["path"]?.string, let column = rows.column(at: path) {
      texts = rows.columns[column].presentTexts
    }
    let inner = texts.compactMap { text in
      rules.first { text.hasPrefix($0.prefix) && text.hasSuffix($0.suffix) }.map {
        text.dropFirst($0.prefix.count).dropLast($0.suffix.count).uppercased()
      }
    }
    // What is left of an unknown suffix is no currency.
    let codes = PaymentLearner(inner).currencies().filter { $0.allSatisfy { $0.isLetter || $0.isNumber } }
    return (codes, texts.first)
  }
}

extension ConfigValue {
  fileprivate var string: String? { if case .text(let text) = self { text } else { nil } }
}
