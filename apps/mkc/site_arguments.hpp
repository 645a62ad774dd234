#pragma once

#include <memory>
#include <optional>

#include "complete_arguments.hpp"
#include "files/checkpoint.hpp"
#include "files/factor_folder.hpp"
#include "files/joint_source.hpp"
#include "shard_arguments.hpp"

namespace mkc::app {

/// Arguments of a step that works on the tables of a site, where there are any, or on a shard.
struct SiteArguments : ShardArguments {
  CompleteArguments site;  // its views and how to read them
  std::string name;
  int fewest = 0;  // samples of a pattern of views; rows of rarer ones are left out
};

/// VIEW..., and the options for reading them.
void add_site_arguments(CommandParser& parser, SiteArguments& arguments);

bool has_tables(const SiteArguments& arguments);

/// Reads the tables of a site. What cannot be read row by row is copied beside the output while
/// this object is there.
class SiteTables {
 public:
  SiteTables(SiteArguments& arguments, Terminal& terminal);
  ~SiteTables();

  const io::JointSource& source() const { return *source_; }
  const io::FactorRecord& record() const { return record_; }

 private:
  std::unique_ptr<io::Checkpoint> copies_;
  io::FactorRecord record_;
  std::optional<io::JointSource> source_;
};

}  // namespace mkc::app
