extension NameWord {
  /// The words that names of ticker fields are made of, lower case. Spelling mistakes that are common among exchanges
  /// belong here too.
  static let vocabulary: [String: NameWord] = {
    let words: [(NameWord, String)] = [
      (.last, "last latest recent ltp newest"),
      (.close, "close closing closed"),
      (.current, "current now actual"),
      (.price, "price px prices cost"),
      (.trade, "trade traded deal transaction executed done"),
      (.high, "high highest hi hight"), (.maximum, "max maximum"),
      (.low, "low lowest lo"), (.minimum, "min minimum"),
      (.bid, "bid bids"), (.buy, "buy buying buyer buys"),
      (.ask, "ask asks offer"), (.sell, "sell selling seller sells sale"),
      (.best, "best"), (.open, "open opening"),
      (.previous, "prev previous pre yesterday yest prior"),
      (.volume, "volume vol volumn volumes"), (.amount, "amount amt"), (.quantity, "quantity qty units unit"),
      (.turnover, "turnover notional money funds"), (.value, "value val"),
      (.base, "base asset coin token crypto primary traded_currency"),
      (.quote, "quote quoted counter payment"),
      (.size, "size lot lots depth"),
      (.change, "change chg changed changes diff difference fluctuation fluctate fluctuate delta variation updown"),
      (.change, "increment increase"),
      (.percent, "percent percentage pct pcnt perc percents"),
      (.rate, "rate rates"), (.ratio, "ratio"),
      (.rolling, "rolling"),
      (.day, "day daily today session utc kst intraday"),
      (.otherWindow, "hourly week weekly month monthly year yearly annual ath atl lifetime ever alltime"),
      (.average, "average avg vwap twap wap weighted mean wavg median ema sma"),
      (.mark, "mark fair mid middle theoretical theo est estimated estimate reference ref fixing"),
      (.index, "index idx indicative oracle underlying settle settlement settled spot"),
      (.interest, "interest oi"), (.funding, "funding predicted"),
      (.count, "count num number trades transactions"), (.order, "order orders position"),
      (.limit, "limit upper lower"),
      (.step, "step tick precision scale decimals decimal digits increments multiplier"),
      (.fee, "fee fees maker taker"),
      (.level, "level rank score weight"),
      (.time, "time timestamp ts date datetime at"), (.updated, "updated update modified refreshed"),
      (.begin, "start begin first created launch list listing delivery expire expiry next"), (.end, "end"),
      (.server, "server"),
      (.symbol, "symbol symbols pair pairs market instrument ticker product contract marketname pairname tickername"),
      (.identifier, "id ids uid seq sequence"), (.currency, "currency currencies"),
      (.name, "name alias display title code label"), (.status, "status state active frozen enabled url"),
      (.signed, "signed"), (.absolute, "absolute abs"),
      (.filler, "data info stats stat summary details detail result results field of in the is all sum total tradable"),
    ]
    var result: [String: NameWord] = [:]
    for (word, spellings) in words {
      for spelling in spellings.split(separator: " ") { result[String(spelling)] = word }
    }
    return result
  }()
}
