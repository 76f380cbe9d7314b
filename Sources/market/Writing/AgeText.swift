/// An age in the largest unit that fits: `0s`, `59s`, `12m`, `5h`, `3d`.
enum AgeText {
  static func of(seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86_400: "\(seconds / 3600)h"
    default: "\(seconds / 86_400)d"
    }
  }
}
