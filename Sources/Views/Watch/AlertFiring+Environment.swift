import Mapping
package import MarketData
import Quotes

extension AlertFiring {
  /// The rate of the figures.
  var rate: RateView? { figures.snapshot.rate?.quote.map { RateView($0, at: time) } }

  /// Whether the greatest premium is known. The last price of an exchange that failed is not part of it.
  var knowsPremium: Bool { reading(AlertValue(.premium)) != nil }

  /// The environment variables of an alert command: our own numbers and names, never text from an exchange.
  package var environment: [(name: String, value: String)] {
    var variables = [("MARKET_EXPR", rule.text), ("MARKET_TIME", time.iso8601)]
    if let subject { variables.insert(("MARKET_PAIR", "\(subject)"), at: 0) }
    for field in AlertField.allCases {
      guard let number = reading(AlertValue(field, of: rule.condition.exchange(of: field))) else { continue }
      let name = field.rawValue.uppercased().map { $0 == "." ? "_" : $0 }
      variables.append(("MARKET_\(String(name))", field.isPercent ? number.fixedText(places: 2) : field.text(number)))
    }
    let priced = rule.condition.exchange(of: .price)
    if reading(AlertValue(.price, of: priced)) != nil, let exchange = priced ?? figures.leadRow?.ticker.exchange {
      variables.append(("MARKET_EXCHANGE", exchange))
    }
    if reading(AlertValue(.rate)) != nil, let rate, !rate.codes.isEmpty {
      variables.append(("MARKET_FX_LABELS", rate.codes))
    }
    if knowsPremium, case .success(let premium) = figures.snapshot.premium {
      for (name, place) in [("HIGH", premium.high), ("LOW", premium.low)] {
        let ticker = figures.snapshot.spot[place].ticker
        variables.append(("MARKET_\(name)_EXCHANGE", ticker.exchange))
        variables.append(("MARKET_\(name)_PRICE", ticker.price.value?.shortest ?? ""))
      }
    }
    return variables.map { (name: $0.0, value: $0.1.filter { $0 != "\0" }) }
  }
}
