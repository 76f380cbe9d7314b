/// Eight bytes of a number, looked at in one go; the first byte is the lowest of the word.
struct EightDigits {
  private let word: UInt64

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The eight bytes from `start` on, which must be there.
  @inline(__always)
  init(_ start: UnsafePointer<UInt8>) {
    word = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
  }

  /// The digits of a number below 10^8, with zeros before them.
  @inline(__always)
  init(of number: UInt64) {
    // The whole is taken apart to two fours, to four pairs, to eight digits, the first in the lowest byte.
    let fours = number / 10000 | (number % 10000) &<< 32
    let hundreds = ((fours &* 5243) &>> 19) & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = ((pairs &* 103) &>> 10) & 0x000F_000F_000F_000F
    word = (tens | (pairs &- tens &* 10) &<< 8) | EightDigits.ones &* 0x30
  }

  @inline(__always)
  func store(at start: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(start).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// Stores the last `count` digits, 1 to 8, from `start` on, and bytes without a meaning behind them: eight together.
  @inline(__always)
  func store(last count: Int, at start: UnsafeMutablePointer<UInt8>) {
    let word = word &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    UnsafeMutableRawPointer(start).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// Where the first point is.
  @inline(__always)
  var indexOfPoint: Int? {
    let difference = word ^ (EightDigits.ones &* UInt64(ASCII.point))
    // The lowest high bit is that of the first byte that is zero; borrows run upwards only.
    let zeros = (difference &- EightDigits.ones) & ~difference & (EightDigits.ones &* 0x80)
    return zeros == 0 ? nil : zeros.trailingZeroBitCount &>> 3
  }

  /// The number that the first `count` bytes make, 0 to 8; nil where one of them is no digit.
  @inline(__always)
  func leading(_ count: Int) -> UInt64? {
    // The first digit of a number is the lowest byte: zeros move in below it.
    count == 0
      ? 0 : EightDigits.value((word ^ (EightDigits.ones &* 0x30)) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
  }

  /// The number that the last `count` bytes make, 1 to 8; nil where one of them is no digit.
  @inline(__always)
  func trailing(_ count: Int) -> UInt64? {
    let cut = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    return EightDigits.value(((word ^ (EightDigits.ones &* 0x30)) &>> cut) &<< cut)
  }

  /// The number of eight digits without their upper halves; nil where one is above 9.
  @inline(__always)
  private static func value(_ digits: UInt64) -> UInt64? {
    // A byte that is no digit has its high bit set, or gets it by the sum. `|` binds no tighter than `&+`.
    guard (digits | (digits &+ ones &* 0x76)) & (ones &* 0x80) == 0 else { return nil }
    // Neighbours are joined: eight digits to four pairs, to two fours, to the whole.
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10000 &+ fours &>> 32) & 0xFFFF_FFFF
  }
}
