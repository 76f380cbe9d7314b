// The rival of the in-process reading: simdjson's on-demand reader takes five fields of each row, once as the texts that
// they are and once as what they mean: a text and four numbers (which are doubles there, not exact decimals).
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <vector>

using namespace simdjson;

struct TextRow {
  std::string_view symbol, price, change, volume, turnover;

  void read(ondemand::object &object) {
    symbol = object["symbol"].get_string();
    change = object["priceChangePercent"].get_string();
    price = object["lastPrice"].get_string();
    volume = object["volume"].get_string();
    turnover = object["quoteVolume"].get_string();
  }
};

struct NumberRow {
  std::string_view symbol;
  double price, change, volume, turnover;

  void read(ondemand::object &object) {
    symbol = object["symbol"].get_string();
    change = object["priceChangePercent"].get_double_in_string();
    price = object["lastPrice"].get_double_in_string();
    volume = object["volume"].get_double_in_string();
    turnover = object["quoteVolume"].get_double_in_string();
  }
};

// The best of many runs, in milliseconds.
template <typename Row> double best_time(const padded_string &json) {
  ondemand::parser parser;
  double best = 1e9;
  for (int run = 0; run < 200; run++) {
    auto start = std::chrono::steady_clock::now();
    std::vector<Row> rows;
    rows.reserve(4096);
    ondemand::document document = parser.iterate(json);
    for (ondemand::object object : document.get_array()) {
      Row row;
      row.read(object);
      rows.push_back(row);
    }
    auto end = std::chrono::steady_clock::now();
    best = std::min(best, std::chrono::duration<double, std::milli>(end - start).count());
  }
  return best;
}

// What is asked about one pair, as what it means: each number a double.
struct Candle { double open, high, low, close, volume, turnover; int64_t start; };
struct Trade { double price, size; int64_t time, id; bool side; };
struct Level { double price, size; };

static void read(ondemand::document &document, std::vector<Candle> &rows) {
  for (ondemand::array row : document.get_array()) {
    Candle candle;
    int column = 0;
    for (auto value : row) {
      switch (column++) {
      case 0: candle.start = value.get_int64(); break;
      case 1: candle.open = value.get_double_in_string(); break;
      case 2: candle.high = value.get_double_in_string(); break;
      case 3: candle.low = value.get_double_in_string(); break;
      case 4: candle.close = value.get_double_in_string(); break;
      case 5: candle.volume = value.get_double_in_string(); break;
      case 7: candle.turnover = value.get_double_in_string(); break;
      default: break;
      }
    }
    rows.push_back(candle);
  }
}

static void read(ondemand::document &document, std::vector<Trade> &rows) {
  for (ondemand::object row : document.get_array()) {
    Trade trade;
    trade.id = row["a"].get_int64();
    trade.price = row["p"].get_double_in_string();
    trade.size = row["q"].get_double_in_string();
    trade.time = row["T"].get_int64();
    trade.side = row["m"].get_bool();
    rows.push_back(trade);
  }
}

static void read(ondemand::document &document, std::vector<Level> &rows) {
  for (const char *side : {"bids", "asks"}) {
    for (ondemand::array level : document[side].get_array()) {
      Level read;
      int column = 0;
      for (auto value : level) {
        if (column == 0) read.price = value.get_double_in_string();
        if (column++ == 1) read.size = value.get_double_in_string();
      }
      rows.push_back(read);
    }
  }
}

template <typename Row> double best_pair_time(const padded_string &json) {
  ondemand::parser parser;
  double best = 1e9;
  for (int run = 0; run < 200; run++) {
    auto start = std::chrono::steady_clock::now();
    std::vector<Row> rows;
    rows.reserve(16384);
    ondemand::document document = parser.iterate(json);
    read(document, rows);
    auto end = std::chrono::steady_clock::now();
    best = std::min(best, std::chrono::duration<double, std::milli>(end - start).count());
  }
  return best;
}

// A ticker of a stream, nine numbers and a text.
struct Message { std::string_view symbol; double price, change, volume, turnover, open, high, low, bid, ask; uint64_t time; };

// How many thousand messages are read in a second, the best of many runs; each is a line of the file.
static double best_messages(const padded_string &text) {
  std::vector<padded_string> messages;
  std::string_view rest = text;
  for (size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    messages.emplace_back(rest.substr(0, end));
  }
  ondemand::parser parser;
  double best = 1e9;
  for (int run = 0; run < 200; run++) {
    auto start = std::chrono::steady_clock::now();
    std::vector<Message> rows;
    rows.reserve(messages.size());
    for (const auto &message : messages) {
      ondemand::document document = parser.iterate(message);
      ondemand::object data = document["data"].get_object();
      Message row;
      row.time = data["E"].get_uint64();
      row.symbol = data["s"].get_string();
      row.change = data["P"].get_double_in_string();
      row.price = data["c"].get_double_in_string();
      row.bid = data["b"].get_double_in_string();
      row.ask = data["a"].get_double_in_string();
      row.open = data["o"].get_double_in_string();
      row.high = data["h"].get_double_in_string();
      row.low = data["l"].get_double_in_string();
      row.volume = data["v"].get_double_in_string();
      row.turnover = data["q"].get_double_in_string();
      rows.push_back(row);
    }
    auto end = std::chrono::steady_clock::now();
    best = std::min(best, std::chrono::duration<double, std::milli>(end - start).count());
  }
  return messages.size() / best;
}

// simdjson BODY, or simdjson candles|trades|book|messages BODY
int main(int count, char **words) {
  std::string_view kind = count > 2 ? words[1] : "";
  auto json = padded_string::load(words[count - 1]).value();
  if (kind == "candles") return std::printf("%.4f\n", best_pair_time<Candle>(json)) < 0;
  if (kind == "trades") return std::printf("%.4f\n", best_pair_time<Trade>(json)) < 0;
  if (kind == "messages") return std::printf("%.4f\n", best_messages(json)) < 0;
  if (kind == "book") return std::printf("%.4f\n", best_pair_time<Level>(json)) < 0;
  std::printf("texts\t%.4f\nnumbers\t%.4f\n", best_time<TextRow>(json), best_time<NumberRow>(json));
}
