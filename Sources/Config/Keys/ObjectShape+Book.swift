// The order book of a pair.

extension ObjectShape {
  static let orderbook = ObjectShape(
    "Order book", "What is bid and asked for one pair: how it is asked for, and where its levels are.",
    [
      KeyShape("request", .object(.request), "What is asked.", isRequired: true),
      KeyShape(
        "bids", .any([.path, .object(.zip), .object(.bookSide)]), "Where the levels of the buyers are.",
        examples: ["\"$.bids[*]\""], isRequired: true),
      KeyShape(
        "asks", .any([.path, .object(.zip), .object(.bookSide)]), "Where the levels of the sellers are.",
        examples: ["\"$.asks[*]\""], isRequired: true),
      KeyShape("price", .numeric(.value), "The price of a level.", examples: ["\"$[0]\""]),
      KeyShape("size", .numeric(.value), "How much of the asset stands there.", examples: ["\"$[1]\""]),
      KeyShape("baseUrls", .baseURLs, "Hosts, where they are not those of the market."),
      KeyShape("headers", .map(.template), "Headers, where they are not those of the market."),
      KeyShape("success", .object(.success), "How an answer is told from a refusal, where that is not the market's."),
      KeyShape("hook", .text(), "Swift code that turns the answer into JSON."),
    ])

  static let bookSide = ObjectShape(
    "Side of an order book", "One side whose levels have names of their own.",
    [
      KeyShape("rows", .any([.path, .object(.zip)]), "Where the levels are.", isRequired: true),
      KeyShape("price", .numeric(.value), "The price of a level."),
      KeyShape("size", .numeric(.value), "How much of the asset stands there."),
    ])
}
