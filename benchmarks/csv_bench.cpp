// A wide table (2,000 samples x 20,000 features, about 400 MB of CSV) read as a view, beside a bare
// loop of std::from_chars over the same file in blocks. Counters: `ratio` is the time of the bare
// loop over the time of the reader, `peak` the memory of a process that reads the table over that
// of its matrix.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>

#include "mkc/files/read_all.hpp"

namespace {

using namespace mkc;  // NOLINT: a benchmark file

constexpr int samples = 2000, features = 20000;
constexpr double matrix_bytes = 8.0 * samples * features;

/// The file, made once and removed at the end.
class WideTable {
 public:
  WideTable() : path_(std::filesystem::temp_directory_path() / "mkc_wide_table.csv") {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    std::string line = "sample";
    for (int j = 0; j < features; ++j) line += ",g" + std::to_string(j);
    std::mt19937_64 engine(1);
    for (int i = 0; i < samples; ++i) {
      line += "\nS" + std::to_string(i);
      for (int j = 0; j < features; ++j) {
        char cell[16];
        const auto digits = static_cast<int>(engine() % 10000000);
        std::snprintf(cell, sizeof cell, ",%d.%07d", static_cast<int>(engine() % 10), digits);
        line += cell;
      }
      std::fwrite(line.data(), 1, line.size(), file);
      line.clear();
    }
    std::fputc('\n', file);
    std::fclose(file);
  }
  ~WideTable() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_.native(); }

 private:
  std::filesystem::path path_;
};

const WideTable& table() {
  static const WideTable made;
  return made;
}

/// Sum of all numbers: reads blocks, converts the text between delimiters, nothing else.
double bare_sum(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  std::vector<char> buffer(1 << 20);
  double sum = 0;
  std::size_t kept = 0;
  for (;;) {
    const std::size_t got = std::fread(buffer.data() + kept, 1, buffer.size() - kept, file);
    const char* end = buffer.data() + kept + got;
    const char* whole = end;  // a cell that may go on in the next block stays for it
    if (got > 0)
      while (whole != buffer.data() && whole[-1] != ',' && whole[-1] != '\n') --whole;
    for (const char* at = buffer.data(); at < whole;) {
      double value = 0;
      const auto [stop, error] = std::from_chars(at, whole, value);
      if (error == std::errc()) sum += value;
      at = stop;
      while (at < whole && *at != ',' && *at != '\n') ++at;
      ++at;
    }
    if (got == 0) break;
    kept = static_cast<std::size_t>(end - whole);
    std::memmove(buffer.data(), whole, kept);
  }
  std::fclose(file);
  return sum;
}

double read_sum(const std::string& path) {
  return io::read_all_views({io::parse_view_spec(path)}, {}).views.front().values.sum();
}

// Time of this process on its core, which others on the machine do not change.
template <class Action>
double seconds_of(Action action) {
  const std::clock_t start = std::clock();
  benchmark::DoNotOptimize(action());
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Largest memory of a child that reads the table, in bytes.
double peak_memory() {
  const pid_t child = fork();
  if (child == 0) {
    benchmark::DoNotOptimize(read_sum(table().path()));
    _exit(0);
  }
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void wide_csv(benchmark::State& state) {
  const std::string& path = table().path();
  state.counters["peak"] = peak_memory() / matrix_bytes;
  double bare = 1e300, reader = 1e300;  // best of all repetitions: both see the same machine
  for (auto _ : state) {
    bare = std::min(bare, seconds_of([&] { return bare_sum(path); }));
    reader = std::min(reader, seconds_of([&] { return read_sum(path); }));
  }
  state.counters["bare_s"] = bare;
  state.counters["read_s"] = reader;
  state.counters["ratio"] = bare / reader;
  state.counters["MB"] = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
}

BENCHMARK(wide_csv)->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
