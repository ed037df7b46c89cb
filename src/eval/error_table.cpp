#include "dse/eval/error_table.hpp"

#include <algorithm>
#include <cmath>

#include "dse/config/library_struct.hpp"

namespace dse::eval {
namespace {

std::string_view group_of(const std::vector<ErrorMember>& members, std::string_view name) {
    const auto found =
        std::ranges::find_if(members, [&](const ErrorMember& member) { return member.name == name; });
    return found == members.end() ? std::string_view{} : std::string_view{found->of};
}

/// The names of a case at each level of families.
struct Names {
    std::string_view kind;
    std::string_view generation;
    std::string_view device;
    std::string_view stack;
    Tensors tensors;
    Prompts prompt;
};

/// Whether a stack's name is, or begins with, a family's, up to the end of a word or a comma.
bool is_release_of(std::string_view stack, std::string_view family) {
    if (!stack.starts_with(family)) return false;
    const std::string_view rest = stack.substr(family.size());
    return family.empty() || rest.empty() || rest.front() == ' ' || rest.front() == ',';
}

bool is_software_of(std::string_view stack, const ErrorFamily& family) {
    return family.exact ? stack == family.stack : is_release_of(stack, family.stack);
}

/// The last family that contains the case: wide families come before narrow ones. The software of programs is
/// their compiler.
const ErrorFamily* family_of(const std::vector<ErrorFamily>& families, const Names& names) {
    // An empty name, and the first choice, hold all.
    const auto holds = []<class Wanted>(const Wanted& wanted, const auto& own) {
        return wanted == Wanted{} || wanted == own;
    };
    const bool is_idealized = names.stack.empty() && names.kind != "program";
    const ErrorFamily* best = nullptr;
    for (const ErrorFamily& family : families) {
        if (holds(family.kind, names.kind) && holds(family.generation, names.generation) &&
            holds(family.device, names.device) && is_software_of(names.stack, family) &&
            holds(family.tensors, names.tensors) && holds(family.prompt, names.prompt) &&
            (is_idealized || !family.idealized))
            best = &family;
    }
    return best;
}

/// Errors of the steps of a mode; for mode serving, of decode steps.
const std::vector<ErrorFamily>& times_of(const ErrorTable& table, graph::Mode mode) {
    if (mode == graph::Mode::training) return table.time;
    return mode == graph::Mode::prefill ? table.serving.prompts : table.serving.decode;
}

Prompts length_of(const ErrorTable& table, std::int64_t prompt) {
    if (prompt < 1) return Prompts::any;
    return prompt <= table.serving.longest_short ? Prompts::short_ones : Prompts::long_ones;
}

Names names_of(const ErrorTable& table, const ErrorTable::Case& which) {
    std::string_view kind = group_of(table.templates, which.model_template);
    if (which.mode != graph::Mode::training && kind.empty())
        kind = group_of(table.serving.templates, which.model_template);
    return {kind,          group_of(table.generations, which.device),
            which.device,  which.stack,
            which.tensors, length_of(table, which.prompt)};
}

/// What a device without rows adds.
ErrorInterval of_unknown_device(const ErrorTable& table, ErrorTable::Products products) {
    if (products == ErrorTable::Products::unknown && table.of_products.width > 0.0) return table.of_products;
    if (products == ErrorTable::Products::typical && table.of_typical.width > 0.0) return table.of_typical;
    return {.width = table.of_device};
}

/// The program in the name of a stack: the words before the first with a digit, which is its release, or
/// before a comma. As program_of() of analysis/dse_analysis/first_predictions.py.
std::string_view program_of(std::string_view stack) {
    stack = stack.substr(0, stack.find(','));
    const std::size_t digit = stack.find_first_of("0123456789");
    if (digit == std::string_view::npos) return stack;
    const std::size_t space = stack.substr(0, digit).rfind(' ');
    return space == std::string_view::npos ? std::string_view{} : stack.substr(0, space);
}

bool is_of_kind(const ErrorMember& software, std::string_view kind) {
    return software.of.empty() || kind.empty() || software.of == kind;
}

/// Whether steps of a kind of model were compared under a stack; of any kind if it is empty.
bool is_compared(const ErrorTable& table, std::string_view stack, std::string_view kind) {
    return std::ranges::any_of(table.stacks, [&](const ErrorMember& software) {
        return is_of_kind(software, kind) && is_release_of(stack, software.name);
    });
}

/// Whether they were under another release of its program.
bool is_program_compared(const ErrorTable& table, std::string_view stack, std::string_view kind) {
    return std::ranges::any_of(table.programs, [&, program = program_of(stack)](const ErrorMember& software) {
        return is_of_kind(software, kind) && software.name == program;
    });
}

/// Captured programs have no stack: their software is a compiler.
bool has_stack(const Names& names) {
    return !names.stack.empty() && names.kind != "program";
}

/// What training under a stack adds of which no steps were compared.
ErrorInterval of_unknown_stack(const ErrorTable& table, const Names& names) {
    if (!has_stack(names) || is_compared(table, names.stack, names.kind)) return {};
    const bool is_release =
        table.of_release.width > 0.0 && is_program_compared(table, names.stack, names.kind);
    return is_release ? table.of_release : table.of_stack;
}

/// Whether families of servers are of some generations, but not of this one: training steps of its devices
/// were compared, but none of its servers.
bool is_without_servers(const std::vector<ErrorFamily>& families, std::string_view generation) {
    const auto names_another = [&](const ErrorFamily& family) {
        return !family.generation.empty() && family.generation != generation;
    };
    const auto names_it = [&](const ErrorFamily& family) { return family.generation == generation; };
    return std::ranges::any_of(families, names_another) && std::ranges::none_of(families, names_it);
}

/// Of a family's errors, and those of what it has no rows of.
ErrorInterval widened(const ErrorTable& table, const std::vector<ErrorFamily>& families,
                      const ErrorFamily& family, const Names& names, const ErrorTable::Case& which) {
    ErrorInterval interval = family.interval;
    // No device has a constant that was fitted to prompts: their errors are those of any.
    const bool serves = which.mode == graph::Mode::decode || which.mode == graph::Mode::serving;
    const bool is_unknown =
        names.generation.empty() || (serves && is_without_servers(families, names.generation));
    if (which.mode != graph::Mode::prefill && is_unknown)
        interval = sum(interval, of_unknown_device(table, which.products));
    if (names.kind.empty()) interval = sum(interval, {.width = table.of_operators});
    if (which.mode == graph::Mode::training) interval = sum(interval, of_unknown_stack(table, names));
    return interval;
}

/// Number of doublings from the largest job with a row to a job; 0 for smaller jobs, or if no size is known.
double doublings(std::int64_t devices, std::int64_t most) {
    if (most < 1 || devices <= most) return 0.0;
    return std::log2(static_cast<double>(devices) / static_cast<double>(most));
}

}  // namespace

ErrorTable read_errors(const config::Library& library) {
    constexpr const char* folder = "workloads/measured";
    constexpr const char* file = "errors";
    if (!library.find(folder, file)) return {};
    auto table = config::read_from_library<ErrorTable>(library, folder, file, "error bars");
    constexpr const char* serving = "serving_errors";
    if (library.find(folder, serving))
        table.serving = config::read_from_library<ServingErrors>(library, folder, serving, "error bars");
    return table;
}

ErrorTable::Intervals ErrorTable::of(const Case& which) const {
    const Names names = names_of(*this, which);
    Intervals intervals;
    const bool trains = which.mode == graph::Mode::training;
    const std::vector<ErrorFamily>& times = times_of(*this, which.mode);
    if (const ErrorFamily* family = family_of(times, names)) {
        intervals.time = widened(*this, times, *family, names, which);
        if (trains) {
            const double larger = doublings(which.devices, family->most_devices);
            intervals.time = sum(intervals.time, {.width = larger * of_doubling});
        }
    }
    // Peaks of servers, which fill their memory deliberately, were not measured.
    const ErrorFamily* peaks = trains ? family_of(memory, names) : nullptr;
    if (peaks != nullptr) {
        intervals.memory = peaks->interval;
        if (peaks->stack.empty() && has_stack(names) && !is_compared(*this, names.stack, ""))
            intervals.memory = sum(intervals.memory, of_stack_memory);
    }
    return intervals;
}

ErrorInterval ErrorTable::of_first_token(const Case& which) const {
    const Names names = names_of(*this, which);
    const ErrorFamily* family = family_of(serving.first_token, names);
    return family == nullptr ? ErrorInterval{} : widened(*this, serving.first_token, *family, names, which);
}

}  // namespace dse::eval
