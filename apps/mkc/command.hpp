#pragma once

#include <string>

#include "parser.hpp"

namespace mkc::app {

Runner add_complete(CommandParser& parser);
Runner add_evaluate(CommandParser& parser);
Runner add_combine(CommandParser& parser);
Runner add_predict(CommandParser& parser);
Runner add_inspect(CommandParser& parser);
Runner add_embed(CommandParser& parser);
Runner add_cluster(CommandParser& parser);
Runner add_drivers(CommandParser& parser);
Runner add_advise(CommandParser& parser);
Runner add_plan(CommandParser& parser);
Runner add_moments(CommandParser& parser);
Runner add_merge(CommandParser& parser);
Runner add_apply(CommandParser& parser);
Runner add_gather(CommandParser& parser);
Runner add_forget(CommandParser& parser);
Runner add_report(CommandParser& parser);
Runner add_kernel(CommandParser& parser);
Runner add_convert(CommandParser& parser);
Runner add_experiment(CommandParser& parser);
Runner add_demo(CommandParser& parser);
Runner add_methods(CommandParser& parser);
Runner add_completion(CommandParser& parser);
Runner add_man(CommandParser& parser);
Runner add_version(CommandParser& parser);

/// The command line, quoted for a shell; stored with every result.
const std::string& command_line();

}  // namespace mkc::app
