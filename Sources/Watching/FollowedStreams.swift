import MarketData
import Synchronization

/// The streams of what a live view follows: one task at a time.
final class FollowedStreams: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Ends the streams, and follows others instead; nil for none.
  func replace(with new: Task<Void, Never>?) {
    let old = task.withLock { task in
      defer { task = new }
      return task
    }
    old?.cancel()
  }
}

extension WatchRun {
  /// Polls and streams other feeds than before, after a change of the favourites.
  ///
  /// - Parameter feeds: nil if they are the same.
  func follow(_ feeds: [FeedState]?, in streams: FollowedStreams) async {
    guard let feeds else { return }
    await board.follow(feeds)
    streams.replace(with: streaming())
  }
}
