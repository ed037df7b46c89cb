#pragma once

#include "app/command.hpp"

namespace dse::app::et {

// One per subcommand.
Action declare_info(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_diff(CLI::App& app);
Action declare_dot(CLI::App& app);
Action declare_json(CLI::App& app);
Action declare_kineto(CLI::App& app);
Action declare_msccl(CLI::App& app);
Action declare_obfuscate(CLI::App& app);
Action declare_repair(CLI::App& app);

}  // namespace dse::app::et
