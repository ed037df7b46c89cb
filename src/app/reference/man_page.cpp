#include "app/reference/man_page.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/results/provenance.hpp"

namespace dse::app {
namespace {

/// Escapes text so that roff takes it literally.
std::string roff(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else {
            result += c;
        }
    }
    const bool control = !result.empty() && (result.front() == '.' || result.front() == '\'');
    return control ? "\\&" + result : result;
}

std::string heading(const std::string& page, const std::string& description) {
    std::string upper = page;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    return fmt::format(".TH {} 1 \"\" \"dse {}\" \"dse\"\n.SH NAME\n{} \\- {}\n", roff(upper),
                       results::dse_version(), roff(page), roff(description));
}

std::string synopsis(const CommandReference& command) {
    std::string text = fmt::format(".SH SYNOPSIS\n.B dse {}\n", roff(command.name));
    if (!command.parts.empty()) text += "\\fIpart\\fR\n";
    text += "[\\fIoptions\\fR]\n";
    for (const OptionReference& option : command.options) {
        if (option.argument.empty()) continue;
        const std::string argument = "\\fI" + roff(option.argument) + "\\fR";
        text += option.required ? argument + "\n" : "[" + argument + "]\n";
    }
    return text;
}

std::string option_text(const OptionReference& option) {
    std::string text = ".TP\n";
    if (!option.argument.empty()) {
        text += fmt::format("\\fI{}\\fR\n", roff(option.argument));
    } else {
        text += fmt::format("\\fB{}\\fR{}{}\n", roff(fmt::format("{}", fmt::join(option.names, ", "))),
                            option.value.empty() ? "" : " ",
                            option.value.empty() ? "" : "\\fI" + roff(option.value) + "\\fR");
    }
    text += roff(option.description);
    if (!option.standard.empty()) text += " (default: " + roff(option.standard) + ")";
    return text + "\n";
}

constexpr const char* exit_codes =
    ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\nnegative answer: a point has no result, every point failed, a "
    "check found errors, files differ\n.TP\n2\nbad input\n.TP\n3\ninternal error\n.TP\n4\nstopped; a "
    "sweep can be resumed\n";

void add_entries(std::string& text, const std::vector<CommandReference>& commands) {
    for (const CommandReference& command : commands)
        text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page_name(command)), roff(command.description));
}

}  // namespace

std::string page_name(const CommandReference& command) {
    std::string name = "dse-" + command.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::string man_page(const CommandReference& command) {
    std::string text = heading(page_name(command), command.description) + synopsis(command);
    text += ".SH OPTIONS\n";
    for (const OptionReference& option : command.options) text += option_text(option);
    if (!command.parts.empty()) {
        text += ".SH SUBCOMMANDS\n";
        add_entries(text, command.parts);
    }
    return text + exit_codes + ".SH SEE ALSO\n\\fBdse\\fR(1)\n";
}

std::string man_page_of_all(const std::vector<CommandReference>& commands) {
    std::string text = heading("dse", "find the best layout of a model and the best machine for it");
    text +=
        ".SH SYNOPSIS\n.B dse\n\\fISWEEP.yaml\\fR [\\fIoptions\\fR]\n.br\n.B dse\n\\fIcommand\\fR "
        "[\\fIoptions\\fR]\n.SH COMMANDS\n";
    add_entries(text, commands);
    return text + exit_codes;
}

}  // namespace dse::app
