#include <malloc.h>

#include <exception>
#include <new>

#include "command.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "terminal.hpp"

namespace mkc::app {

namespace {

const std::vector<Command> commands = {
    {"inspect", "show what is in the files and what 'complete' would do", add_inspect},
    {"complete", "complete the kernels of several views", add_complete},
    {"predict", "complete new samples with a saved model", add_predict},
    {"evaluate", "compare methods on observed rows that are hidden", add_evaluate},
    {"combine", "combine completed kernels into one", add_combine},
    {"embed", "write coordinates of all samples", add_embed},
    {"cluster", "find clusters of samples, without labels", add_cluster},
    {"drivers", "find the features behind axes and clusters", add_drivers},
    {"advise", "rank the missing pairs: which to measure next", add_advise},
    {"report", "write the report of a result again", add_report},
    {"plan", "plan a completion that several processes or machines share", add_plan},
    {"moments", "sums of one shard of a plan", add_moments},
    {"merge", "the fit of a plan from the sums of all shards", add_merge},
    {"apply", "complete the rows of one shard", add_apply},
    {"gather", "the result of all samples from those of all shards", add_gather},
    {"forget", "take samples out of a plan", add_forget},
    {"kernel", "compute kernels from feature tables", add_kernel},
    {"convert", "convert views to another file format", add_convert},
    {"experiment", "repeat the experiments of the paper", add_experiment},
    {"demo", "complete a built-in example", add_demo},
    {"methods", "list the methods, their cost and their options", add_methods},
    {"completion", "print the completion script for bash or zsh", add_completion},
    {"man", "print the manual page", add_man},
    {"version", "print the versions of mkc and its libraries", add_version},
};

constexpr const char* memory_hint =
    "use fewer samples, views or --threads, or a method that needs less: mkc methods";

std::string stored_command_line;

std::string shell_quoted(const std::string& word) {
  const auto special = word.find_first_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%");
  if (!word.empty() && special == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void store_command_line(int argc, char** argv) {
  stored_command_line = "mkc";
  for (int i = 1; i < argc; ++i) stored_command_line += " " + shell_quoted(argv[i]);
}

// Matrices of one tile of rows after the next have equal sizes. Their memory is kept for the next
// one instead of being given back and asked for again, page by page.
void keep_freed_memory() {
#if defined(M_TRIM_THRESHOLD) && defined(M_MMAP_THRESHOLD)
  constexpr int largest_kept = 32 << 20, kept = 256 << 20;  // bytes
  mallopt(M_MMAP_THRESHOLD, largest_kept);
  mallopt(M_TRIM_THRESHOLD, kept);
#endif
}

// Runs a command; every exception becomes one message and an exit code.
int run_guarded(const Runner& run) {
  try {
    const int code = run();
    if (const std::string failure = output_failure(); !failure.empty()) {
      print_error(failure);
      return exit_unexpected;
    }
    return code;
  } catch (const OptionError& error) {
    print_error(error.what(), error.hint());
    return exit_usage;
  } catch (const InputError& error) {
    print_error(error.what(), error.hint());
    return exit_bad_input;
  } catch (const InterruptedError& error) {
    print_error(error.what());
    return exit_interrupted;
  } catch (const MemoryError& error) {
    print_error(error.what(), error.hint().empty() ? Hint(memory_hint) : error.hint());
    return exit_memory;
  } catch (const std::bad_alloc&) {
    print_error("out of memory", memory_hint);
    return exit_memory;
  } catch (const std::exception& error) {
    print_error(error.what());
    return exit_unexpected;
  }
}

}  // namespace

const std::string& command_line() { return stored_command_line; }

}  // namespace mkc::app

int main(int argc, char** argv) {
  using namespace mkc::app;
  store_command_line(argc, argv);
  keep_freed_memory();
  catch_interrupts();
  const Supervisor supervisor;
  return run_guarded([&] {
    const Parsed parsed = parse_command_line(argc, argv, commands);
    return parsed.run ? run_guarded(parsed.run) : parsed.exit_code;
  });
}
