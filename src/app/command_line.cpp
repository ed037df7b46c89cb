#include "app/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/launch.hpp"
#include "app/output_width.hpp"
#include "dse/base/nearest.hpp"
#include "dse/results/provenance.hpp"

namespace dse::app {
namespace {

using Arguments = std::vector<std::string>;

constexpr std::size_t help_column = 34;

constexpr const char* introduction =
    "dse: find the best layout of a model and the best machine for it\n"
    "\n"
    "  dse SWEEP.yaml                      run a sweep, or resume it\n"
    "  mpirun dse SWEEP.yaml               the same on many cores\n"
    "  dse plan SWEEP.yaml                 what the sweep would do\n"
    "  dse point SWEEP.yaml --set tp=8     one point in detail\n"
    "  dse pareto results/NAME.h5          the Pareto front of its results\n";

constexpr std::size_t exit_code_column = 6;
constexpr const char* exit_codes =
    "  0   success\n"
    "  1   negative answer: a point has no result, every point failed, a check found errors\n"
    "  2   bad input\n"
    "  3   internal error\n"
    "  4   stopped; a sweep can be resumed\n";

bool is_top_option(const std::string& argument) {
    return argument == "-h" || argument == "--help" || argument == "--version";
}

bool looks_like_a_file(const std::string& word) {
    std::error_code ignored;
    return word.find('.') != std::string::npos || word.find('/') != std::string::npos ||
           std::filesystem::exists(word, ignored);
}

std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.push_back(command.name);
    return names;
}

/// `dse help` means `dse --help`, and `dse help pareto` means `dse pareto --help`.
Arguments without_help_word(Arguments arguments) {
    if (arguments.empty() || arguments.front() != "help" || looks_like_a_file("help")) return arguments;
    if (arguments.size() == 1) return {"--help"};
    return {arguments[1], "--help"};
}

/// `dse SWEEP.yaml …` means `dse run SWEEP.yaml …`.
Arguments with_command(Arguments arguments) {
    if (arguments.empty() || is_top_option(arguments.front()) || find_command(arguments.front()) != nullptr) {
        return arguments;
    }
    const auto word = std::find_if(arguments.begin(), arguments.end(),
                                   [](const std::string& argument) { return !argument.starts_with("-"); });
    if (word == arguments.begin() && word->empty())
        throw InputError("the first argument is empty: it is a command, or a sweep's file");
    if (word == arguments.begin() && !looks_like_a_file(*word)) {
        throw InputError(fmt::format("unknown command '{}'{}; a sweep is a file, as in dse sweeps/{}.yaml",
                                     *word, suggestion(*word, command_names()), *word));
    }
    arguments.insert(arguments.begin(), "run");
    return arguments;
}

void print_help() {
    constexpr std::size_t name_column = 14;
    std::string rows;
    for (const Command& command : commands())
        rows += fmt::format("  {:<12}{}\n", command.name, command.description);
    std::cout << introduction << "\nCommands (each has --help):\n"
              << fitted_help(rows, name_column, output_width())
              << "\nOptions:\n  --version   version and git hash\n  -h, --help  this text\n"
                 "\nExit codes:\n"
              << fitted_help(exit_codes, exit_code_column, output_width());
}

/// "-x", but neither "-1", which is a number, nor "-"; of "-ofile" the option "-o".
bool is_short_option(const std::string& argument) {
    return argument.size() == 2 && argument[0] == '-' &&
           std::isalpha(static_cast<unsigned char>(argument[1]));
}

/// The first unknown option, with a suggestion of a similar known one.
std::string unknown_option(const CLI::App& app, const Arguments& arguments) {
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
        for (const std::string& name : option->get_snames()) known.push_back("-" + name);
    }
    if (app.get_name() == "dse run") known.emplace_back("--version");
    for (const std::string& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        if (name.starts_with("--") ? name == "--" : !is_short_option(name)) continue;
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return fmt::format("unknown option {}{}", name, suggestion(name, known));
        }
    }
    return {};
}

/// An argument that belongs to nothing: most often a setting without --set.
std::string unexpected_argument(const CLI::App& app) {
    const std::vector<std::string> extras = app.remaining();
    if (extras.empty()) return {};
    const std::string& first = extras.front();
    const bool takes_settings = app.get_option_no_throw("--set") != nullptr;
    std::string hint;
    if (app.get_name() == "dse compare" && first.ends_with(".h5")) {
        hint = " (two results files are compared by dse diff)";
    } else if (takes_settings && first.find('=') != std::string::npos) {
        hint = fmt::format(" (did you mean --set {}?)", first);
    } else if (takes_settings) {
        hint = " (settings are written as in --set tp=8)";
    }
    return fmt::format("unexpected argument '{}'{}", first, hint);
}

