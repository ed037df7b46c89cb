#include "app/reference/completion.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/force.hpp"
#include "app/reference/man_page.hpp"

namespace dse::app {
namespace {

ExitCode print_completion(const std::string& shell) {
    const std::vector<CommandReference> commands = command_reference();
    if (shell == "bash") {
        std::cout << bash_completion(commands);
    } else if (shell == "zsh") {
        std::cout << zsh_completion(commands);
    } else {
        std::cout << fish_completion(commands);
    }
    return ExitCode::ok;
}

struct ManOptions {
    std::string command;
    std::string folder;
    Existing existing{Existing::refuse};
};

void write_page(const ManOptions& options, const std::string& name, const std::string& text) {
    OutputFile file{(std::filesystem::path{options.folder} / (name + ".1")).string(), options.existing};
    file.stream() << text;
    file.close();
}

void make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw InputError(fmt::format("cannot make the folder '{}': {}", folder, error.message()));
}

std::size_t write_pages(const ManOptions& options, const std::vector<CommandReference>& commands) {
    std::size_t pages = 0;
    for (const CommandReference& command : commands) {
        write_page(options, page_name(command), man_page(command));
        pages += 1 + write_pages(options, command.parts);
    }
    return pages;
}

/// The command "pareto", or the subcommand "et-check", as pages refer to it; nullptr if there is none.
const CommandReference* find_page(const std::vector<CommandReference>& commands, const std::string& name) {
    for (const CommandReference& command : commands) {
        if (command.name == name || page_name(command) == "dse-" + name) return &command;
        if (const CommandReference* part = find_page(command.parts, name)) return part;
    }
    return nullptr;
}

ExitCode man(const ManOptions& options) {
    const std::vector<CommandReference> commands = command_reference();
    if (!options.folder.empty()) {
        make_folder(options.folder);
        write_page(options, "dse", man_page_of_all(commands));
        std::cout << fmt::format("{}: {} manual pages\n", options.folder, 1 + write_pages(options, commands));
        return ExitCode::ok;
    }
    if (options.command.empty()) {
        std::cout << man_page_of_all(commands);
        return ExitCode::ok;
    }
    const CommandReference* found = find_page(commands, options.command);
    if (found == nullptr) throw InputError(fmt::format("no command is called '{}'", options.command));
    std::cout << man_page(*found);
    return ExitCode::ok;
}

}  // namespace

Action declare_completion(CLI::App& app) {
    const auto shell = std::make_shared<std::string>();
    app.add_option("shell", *shell, "shell")
        ->required()
        ->type_name("bash|zsh|fish")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    return [shell] { return print_completion(*shell); };
}

Action declare_man(CLI::App& app) {
    const auto options = std::make_shared<ManOptions>();
    app.add_option("command", options->command,
                   "print the page of this command, such as pareto or et-check; by default the overview");
    app.add_option("-o,--output", options->folder, "write all pages to this folder, for MANPATH")
        ->type_name("DIR");
    add_force(app, options->existing);
    return [options] { return man(*options); };
}

}  // namespace dse::app
