import JSON

extension SpecReader {
  /// Reads the block keys of one level for themselves, without what other levels say: only what they report counts.
  package mutating func readAlone(
    _ level: ConfigNode, lookups names: [String], constants: [String], _ vocabulary: FieldVocabulary
  ) {
    for member in level.members where !member.value.json.isNull {
      let (node, lookups) = (member.value, names)
      let members = node.json.kind == .object ? node.members.filter { !$0.value.json.isNull } : []
      switch BlockKey(rawValue: member.name) {
      case .baseUrls: _ = readBaseURLs(node)
      case .headers: _ = readHeaders(members)
      case .limit: _ = readLimit(node)
      case .success: _ = readSuccess(node)
      case .request: _ = readRequest(node, setNames: constants)
      case .rows: _ = readRows(node)
      case .where: _ = readConditions(node, lookups: lookups)
      case .symbol: _ = readSymbol(node, lookups: lookups, hasPaymentCurrencies: true)
      case .fields: _ = readFields(members, vocabulary, lookups: lookups)
      case .lookups:
        var table = TableSpec(owner: "", request: .placeholder(at: node), rows: .zip([]), symbol: .request, node: node)
        table.set = constants.map { ($0, "") }
        for lookup in members { _ = readLookup(lookup, of: table, lookups: lookups) }
      case .aliases: _ = readAliases(members)
      case .multiplier: for factor in members { _ = readPositiveDecimal(factor.value) }
      case .paymentCurrencies: _ = readPaymentCurrencies(node)
      case .staleAfter: _ = readMilliseconds(node)
      case .hook: _ = readHook(node)
      case .verified, .note: _ = readText(node)
      case .set, nil: break
      }
    }
  }
}
