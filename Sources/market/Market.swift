@main
struct Market {
  static func main() {
    print("market")
  }
}
