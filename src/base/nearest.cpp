#include "dse/base/nearest.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/lower_case.hpp"

namespace dse {
namespace {

/// The distance is quadratic in the length, and nobody mistypes a name that is longer than any known.
constexpr std::size_t longest_name = 128;

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. What is
/// not below the limit is not computed to the end; the limit stands for it.
std::size_t edit_distance(const std::string& a, const std::string& b, std::size_t limit = no_limit) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> rows(3 * width);  // of the costs; those of i - 2, i - 1 and i are in use
    const auto row = [&](std::size_t i) { return rows.data() + i % 3 * width; };
    for (std::size_t j = 0; j <= b.size(); ++j) row(0)[j] = j;
    std::size_t least_above = 0;  // of the row above
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t* const cost = row(i);
        const std::size_t* const above = row(i - 1);
        cost[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[j] = std::min({above[j] + 1, cost[j - 1] + 1, substitution});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) cost[j] = std::min(cost[j], row(i - 2)[j - 2] + 1);
        }
        // Every way to the end passes through this row or, by a swap, from the one above to the one below.
        const std::size_t least = *std::min_element(cost, cost + width);
        if (std::min(least, least_above) >= limit) return limit;
        least_above = least;
    }
    return row(a.size())[b.size()];
}

/// No edit changes the length by more than one.
std::size_t least_distance(std::string_view a, std::string_view b) {
    return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

/// What other programs of this field call things, and their names here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 42> synonyms{
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
     {"dtype", "precision"},
     {"explain", "point"},
     {"predict", "point"},
     {"estimate", "point"},
     {"search", "run"},
     {"plot", "report"},
     {"visualize", "report"}}};

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
    const std::string wanted = lower_case(part);
    for (const std::string& name : known) {
        const bool is_new = std::ranges::find(names, name) == names.end();
        if (is_new && lower_case(name).find(wanted) != std::string::npos) names.push_back(name);
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

/// "nemotron3_nano" of "nemotron3_nano_30b_a3b": the longest known name that is the first parts of a name;
/// nothing if there is none of some length.
std::optional<std::string> beginning_of(std::string_view name, const std::vector<std::string>& known) {
    constexpr std::size_t shortest_beginning = 6;
    const std::string wanted = lower_case(name);
    std::optional<std::string> longest;
    for (const std::string& other : known) {
        const bool ends_a_part =
            other.size() < wanted.size() && (wanted[other.size()] == '_' || wanted[other.size()] == '-');
        if (!ends_a_part || !wanted.starts_with(lower_case(other)) || other.size() < shortest_beginning)
            continue;
        if (!longest || other.size() > longest->size()) longest = other;
    }
    return longest;
}

constexpr std::size_t most_shown = 24;

/// Known names may be those of a user's table, whose first line is anything.
std::string shortened(const std::string& name) {
    constexpr std::size_t most = 80;
    if (name.size() <= most) return name;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // inside a character
    return name.substr(0, end) + "…";
}

/// Of many names those that are most like `name`, in alphabetical order; of equally near ones the first.
std::vector<std::string> most_alike(std::string_view name, const std::vector<std::string>& known) {
    const std::string wanted = lower_case(name);
    std::vector<std::pair<std::size_t, const std::string*>> ranked;
    ranked.reserve(known.size());
    for (const std::string& other : known)
        ranked.emplace_back(name.size() <= longest_name ? edit_distance(wanted, lower_case(other)) : 0,
                            &other);
    std::ranges::stable_sort(ranked, {}, [](const auto& each) { return each.first; });
    std::vector<std::string> names;
    for (const auto& [distance, other] : std::span{ranked}.first(most_shown))
        names.push_back(shortened(*other));
    std::ranges::sort(names);
    return names;
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
    if (name.size() > longest_name) return std::nullopt;
    const std::string wanted = lower_case(name);
    if (std::ranges::find(known, name) == known.end()) {
        if (auto meant = renamed(wanted, known)) return meant;
    }
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    for (const std::string& candidate : known) {
        if (least_distance(wanted, candidate) >= best_distance) continue;
        const std::size_t distance = edit_distance(wanted, lower_case(candidate), best_distance);
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
    if (const auto meant = renamed(lower_case(name), known))
        return fmt::format(" (did you mean '{}'?)", *meant);
    const auto close = nearest(name, known);
    const std::vector<std::string> longer = names_with(name, known);
    // Whoever wrote b200 means dgx_b200, which holds it, rather than b300.
    const bool is_longer = close && std::ranges::find(longer, *close) != longer.end();
    // And whoever wrote b200_ndr400 means a name with b200, rather than h100_ndr400.
    const std::vector<std::string> akin = names_with(leading_part(name), known);
    const auto one_of = [](const std::vector<std::string>& names) {
        return names.size() == 1 ? fmt::format(" (did you mean '{}'?)", names.front())
                                 : fmt::format(" (did you mean one of these: {}?)", fmt::join(names, ", "));
    };
    if (close && !akin.empty() && longer.empty() && std::ranges::find(akin, *close) == akin.end())
        return one_of(akin);
    if (close && (is_longer || longer.empty())) return fmt::format(" (did you mean '{}'?)", *close);
    if (!longer.empty()) return one_of(longer);
    if (const auto beginning = beginning_of(name, known))
        return fmt::format(" (did you mean '{}'?)", *beginning);
    if (!akin.empty()) return one_of(akin);
    if (known.size() <= most_shown) {
        std::vector<std::string> names;
        names.reserve(known.size());
        for (const std::string& one : known) names.push_back(shortened(one));
        return fmt::format(" (known: {})", fmt::join(names, ", "));
    }
    return fmt::format(" (known: {}, …)", fmt::join(most_alike(name, known), ", "));
}

}  // namespace dse
