import JSON
package import Mapping

/// The European Central Bank's euro reference rates, which are published as XML.
///
/// The daily file (`eurofxref-daily.xml`) has one `Cube` for the day, containing one `Cube` per currency:
///
///     <Cube time='2026-11-19'><Cube currency='USD' rate='1.0823'/>…</Cube>
///
/// The hook turns this into `{"date":"2026-11-19","rates":{"USD":"1.0823",…}}`: units of the currency per euro, with
/// the bank's own digits. Source:
/// https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates
package struct ECBReferenceRates: Hook {
  package static let name = "ecb-reference-rates"

  package init() {}

  package func json(from body: [UInt8]) throws(HookError) -> [UInt8] {
    guard String(validating: body, as: UTF8.self) != nil else { throw HookError("the file is not valid UTF-8") }
    var date: String?
    var rates: [(currency: String, rate: String)] = []
    var currencies: Set<String> = []
    var isOlderDay = false
    var tags = XMLTags(body)
    while let tag = try tags.next() {
      guard tag.name == "Cube" || tag.name.hasSuffix(":Cube") else { continue }
      if let time = tag.attributes["time"] {
        // A multi-day file lists the newest day first. Only that day is used, but the file must still be complete.
        isOlderDay = date != nil
        date = date ?? time
      }
      if !isOlderDay, let currency = tag.attributes["currency"], let rate = tag.attributes["rate"] {
        guard currencies.insert(currency).inserted else { throw HookError("duplicate currency \(currency)") }
        rates.append((currency, rate))
      }
    }
    guard let date, !rates.isEmpty else { throw HookError("the file has no rates with a date") }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("date")
    writer.string(date)
    writer.key("rates")
    writer.beginObject()
    for (currency, rate) in rates {
      writer.key(currency)
      writer.string(rate)
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }
}
