/// The bytes that numbers and times are written with.
enum ASCII {
  static let apostrophe = UInt8(ascii: "'")
  static let colon = UInt8(ascii: ":")
  static let comma = UInt8(ascii: ",")
  static let lowercaseE = UInt8(ascii: "e")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let point = UInt8(ascii: ".")
  static let space = UInt8(ascii: " ")
  static let zero = UInt8(ascii: "0")
}
