#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/error.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Executes a command after its arguments have been parsed. \throws InputError, Stopped
using Action = std::function<ExitCode()>;

/// A command: its name, a one-line description, and a function that declares its options and returns its
/// action.
struct Command {
    std::string name;
    std::string description;
    /// \param app  the command's parser; the action keeps the options alive
    /// \return action to execute if this command was chosen
    Action (*declare)(CLI::App& app);
};

/// All commands, in the order of the help.
const std::vector<Command>& commands();

/// The command with a name; nullptr if there is none.
const Command* find_command(std::string_view name);

// One per file of commands/.
Action declare_run(CLI::App& app);
Action declare_plan(CLI::App& app);
Action declare_point(CLI::App& app);
Action declare_answer(CLI::App& app);
Action declare_compare(CLI::App& app);
Action declare_trace(CLI::App& app);
Action declare_simulate(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_et(CLI::App& app);
Action declare_import(CLI::App& app);
Action declare_synth(CLI::App& app);
Action declare_pareto(CLI::App& app);
Action declare_sensitivity(CLI::App& app);
Action declare_regret(CLI::App& app);
Action declare_best(CLI::App& app);
Action declare_diff(CLI::App& app);
Action declare_report(CLI::App& app);
Action declare_export(CLI::App& app);
Action declare_merge(CLI::App& app);
Action declare_parts(CLI::App& app);
Action declare_gemm(CLI::App& app);
Action declare_advise(CLI::App& app);
Action declare_kernels(CLI::App& app);
Action declare_fit(CLI::App& app);
Action declare_systolic(CLI::App& app);
Action declare_collective(CLI::App& app);
Action declare_validate(CLI::App& app);
Action declare_verify(CLI::App& app);
Action declare_init(CLI::App& app);
Action declare_schema(CLI::App& app);
Action declare_completion(CLI::App& app);
Action declare_man(CLI::App& app);
Action declare_list(CLI::App& app);

}  // namespace dse::app
