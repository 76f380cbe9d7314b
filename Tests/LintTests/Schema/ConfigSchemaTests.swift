import Files
import JSON
import Lint
import Quotes
import TestSupport
import Testing

@testable import Config

@Suite struct ConfigSchemaTests {
  @Test func committedSchemaIsUpToDate() throws {
    try GeneratedFile.expect(ConfigSchema.bytes(), at: "exchanges.schema.json")
  }

  @Test func schemaIsJSON() throws {
    let document = try JSONDocument(parsing: ConfigSchema.bytes())
    #expect(document.root.duplicateMembers() == [])
    #expect(document.root["$defs"]?.count == ObjectShape.all.count + ObjectShape.block.count)
  }

  /// Where the reader has its own list, it equals the schema's.
  @Test func schemaAndReadersAgree() {
    #expect(Set(ObjectShape.block.map(\.name)) == Set(BlockKey.allCases.map(\.rawValue).prefix { $0 != "set" }))
    #expect(ObjectShape.fields.names == TickerField.allCases.map(\.rawValue))
    #expect(ObjectShape.rateFields.names == RateField.allCases.map(\.rawValue))
    #expect(ObjectShape.markets.names == Market.allCases.map(\.rawValue))
    #expect(ObjectShape.walletCondition.together == ConditionSpec.stateKeys)
  }

  @Test(arguments: ObjectShape.all) func namesAndExamplesAreWellFormed(_ shape: ObjectShape) throws {
    #expect(Set(shape.names).count == shape.names.count)
    for key in shape.keys {
      #expect(!key.summary.isEmpty)
      for text in key.examples + [key.defaultValue].compactMap(\.self) {
        _ = try JSONDocument(parsing: Array(text.utf8))
      }
    }
  }
}
