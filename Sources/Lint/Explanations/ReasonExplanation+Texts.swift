extension ReasonExplanation {
  static let cells: [ReasonExplanation] = [
    .init(.cell, "not-offered", "the mapping has no such field"),
    .init(
      .cell, "path-miss",
      "the path leads to nothing; of an account: a list on the way to its rows is missing or null"),
    .init(
      .cell, "path-many",
      "the path leads to several values, as in a book, trade or candle that repeats a member, or an answer that repeats "
        + "one on the way to them"),
    .init(.cell, "json-null", "null, or one of the strings of `missing`"),
    .init(.cell, "not-a-number", "anything else that is not a number, or that `capture` does not match"),
    .init(.cell, "zero", "zero where only more makes sense; a division by zero"),
    .init(.cell, "negative", "less than zero where only more makes sense, such as a -1 for an unknown price"),
    .init(
      .cell, "stale",
      "too old, or of the future, to be shown as current, such as a change since midnight in a row from before it"),
    .init(.cell, "lookup-failed NAME", "the request that the lookup of that name is read from failed"),
    .init(.cell, "lookup-miss", "the lookup lacks the row's key"),
    .init(.cell, "lookup-ambiguous", "the lookup has the row's key twice"),
    .init(
      .cell, "side-unknown", "a trade does not say what the taker did: there is no `side`, or it has neither word"),
    .init(.cell, "arrival-unknown", "an age of a saved answer: when it arrived is not known"),
    .init(.cell, "open-unknown", "the open of an exchange rate is not known, so neither is its change"),
    .init(.cell, "no-day-before", "the day before, which a change is measured from, has no candle"),
    .init(.cell, "not-asked", "the figure was not requested"),
    .init(.cell, "book-ends", "the order book ends within this step, so the amount is not all there is"),
    .init(
      .cell, "contradictory",
      "figures of one source contradict each other: free or locked above the total, a percentage that does not fit "
        + "the open"),
    .init(
      .cell, "no-spot",
      "a futures price has no disparity, as its exchange has no spot price of the pair; text has "
        + "`no spot`"),
    .init(
      .cell, "spot-not-asked",
      "a futures price has no disparity, as no spot price was requested (`-m futures`); text has `spot not requested`"),
    .init(.cell, "spot REASON", "no disparity, since the spot price is missing, flagged or left out"),
    .init(.cell, "futures REASON", "no disparity, since the futures price is missing, flagged or left out"),
  ]

  static let answers: [ReasonExplanation] = [
    .init(.answer, "not-listed", "the exchange lacks the pair; not a failure"),
    .init(.answer, "halted", "the exchange lists the pair, but does not trade it now; not a failure"),
    .init(
      .answer, "unsplit",
      "a symbol is made of the pair's two names, and no rule splits it; or no row has one at the path of `symbol`"),
    .init(.answer, "empty-answer", "the answer has no content, or no rows"),
    .init(.answer, "not-json", "the answer is not JSON: often a page of HTML, for maintenance or a block"),
    .init(.answer, "http-NNN", "the answer has that HTTP status"),
    .init(.answer, "timeout", "no answer in time; `--timeout` allows more"),
    .init(.answer, "venue-error CODE", "the exchange reports an error, with its own code if it has one"),
    .init(.answer, "no-secret", "the request needs a secret that is not stored: `market keys add NAME`"),
    .init(.answer, "hook-missing", "the config names a hook that this program was built without"),
    .init(.answer, "own-limit", "not sent, since the exchange's `limit` is used up"),
    .init(.answer, "not-kept", "`--timeout 0` sends nothing, and no answer is kept"),
    .init(.answer, "no-answer REASON", "no answer, for the reason that follows"),
    .init(
      .answer, "no-answer transport",
      "the answer or a header of it is malformed, or libcurl reports something else; the message says what"),
    .init(
      .answer, "no-answer unreachable", "the host is unknown or does not answer, or the connection broke"),
    .init(
      .answer, "no-answer too-many-files",
      "this machine has no open file left for a connection; `ulimit -n 4096` raises the limit"),
    .init(.answer, "no-answer tls", "the connection is not secure, such as one with an invalid certificate"),
    .init(
      .answer, "no-answer redirect",
      "a redirect that is not followed: to plain http, between a local and a public host, or of a request with a "
        + "secret"),
    .init(.answer, "no-answer encoding", "the compression of the answer is unknown or damaged"),
    .init(
      .answer, "no-answer too-large",
      "the answer has more than 16 MiB or 30,000 rows, or 2,000,000 values if it is read as a whole (a lookup's; a "
        + "table's whose paths have a `zip`, a slice, a filter, `..` or a templated name); a path reads its values over "
        + "and over; or a `batch` needs more than 200 requests"),
    .init(.answer, "no-answer other-pair", "the answer is about another pair"),
    .init(.answer, "no-answer too-many-requests", "a span of candles that takes more than 100 requests"),
    .init(.answer, "no-answer no-request", "a template in the request has no value"),
    .init(.answer, "no-answer no-response", "`--response` lacks an answer that is needed"),
    .init(.answer, "no-answer too-many-responses", "more files with `--response` than answers are read"),
    .init(.answer, "no-answer not-recorded", "`--replay` lacks the answer"),
    .init(.answer, "no-answer config", "the exchange's block in the config is invalid: `market validate-config`"),
    .init(.answer, "no-answer cancelled", "the run ended before the answer"),
    .init(.answer, "no-answer book-side", "levels of an order book are of neither side"),
    .init(.answer, "no-answer book-crossed", "a bid of the order book is above an ask"),
  ]

  static let flags: [ReasonExplanation] = [
    .init(
      .flag, "range",
      "a price more than 0.5 % outside low and high; a 24-hour open more than 2 % outside; a day's open, sent or "
        + "implied by the change, below half of the low or above twice the high, unless a sent change is measured "
        + "from the sent open, or all trades of the day had one price"),
    .init(
      .flag, "bid-ask",
      "a bid above the ask, a bid above twice the price, an ask below half of it. Offers ten times as far are only "
        + "remarked, but `test-exchange` reports a table in which nearly all are"),
    .init(
      .flag, "offers",
      "a price more than 1 % above the ask or below the bid, while these are close together: the last trade is old, or "
        + "it is not the last price. A trade that is known to be older than five minutes is only remarked"),
    .init(
      .flag, "change",
      "a change that does not follow from the open; without an open, one whose open would lie outside low and high; "
        + "-100 % and less; changes of a whole table that are less than a twentieth of the ranges, which flags a single "
        + "wanted row as well. A change ten times that of the other exchanges at the same price is only remarked"),
    .init(
      .flag, "turnover",
      "turnover / volume is not within the day's prices; one of the two is negative, or only one of them is zero; "
        + "of an order book: that is so of the pair, and its contract size may be another now"),
    .init(
      .flag, "stale",
      "a quote or an order book older than `staleAfter`, a last trade older than an hour, a time in the future; without "
        + "a time, an answer that a cache says it has kept longer than `staleAfter` (the header `Age`)"),
    .init(
      .flag, "time",
      "a time is sent but cannot be read: another unit, or another format. Nothing then says that the price is recent. "
        + "No time at all is not flagged"),
    .init(
      .flag, "dead",
      "24-hour volume or turnover, bid and ask are all sent as zero: no one trades there. What an exchange does not "
        + "send does not count"),
    .init(
      .flag, "identity",
      "a price that is more than `identityPercent` from the median of the others, or off by a power of ten. If half of "
        + "the prices or more disagree, the worst is removed (multiples first) and the rest are compared again; those "
        + "left stand if they outnumber any other group that agrees. If the highest and the lowest of them are still "
        + "further apart than that, the one further from the median is flagged. A futures price is compared with "
        + "futures and spot prices, and with the spot price of its own exchange"),
    .init(.flag, "duplicate", "the pair appears twice, so a stream cannot tell which of the two a message is about"),
    .init(
      .flag, "malformed",
      "a member that is read appears twice in the row, or an array is shorter than the others"),
  ]

  static let headlines: [ReasonExplanation] = [
    .init(.headline, "mid", "the price is the middle of bid and ask, not a last trade; `--basis any` includes it"),
    .init(.headline, "mark", "the price is a mark price, not a last trade; `--basis any` includes it"),
    .init(.headline, "oracle", "the price comes from outside, not from a last trade; `--basis any` includes it"),
    .init(
      .headline, "old-trade",
      "the last trade is older than five minutes, or there was none in 24 hours; `--max-age` includes older ones"),
    .init(.headline, "identity", "the prices cannot be of one coin: they differ by more than `identityPercent`"),
    .init(.headline, "no-price", "no exchange that was asked has a usable price"),
    .init(
      .headline, "one-exchange",
      "only one exchange has a usable price, disparity or order book, so there is nothing to compare it with"),
    .init(.headline, "no-futures", "no exchange that was asked has futures of the pair with a disparity"),
    .init(.headline, "fee-unknown", "`--fees`: the config has no taker fee for the exchange"),
    .init(.headline, "book REASON", "`--size`: the order book is missing or flagged, for that reason"),
    .init(
      .headline, "not-comparable",
      "round trip of `orderbook --size`: fewer than two order books can be compared; the others are stale, or of another "
        + "coin"),
    .init(.headline, "not-filled", "round trip of `orderbook --size`: fewer than two order books hold the size"),
    .init(.headline, "book-thin", "`--size`: the order book holds less than the size"),
    .init(.headline, "one-pair", "`premium`: only one pair of prices has a figure, so none is the lowest"),
    .init(.headline, "no-reverse", "`premium`: no pair of prices has a premium below zero"),
    .init(.headline, "no-open-route", "`premium --open`: no way between the wallets is known to be open"),
    .init(
      .headline, "other-currency",
      "the pair is paid neither in won nor in dollars, or its asset is the local currency"),
    .init(.headline, "of-itself", "the asset is the dollar token that the price of a dollar would be from"),
  ]

  static let faults: [ReasonExplanation] = [
    .init(.fault, "book-far", "the middle of the book is further than `identityPercent` from the pair's price"),
    .init(.fault, "book-size", "half of the best levels each offer more than was traded in 20 days: another unit?"),
    .init(.fault, "trade-far", "the newest trade is further than `identityPercent` from the pair's price"),
    .init(.fault, "trade-range", "a trade is more than 0.5 % outside the day's low and high"),
    .init(.fault, "trade-side", "of adjacent trades the sell is usually dearer, so the side is likely the maker's"),
    .init(
      .fault, "trade-size",
      "the trades add up to more than the day's volume or turnover: another unit? Or the pair has the flag `turnover`: "
        + "the contract size may be another now"),
    .init(.fault, "trade-time", "the time of a trade is in the future, or before there were coins"),
    .init(.fault, "trade-jump", "from one trade to the next the price moves by a power of ten"),
    .init(.fault, "trade-shape", "the size of a trade is not above zero"),
    .init(.fault, "candle-time", "a candle has not begun: the end taken for the start, another unit or another zone"),
    .init(.fault, "candle-shape", "open or close is outside low to high, or an amount traded is negative"),
    .init(.fault, "candle-grid", "a candle starts where no interval does"),
    .init(.fault, "candle-twice", "two candles have one start and differ"),
    .init(.fault, "candle-step", "candles are of another interval, or one still changes half a minute after its end"),
    .init(.fault, "candle-chain", "candles open where the next one closes: open and close are likely swapped"),
    .init(.fault, "candle-jump", "from one candle to the next the price moves by a power of ten"),
    .init(.fault, "candle-spike", "a high or low is a power of ten away from open and close"),
    .init(.fault, "candle-turnover", "turnover / volume is not within low to high"),
    .init(.fault, "candle-volume", "the volumes do not add up to those of the day: another unit?"),
    .init(.fault, "candle-last", "the newest close is further than `identityPercent` from the pair's price"),
  ]

  static let feeds: [ReasonExplanation] = [
    .init(.feed, "loading", "nothing has arrived yet"),
    .init(.feed, "polled", "requested at an interval"),
    .init(.feed, "live", "the stream delivers"),
    .init(.feed, "in-part", "the stream does not deliver all pairs; the others are polled"),
    .init(.feed, "substituted", "the stream is broken, and requests take its place (`fallback` on screens)"),
    .init(.feed, "stale", "answers arrive, but all their quotes are too old"),
    .init(.feed, "failed", "requests fail (and the stream, if there is one); the reason says why"),
    .init(.feed, "off", "not asked, since it is disabled, paused, or lists none of the pairs"),
    .init(.feed, "disabled", "the config disables the exchange"),
    .init(.feed, "unreadable", "the exchange's block in the config is invalid: `market validate-config`"),
    .init(.feed, "no-pair", "the exchange lists none of the pairs; it is asked again every ten minutes"),
    .init(.feed, "paused", "you paused the feed (Del on the screen of feeds)"),
    .init(.feed, "not-followed", "the exchange is not among those that are followed"),
    .init(
      .feed, "stream-silent",
      "no message arrives, or answers show that the stream missed something; its pairs are polled until it delivers"),
    .init(.feed, "stream-closed CODE", "the connection was closed, with that WebSocket code (1006: it broke)"),
    .init(.feed, "stream-refused CODE", "the exchange refused the subscription, with its own code if it has one"),
    .init(.feed, "stream-gap", "changes to an order book were lost, or it is not a valid book: it starts over"),
    .init(.feed, "stream-bad", "the stream's messages cannot be used; the message says why"),
    .init(
      .feed, "stream-differs",
      "the stream's price, amounts or book are not those of an answer: another unit, or another pair"),
    .init(
      .feed, "stream-behind",
      "the stream's messages are older than an answer, by the exchange's times; its pairs are polled until it has "
        + "newer ones"),
    .init(.feed, "stream-halted", "a message says that the pair is not traded now"),
    .init(.feed, "stream-config", "the stream's block in the config is invalid: `market validate-config`"),
  ]

  static let rates: [ReasonExplanation] = [
    .init(.rate, "no-rate", "no exchange rate leads to the currency"),
    .init(
      .rate, "implausible", "more than a fifth away from every other rate known, so it is not used, or not as the open"),
    .init(.rate, "daily", "from a provider that publishes one rate a day"),
    .init(
      .rate, "last-known REASON",
      "an earlier rate of today, as a new one could not be fetched or was refused, for that reason"),
    .init(.rate, "old", "older than six hours, or than four days if the provider publishes one a day"),
    .init(.rate, "undated", "without a readable time or date, so its age is not known"),
    .init(.rate, "implied", "an exchange's price of a stablecoin, with its premium"),
    .init(.rate, "via CURRENCY", "the product of two rates through this currency"),
    .init(.rate, "inverse", "one divided by the rate of the pair the other way round"),
    .init(.rate, "confirmed PROVIDER", "far from the last rate, but this provider agrees"),
    .init(.rate, "unconfirmed", "more than 3 % away from another rate, and no other provider agrees"),
    .init(
      .rate, "unchecked",
      "no other provider answered to compare it with, and no earlier rate is known that another one confirmed"),
    .init(.rate, "not-of-today", "the rule wants a rate of today, and the provider's is of another day"),
    .init(.rate, "taken", "the rule that gives the rate"),
    .init(.rate, "not-needed", "an earlier rule gives the rate"),
    .init(.rate, "witness", "an earlier rule gives the rate, and the provider was asked only to check it"),
    .init(.rate, "not-newer", "not newer than an earlier rule's rate, which is `old`"),
    .init(.rate, "outside-hours", "the rule does not apply at this time of day"),
    .init(.rate, "without-pair", "the provider's `pairs` cannot hold the pair"),
    .init(.rate, "no-provider", "the config has no such provider, or its block is invalid: `market validate-config`"),
    .init(.rate, "disabled", "the config disables the provider"),
    .init(.rate, "rate-old", "the rate that an alert would compare is `old`"),
    .init(.rate, "rate-unconfirmed", "the rate that an alert would compare is `unconfirmed`"),
    .init(.rate, "no-answer over-budget", "the provider's budget of calls is used up"),
    .init(.rate, "no-answer too-early", "the provider has nothing new yet"),
    .init(
      .rate, "no-answer uncountable", "calls cannot be counted in the cache, so a provider with a budget is not called"),
    .init(.rate, "no-answer cut-off", "the last call was cut off; its budget may have been used"),
  ]

  static let accounts: [ReasonExplanation] = [
    .init(
      .account, "not-allowed",
      "your config changes requests with a key, and you have not allowed them: "
        + "`market keys allow NAME`"),
    .init(
      .account, "invalid-block",
      "the same, and the block is invalid, so it cannot be allowed: `market validate-config`"),
    .init(.account, "bad-secret", "the stored key cannot be used; the message says why"),
    .init(.account, "nonce-ahead", "the last number sent with this key is ahead of the clock"),
    .init(.account, "nonce-busy", "another request with this key is still running"),
    .init(.account, "nonce-store", "the numbers of requests cannot be stored"),
    .init(.account, "nonce-damaged", "the file with the last number cannot be read"),
    .init(.account, "clock", "this machine's clock and the exchange's are too far apart; set the clock"),
    .init(.account, "no-crypto", "the system's libcrypto, which signs requests, was not found"),
    .init(.account, "no-answer rows-left-out", "`where` leaves out all rows of the account"),
    .init(.account, "open", "coins can be moved"),
    .init(.account, "closed", "the exchange has closed the wallet"),
    .init(.account, "unknown", "whether coins can be moved is not known; the text says why"),
    .init(.account, "other-networks", "both ends are open, but on no common network"),
    .init(.account, "network-unnamed", "both ends are open, but one of them does not name its network"),
    .init(.account, "same-exchange", "both prices are of one exchange, so nothing has to be moved"),
    .init(.account, "no-key", "the exchange reports it only to account owners: `market keys add NAME`"),
    .init(.account, "not-told", "the config has no request for it"),
    .init(.account, "not-named", "the exchange's answer does not name the asset"),
    .init(.account, "not-said", "the exchange lists the asset, but not whether it is open"),
  ]
}
