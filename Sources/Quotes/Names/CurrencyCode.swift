/// Codes of common payment currencies, and how likely each of two codes is to be the payment currency.
///
/// The list is general knowledge, not specific to any exchange: of `BTC` and `USD`, the dollar is the payment currency.
package enum CurrencyCode {
  /// 5 national, 4 pegged to one, 3 bitcoin, 2 other payment currencies, 1 known assets, 0 anything else.
  package static func rank(of code: String) -> Int { ranks[code] ?? 0 }

  package static func isKnown(_ code: String) -> Bool { rank(of: code) > 0 }

  package static func isPayment(_ code: String) -> Bool { rank(of: code) > 1 }

  /// Returns `SHIB` for `1000SHIB`: the coin of a symbol that counts several of it.
  package static func withoutCount(_ code: String) -> String {
    guard code.hasPrefix("10") else { return code }
    let coin = code.dropFirst().drop { $0 == "0" }
    return coin.first?.isLetter == true ? String(coin) : code
  }

  /// Returns whether a code is that of a token worth a dollar.
  package static func isDollarToken(_ code: String) -> Bool {
    pegged.contains(code) && (code.contains("USD") || ["PAX", "DAI", "UST", "USTC", "USN"].contains(code))
  }

  /// Returns whether a unit of a currency is worth less than a cent, so that coins are priced in whole numbers of it.
  package static func isOfSmallValue(_ code: String) -> Bool { smallValues.contains(code) }

  private static let smallValues = Set(
    words(
      "JPY KRW IDR VND CLP COP HUF ARS NGN PYG UGX TZS XAF XOF KZT AMD IRR IRT TMN VEF ISK LKR PKR BDT KES JPYC GYEN IDRT "
        + "BIDR IDRX BVND KRT KRWX KRWT ARST"))

  private static let national = words(
    "USD EUR GBP JPY KRW CNY CHF AUD CAD NZD SGD HKD TWD INR IDR THB MYR PHP VND BRL MXN ARS CLP COP PEN TRY RUB RUR "
      + "UAH PLN CZK HUF RON BGN SEK NOK DKK ISK ILS ZAR NGN KES GHS EGP AED SAR QAR KWD BHD KZT GEL AMD BYN PKR BDT LKR "
      + "MAD UGX TZS XAF XOF VEF BOB PYG UYU CNH CNYX IRR IRT TMN TL")
  private static let pegged = words(
    "USDT USDC BUSD TUSD USDP PAX DAI FDUSD USDD USDE PYUSD GUSD HUSD SUSD UST USTC USDK USDS USDJ USDQ USDX USD1 RLUSD "
      + "EURT EURS EURC EURI EURR XSGD IDRT BIDR TRYB BRZ CUSD QC BITCNY BITUSD BITEUR CNYT ZUSD NUSD GYEN XUSD USDN USN "
      + "AEUR BVND IDRX KRT KRWX KRWT JPYC BRL1 ARST")
  private static let bitcoin = words("BTC XBT WBTC")
  private static let others = words(
    "ETH WETH BNB TRX XRP EOS NEO LTC DOGE KCS HT OKB OKT QTUM BCH BCC BCHABC XLM ADA SOL DOT ETC DASH XMR WAVES NXT XEM "
      + "GAS BTS STEEM FT CRO LEO GT MX ZB BIX HIT KNC VEN VET NEXO AVAX MATIC POL TON FTT ATOM BSV OGN NUX TOMO")
  private static let assets = words(
    "SHIB PEPE LINK UNI AAVE FIL ICP NEAR APT ARB OP SUI SEI INJ LDO MKR COMP SNX YFI CRV SUSHI 1INCH GRT ENJ MANA SAND "
      + "AXS GALA APE CHZ FTM ALGO HBAR EGLD THETA ZEC ZRX BAT OMG REP GNT ICX ZIL ONT IOST LSK XVG SC DGB BTG BTM ELF "
      + "CVC STORJ SNT FUN POWR KMD ARK STRAT DCR HC PAY SALT MCO LRC RDN REQ BNT ANT GNO DNT MTL TNT ADX AE AION WAN NULS "
      + "CMT ACT WTC SUB RLC LOOM POLY NAS KIN DCN NPXS HOT BTT WIN DENT KAVA BAND RUNE KSM FLOW AR ROSE CELO IOTA MIOTA "
      + "XTZ ZEN RVN PAXG LUNA LUNC WLD JUP TRUMP BONK WIF ENA STX IMX MINA QNT ONDO TIA TAO HYPE ETHW XEC JASMY "
      + "GRS NMC PPC FTC VTC BLK NVC XPM NANO XRB XDG MONA BCD SBTC ETHFI PENDLE")

  /// All codes with their ranks, each once.
  static let ranked: [(code: String, rank: Int)] =
    [assets, others, bitcoin, pegged, national].enumerated().flatMap { place, codes in
      codes.map { (code: $0, rank: place + 1) }
    }

  private static let ranks = Dictionary(ranked.map { ($0.code, $0.rank) }) { first, _ in first }

  /// The codes that end pairs without a separator, longest first.
  package static let payments: [String] = (national + pegged + bitcoin + others).sorted {
    ($1.count, $0) < ($0.count, $1)
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