/// What the user left out, as the usage calls it: CLI11 calls it by the code's own name.
std::string missing_argument(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_required() || option->count() > 0) continue;
        if (!option->get_positional()) return option->get_name() + " is required";
        std::string type = option->get_type_name();
        type = type.substr(0, type.find(':'));  // behind it CLI11 lists the choices again
        return fmt::format("{} is missing", type.empty() ? option->get_name() : type);
    }
    return {};
}

/// An option that was given more often than it takes values.
std::string repeated_option(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 1 && option->results().size() > 1)
            return fmt::format("{} is given {} times, but takes one value", option->get_name(),
                               option->results().size());
    }
    return {};
}

/// The parts of a command, of which one must be named: "info, check or diff".
std::string missing_part(const CLI::App& app, const Arguments& arguments) {
    std::vector<std::string> names;
    for (const CLI::App* part : app.get_subcommands({})) names.push_back(part->get_name());
    if (arguments.empty()) return fmt::format("a subcommand is missing: one of {}", fmt::join(names, ", "));
    return fmt::format("'{}' is not one of its subcommands{}", arguments.front(),
                       suggestion(arguments.front(), names));
}

std::string reason_of(const CLI::ParseError& error, const CLI::App& command, const Arguments& arguments) {
    const auto parts = command.get_subcommands();
    const CLI::App& app = parts.empty() ? command : *parts.front();
    std::string text = unknown_option(app, arguments);
    if (text.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
        text = missing_argument(app);
    if (text.empty() && parts.empty() && app.get_require_subcommand_min() > 0)
        text = missing_part(app, arguments);
    if (text.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        text = unexpected_argument(app);
    if (text.empty() && dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        text = repeated_option(app);
    if (text.empty()) text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    const std::string part = parts.empty() ? "" : " " + app.get_name();
    return fmt::format("{} (see {}{} --help)", text, command.get_name(), part);
}

/// An empty value is most often a shell variable that is not set. Of settings and conditions, their readers
/// say more.
void refuse_empty_values(const CLI::App& command) {
    const auto parts = command.get_subcommands();
    for (const CLI::Option* option : (parts.empty() ? command : *parts.front()).get_options()) {
        if (option->get_positional() || option->get_items_expected_max() != 1) continue;
        for (const std::string& value : option->results())
            if (value.empty()) throw InputError(fmt::format("{} has no value", option->get_name()));
    }
}

ExitCode run_command(const Command& command, Arguments arguments) {
    CLI::App app{command.description, "dse " + command.name};
    app.get_formatter()->column_width(help_column);
    const Action action = command.declare(app);
    try {
        Arguments reversed{arguments.rbegin(), arguments.rend()};
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        if (launch_rank() == 0) std::cout << fitted_help(app.help(), help_column, output_width());
        return ExitCode::ok;
    } catch (const CLI::ParseError& error) {
        throw InputError(reason_of(error, app, arguments));
    }
    refuse_empty_values(app);
    return action();
}

ExitCode dispatch(const Arguments& given) {
    const Arguments arguments = with_command(without_help_word(given));
    if (arguments.empty()) {
        std::cerr << introduction << "\nCommands: " << fmt::format("{}", fmt::join(command_names(), ", "))
                  << "; more with dse --help\n";
        return ExitCode::bad_input;
    }
    if (arguments.front() == "--version") {
        std::cout << fmt::format("dse {} ({})\n", results::dse_version(), results::git_hash());
        return ExitCode::ok;
    }
    if (is_top_option(arguments.front())) {
        print_help();
        return ExitCode::ok;
    }
    return run_command(*find_command(arguments.front()), {arguments.begin() + 1, arguments.end()});
}

/// Whether who read standard output went away, as `head` does once it has enough.
bool is_output_closed() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments) {
    ExitCode code = ExitCode::internal_error;
    try {
        code = dispatch(arguments);
    } catch (const InputError& error) {
        print_error(error.what());
        code = ExitCode::bad_input;
    } catch (const ModelError& error) {
        print_error(error.what());
        code = ExitCode::bad_input;
    } catch (const Stopped& stopped) {
        print_error(stopped.what());
        code = ExitCode::stopped;
    } catch (const std::filesystem::filesystem_error& error) {
        print_error(fmt::format("cannot use '{}': {}", error.path1().string(), error.code().message()));
        code = ExitCode::bad_input;
    } catch (const std::bad_alloc&) {
        print_error("out of memory");
    } catch (const std::exception& error) {
        print_error(fmt::format("internal error: {}", error.what()));
    }
    if (!std::cout.flush() && !is_output_closed()) {
        print_error("cannot write to standard output: is the disk full?");
        if (code == ExitCode::ok) code = ExitCode::bad_input;
    }
    return static_cast<int>(code);
}

}  // namespace dse::app
