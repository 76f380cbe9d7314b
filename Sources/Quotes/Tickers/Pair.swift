/// An asset and the currency it is paid for in: BTC (the base currency) in USDT (the quote currency).
package struct Pair: Sendable, Hashable, CustomStringConvertible {
  package var asset: String
  package var payment: String

  package init(asset: String, payment: String) { (self.asset, self.payment) = (asset, payment) }

  /// Parses a text such as `BTC/USDT`, ignoring case; nil for any other text.
  package init?(_ text: some StringProtocol) {
    let names = String(text).split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy({ Self.isName($0) }) else { return nil }
    self.init(asset: names[0].uppercased(), payment: names[1].uppercased())
  }

  /// Returns whether the characters of a text can form an asset's name: letters, digits and signs, except those that
  /// separate or quote names. Invisible characters, such as control characters, are not allowed, nor are more than 64.
  package static func isName(_ text: some StringProtocol) -> Bool {
    guard text.unicodeScalars.count <= 64 else { return false }
    return text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
      && text.unicodeScalars.allSatisfy { scalar in
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
        default: !"/,:;\"'`\\".unicodeScalars.contains(scalar)
        }
      }
  }

  /// The coin of a bundle that exchanges trade under a name of its own: PEPE for 1000PEPE, BABYDOGE for 1MBABYDOGE; nil for
  /// other names. Tables name the coin, and give prices per coin.
  package static func coin(ofBundle name: String) -> String? {
    let digits = name.prefix { $0 == "0" || $0 == "1" }
    let isMillion = digits == "1" && name.dropFirst().first == "M"
    let isThousands = digits.first == "1" && digits.count >= 4 && digits.dropFirst().allSatisfy { $0 == "0" }
    guard isMillion || isThousands else { return nil }
    let coin = name.dropFirst(isMillion ? 2 : digits.count)
    return coin.count >= 2 && coin.first?.isLetter == true ? String(coin) : nil
  }

  /// `BTC/USDT`.
  package var description: String { "\(asset)/\(payment)" }
}

/// The two kinds of market that are compared. Futures are perpetual swaps.
package enum Market: String, Sendable, Hashable, CaseIterable {
  case spot
  case futures
}

/// The ISO 4217 codes of national currencies, which exchange rate providers quote and which are not coins.
package enum FiatCurrency {
  /// Fund codes, metals and test codes are left out.
  package static let codes = Set(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP \
    CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF \
    IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK \
    MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR \
    SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND \
    VUV WST XAF XCD XOF XPF YER ZAR ZMW
    """.split(separator: " ").map(String.init))

  /// Returns the code of a currency that people call by its name, ignoring case; nil for any other word. Only for what is
  /// typed as a currency: exchanges may give a coin such a name.
  package static func code(named word: String) -> String? { codesByName[word.uppercased()] }

  private static let codesByName = [
    "WON": "KRW", "원": "KRW", "DOLLAR": "USD", "달러": "USD", "YEN": "JPY", "엔": "JPY", "EURO": "EUR", "유로": "EUR",
    "YUAN": "CNY", "위안": "CNY",
  ]
}
