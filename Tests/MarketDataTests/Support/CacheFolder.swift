import TestSupport
import Transport

extension TemporaryFolder {
  var cache: DiskCache { DiskCache(directory: path) }
}
