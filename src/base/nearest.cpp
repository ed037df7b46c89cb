#include "dse/base/nearest.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dse {
namespace {

std::string lower(std::string_view text) {
    std::string result{text};
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// The distance is quadratic in the length, and nobody mistypes a name that is longer than any known.
constexpr std::size_t longest_name = 128;

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, substitution});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

/// What other programs of this field call things, and their names here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 36> synonyms{
    {{"gpus", "devices"},
     {"gpu", "device"},
     {"num_gpus", "devices"},
     {"world_size", "devices"},
     {"chips", "devices"},
     {"bfloat16", "bf16"},
     {"float16", "fp16"},
     {"half", "fp16"},
     {"float32", "fp32"},
     {"float", "fp32"},
     {"float64", "fp64"},
     {"float8", "fp8"},
     {"tensor_parallel", "tp"},
     {"tensor_parallel_size", "tp"},
     {"pipeline_parallel", "pp"},
     {"pipeline_parallel_size", "pp"},
     {"data_parallel", "dp"},
     {"context_parallel", "cp"},
     {"expert_parallel", "ep"},
     {"batch", "global_batch"},
     {"batch_size", "global_batch"},
     {"global_batch_size", "global_batch"},
     {"gbs", "global_batch"},
     {"micro_batch", "microbatch"},
     {"micro_batch_size", "microbatch"},
     {"mbs", "microbatch"},
     {"seq_len", "sequence"},
     {"seq_length", "sequence"},
     {"sequence_length", "sequence"},
     {"context", "sequence"},
     {"context_length", "sequence"},
     {"activation_checkpointing", "recompute"},
     {"checkpointing", "recompute"},
     {"max_num_seqs", "max_sequences"},
     {"max_num_batched_tokens", "token_budget"},
     {"dtype", "precision"}}};

/// The name here of what another program calls `wanted`, if it is known.
std::optional<std::string> renamed(std::string_view wanted, const std::vector<std::string>& known) {
    for (const auto& [other, name] : synonyms) {
        if (other == wanted && std::ranges::find(known, name) != known.end()) return std::string{name};
    }
    return std::nullopt;
}

/// Known names that contain the given part: "h100" matches h100_ndr400. Empty if there are too many matches,
/// or the part is too short to be meaningful.
std::vector<std::string> names_with(std::string_view part, const std::vector<std::string>& known) {
    constexpr std::size_t shortest_part = 3;
    constexpr std::size_t most_named = 16;
    std::vector<std::string> names;
    if (part.size() < shortest_part) return names;
    const std::string wanted = lower(part);
    for (const std::string& name : known) {
        const bool is_new = std::ranges::find(names, name) == names.end();
        if (is_new && lower(name).find(wanted) != std::string::npos) names.push_back(name);
    }
    return names.size() <= most_named ? names : std::vector<std::string>{};
}

/// "b200" of "b200_ndr400": the first part of a name, if it has digits, as those of chips and models; else
/// empty.
std::string_view leading_part(std::string_view name) {
    const std::string_view part = name.substr(0, name.find_first_of("_-"));
    const bool has_digit = part.find_first_of("0123456789") != std::string_view::npos;
    return part.size() < name.size() && has_digit ? part : std::string_view{};
}

constexpr std::size_t most_shown = 24;

/// Of many names those that are most like `name`, in alphabetical order; of equally near ones the first.
std::vector<std::string> most_alike(std::string_view name, std::vector<std::string> known) {
    if (name.size() <= longest_name) {
        const std::string wanted = lower(name);
        std::ranges::stable_sort(
            known, {}, [&](const std::string& other) { return edit_distance(wanted, lower(other)); });
    }
    known.resize(most_shown);
    std::ranges::sort(known);
    return known;
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
    if (name.size() > longest_name) return std::nullopt;
    const std::string wanted = lower(name);
    if (std::ranges::find(known, name) == known.end()) {
        if (auto meant = renamed(wanted, known)) return meant;
    }
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = edit_distance(wanted, lower(candidate));
        // As many edits as characters: nothing in common.
        const bool akin = distance < std::max(wanted.size(), candidate.size());
        if (akin && distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
    if (known.empty()) return "";
    if (const auto meant = renamed(lower(name), known)) return fmt::format(" (did you mean '{}'?)", *meant);
    const auto close = nearest(name, known);
    const std::vector<std::string> longer = names_with(name, known);
    // Whoever wrote b200 means dgx_b200, which holds it, rather than b300.
    const bool is_longer = close && std::ranges::find(longer, *close) != longer.end();
    // And whoever wrote b200_ndr400 means a name with b200, rather than h100_ndr400.
    const std::vector<std::string> akin = names_with(leading_part(name), known);
    if (close && !akin.empty() && longer.empty() && std::ranges::find(akin, *close) == akin.end())
        return fmt::format(
            " (did you mean {}{}?)", akin.size() == 1 ? "" : "one of these: ",
            akin.size() == 1 ? fmt::format("'{}'", akin.front()) : fmt::format("{}", fmt::join(akin, ", ")));
    if (close && (is_longer || longer.empty())) return fmt::format(" (did you mean '{}'?)", *close);
    if (longer.size() == 1) return fmt::format(" (did you mean '{}'?)", longer.front());
    if (!longer.empty()) return fmt::format(" (did you mean one of these: {}?)", fmt::join(longer, ", "));
    if (known.size() <= most_shown) return fmt::format(" (known: {})", fmt::join(known, ", "));
    return fmt::format(" (known: {}, …)", fmt::join(most_alike(name, known), ", "));
}

}  // namespace dse
