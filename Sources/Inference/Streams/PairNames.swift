import JSON
import JSONPath

/// The currencies of a pair, which members of its rows may be named after.
struct PairNames {
  /// As spelled by the exchange, like the payment currency.
  let asset: String
  let payment: String

  /// The templates for the currencies, by the text that they stand for, the exchange's own spelling first.
  private var templates: [(text: String, template: String)] {
    [("asset", asset), ("payment", payment)].flatMap { word, name in
      [
        (text: name, template: "{\(word)}"), (text: name.lowercased(), template: "{\(word)|lower}"),
        (text: name.uppercased(), template: "{\(word)|upper}"),
      ]
    }
  }

  /// Returns a path with templates in place of the currencies in its names; nil if it has none.
  ///
  ///     $.btc_volume  becomes  $['{asset|lower}_volume']
  func template(of path: String) -> String? {
    guard let steps = (try? JSONPathQuery(path))?.singularSteps else { return nil }
    var isNamed = false
    let general = steps.map { step -> SingularStep in
      guard case .member(let name) = step, let other = template(ofName: name) else { return step }
      isNamed = true
      return .member(other)
    }
    return isNamed ? general.pathText : nil
  }

  /// Returns a name with a template in place of the word that is a currency; nil if there is none, or nothing else.
  private func template(ofName name: String) -> String? {
    let words = name.split { !$0.isLetter && !$0.isNumber }
    guard words.count > 1 else { return nil }
    for word in words {
      guard let template = templates.first(where: { $0.text == word })?.template else { continue }
      return String(name[..<word.startIndex]) + template + name[word.endIndex...]
    }
    return nil
  }

  /// Returns a path with the currencies in place of their templates.
  func filled(_ path: String) -> String {
    guard path.contains("{") else { return path }
    return templates.reduce(path) { $0.replacing($1.template, with: $1.text) }
  }
}
