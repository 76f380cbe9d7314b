import Shell
import Synchronization
import Testing
import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The threads of a command")
struct CommandExecutorTests {
  /// Runs work as the program does: on a thread that creates the executor and then belongs to it. Returns what the work
  /// returned, and that thread.
  private func run<Value: Sendable>(
    threads: Int, _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, thread: UInt) {
    await withCheckedContinuation { waiter in
      let thread = SystemThread {
        let own = currentThread()
        let executor = CommandExecutor(maximumThreads: threads)
        Task.detached(executorPreference: executor) { waiter.resume(returning: (await work(), own)) }
        executor.run()
      }
      thread?.detach()
    }
  }

  @Test("children that yield all end, on no more threads than allowed", arguments: [1, 2, 4])
  func children(threads: Int) async {
    let result = await run(threads: threads) {
      await withTaskGroup(of: (Int, UInt).self) { group in
        for number in 1...1_000 {
          group.addTask {
            await Task.yield()
            return (number, currentThread())
          }
        }
        return await group.reduce(into: (sum: 0, threads: Set<UInt>())) {
          $0.sum += $1.0
          $0.threads.insert($1.1)
        }
      }
    }
    #expect(result.value.sum == 500_500)
    #expect(result.value.threads.count <= threads)
  }

  @Test("what is done in sequence stays on the first thread")
  func oneThread() async {
    let result = await run(threads: 4) {
      var threads = [currentThread()]
      for _ in 0..<100 {
        async let child = currentThread()
        threads.append(await child)
        await Task.yield()
        threads.append(currentThread())
      }
      return Set(threads)
    }
    #expect(result.value == [result.thread])
  }

  @Test("answers from other threads are taken up")
  func answers() async {
    let result = await run(threads: 1) {
      var threads: Set<UInt> = []
      for _ in 0..<100 {
        await withCheckedContinuation { waiter in SystemThread { waiter.resume() }?.detach() }
        threads.insert(currentThread())
      }
      return threads
    }
    #expect(result.value == [result.thread])
  }

  @Test("a job that takes long does not keep another waiting")
  func furtherThreads() async {
    let begun = Count()
    let result = await run(threads: 2) {
      await withTaskGroup(of: UInt.self) { group in
        for _ in 0..<2 {
          group.addTask {
            // Neither ends before the other has begun, unless that takes forever.
            let deadline = ContinuousClock.now + .seconds(60)
            begun.value.add(1, ordering: .sequentiallyConsistent)
            while begun.value.load(ordering: .sequentiallyConsistent) < 2, .now < deadline { sched_yield() }
            return currentThread()
          }
        }
        return await group.reduce(into: Set<UInt>()) { $0.insert($1) }
      }
    }
    #expect(result.value.count == 2)
  }
}

private final class Count: Sendable {
  let value = Atomic(0)
}

private func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
