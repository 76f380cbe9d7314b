/// The kinds of findings. The raw value is printed and written to JSON, and never changes since people search for it.
package enum FindingCode: String, Sendable, CaseIterable {
  // MARK: Config: text
  case notJSON = "MKT001"
  case duplicateKey = "MKT002"
  case unsupportedVersion = "MKT003"
  case ambiguousName = "MKT004"
  case sharedSecret = "MKT005"

  // MARK: Config: shapes
  case wrongType = "MKT010"
  case missingKey = "MKT011"
  case unknownValue = "MKT012"
  case invalidNumber = "MKT013"
  case invalidDuration = "MKT014"
  case invalidBaseURL = "MKT015"
  case invalidOffset = "MKT016"
  case invalidText = "MKT017"
  case refusedHeader = "MKT018"
  case localHost = "MKT019"

  // MARK: Config: keys
  case unknownKey = "MKT021"
  case reservedKey = "MKT022"
  case conflictingKeys = "MKT023"

  // MARK: Config: strings with a grammar
  case strayBrace = "MKT030"
  case invalidPath = "MKT031"
  case pathSelectsMany = "MKT032"
  case invalidTemplate = "MKT033"
  case unknownPlaceholder = "MKT034"
  case invalidRegularExpression = "MKT035"
  case invalidTimeFormat = "MKT036"
  case textForNumber = "MKT037"
  case invalidRows = "MKT038"
  case invalidRequestPath = "MKT039"
  case constantLooksLikePath = "MKT040"

  // MARK: Config: references
  case unknownSource = "MKT041"
  case unknownExchange = "MKT042"
  case chainedLike = "MKT043"
  case unknownHook = "MKT044"
  case circularLookups = "MKT045"
  case misplacedSource = "MKT046"
  case unknownProvider = "MKT047"
  case wordAsSeparator = "MKT048"
  case doubledBrace = "MKT049"
  case rowsFromEveryDepth = "MKT050"

  // MARK: Config: meaning
  case changeWithoutBasis = "MKT051"
  case timeWithoutUnit = "MKT052"
  case missingPaymentCurrencies = "MKT053"
  case writtenSecret = "MKT054"
  case unreachableCurrency = "MKT055"
  case unreachableRule = "MKT056"
  case circularAlias = "MKT057"
  case scaledTwice = "MKT058"
  case constantField = "MKT059"
  case unnamedPair = "MKT060"

  // MARK: Config: loose ends
  case sameRequest = "MKT061"
  case unusedConstant = "MKT062"
  case unusedLookup = "MKT063"
  case unusedAlias = "MKT064"
  case noEnabledMarket = "MKT065"
  case duplicateEntry = "MKT066"
  case unservedEntry = "MKT067"
  case renamedAsset = "MKT068"
  case hiddenKey = "MKT069"

  // MARK: Config: exchange rates
  case invalidPair = "MKT070"
  case invalidTimeOfDay = "MKT071"
  case reversedHours = "MKT072"
  case overlappingHours = "MKT073"
  case uncoveredHours = "MKT074"
  case circularRoute = "MKT075"
  case unusedProvider = "MKT076"

  // MARK: Config: order books, trades and candles
  case idleZone = "MKT080"
  case samePlace = "MKT081"

  // MARK: Config: streams
  case secretInStream = "MKT085"
  case invalidSubscription = "MKT086"

  // MARK: Config: accounts
  case bytesForText = "MKT090"
  case unusedValue = "MKT091"
  case misnamedValue = "MKT092"
  case sentKey = "MKT093"
  case noVectors = "MKT094"
  case failedVector = "MKT095"
  case signedWithoutAuth = "MKT096"

  // MARK: Trials
  case noRecordings = "no-recordings"
  case unreadableRecordings = "unreadable-recordings"
  case notRecorded = "not-recorded"
  case notRequested = "not-requested"
  case unusedRecording = "unused-recording"
  case tableFailed = "table-failed"
  case noRows = "no-rows"
  case rowsMoved = "rows-moved"
  case rowsGone = "rows-gone"
  case duplicateRows = "duplicate-rows"
  case unsplitSymbols = "unsplit-symbols"
  case turnedPairs = "turned-pairs"
  case otherBasis = "other-basis"
  case notBeside = "not-beside"
  case fieldLost = "field-lost"
  case fieldEmpty = "field-empty"
  case fieldRare = "field-rare"
  case fieldShifted = "field-shifted"
  case fieldMisnamed = "field-misnamed"
  case newMembers = "new-members"
  case failedCheck = "failed-check"
  case tablesDisagree = "tables-disagree"
  case unexplainedError = "unexplained-error"
  case deadCondition = "dead-condition"
  case idleCondition = "idle-condition"
  case lookupMismatch = "lookup-mismatch"
  case unusedName = "unused-name"
  case bookFailed = "book-failed"
  case bookDisagrees = "book-disagrees"
  case streamFailed = "stream-failed"
  case streamDisagrees = "stream-disagrees"
  case rateFailed = "rate-failed"
  case rowsDiffer = "rows-differ"
  case rowsKept = "rows-kept"
  case rowsNotKept = "rows-not-kept"

  // MARK: Doctor
  case program = "program"
  case configInUse = "config-in-use"
  case configFindings = "config-findings"
  case credentialsFile = "credentials-file"
  case secret = "secret"
  case unusedSecret = "unused-secret"
  case cacheFolder = "cache-folder"
  case callBudget = "call-budget"
  case libcurl = "libcurl"
  case network = "network"
  case exchangeAnswer = "exchange-answer"
  case localClock = "local-clock"
  case exchangeClock = "exchange-clock"
  case terminal = "terminal"
  case locale = "locale"
  case colors = "colors"

  /// The codes of `validate-config`, each explained by `market explain`.
  package static let ofConfig = allCases.filter { $0.rawValue.hasPrefix("MKT") }
}
