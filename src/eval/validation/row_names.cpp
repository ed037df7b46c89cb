#include "eval/validation/row_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "dse/base/lower_case.hpp"

namespace dse::eval {
namespace {

constexpr std::string_view within_node = " in a node";

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A part of a chip's name as all spell it: "sxm5" is "sxm", "80gb" is "80"; empty for what does not tell
/// chips apart (the maker; HBM3, which all that have it are sold with).
std::string chip_word(std::string word) {
    for (const char* ignored :
         {"nvidia", "amd", "intel", "google", "aws", "cloud", "instinct", "gpu", "hbm3", "hbm3e"})
        if (word == ignored) return {};
    if (word.starts_with("sxm")) return "sxm";
    for (const std::string_view unit : {"gib", "gb", "g"}) {
        if (word.ends_with(unit) && is_digits(std::string_view(word).substr(0, word.size() - unit.size())))
            return word.substr(0, word.size() - unit.size());
    }
    if (word.starts_with("tpuv")) return word.substr(3);
    return word;
}

std::set<std::string> chip_words(std::string_view name) {
    std::set<std::string> words;
    std::string word;
    const auto end_word = [&] {
        const bool is_tpu = word.starts_with("tpu");
        if (std::string known = chip_word(word); !known.empty()) words.insert(std::move(known));
        if (is_tpu) words.insert("tpu");
        word.clear();
    };
    for (const char c : lower_case(name)) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            word += c;
        } else {
            end_word();
        }
    }
    end_word();
    return words;
}

/// Letters and digits alone, without the owner of a repository before them and the kind of fine-tuning
/// behind.
std::string bare_model(std::string_view name) {
    std::string text = lower_case(name.substr(name.rfind('/') + 1));
    if (text.starts_with("meta-llama")) text.erase(0, std::string_view("meta-").size());
    for (const std::string_view suffix : {"-instruct", "-base", "-hf", "-chat"}) {
        if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
    }
    std::erase_if(text, [](unsigned char c) { return std::isalnum(c) == 0; });
    return text;
}

}  // namespace

std::optional<std::string> chip_named(const std::string& name, const KnownNames& known) {
    if (known.contains(name)) return name;
    const std::set<std::string> words = chip_words(name);
    if (words.empty()) return std::nullopt;
    std::optional<std::string> found;
    for (const auto& [chip, cluster] : known) {
        const std::set<std::string> all = chip_words(chip);
        if (all == words) return chip;
        if (!std::ranges::includes(all, words)) continue;
        if (found) return std::nullopt;  // which of them is not said
        found = chip;
    }
    return found;
}

std::optional<std::string> model_named(const std::string& name, const KnownNames& known) {
    if (known.contains(name)) return name;
    const std::string bare = bare_model(name);
    for (const auto& [model, file] : known) {
        if (!bare.empty() && bare_model(model) == bare) return model;
    }
    return std::nullopt;
}

TruthRow with_known_names(TruthRow row, const TruthSource& source) {
    if (auto chip = chip_named(row.chip, source.clusters)) row.chip = std::move(*chip);
    if (auto model = model_named(row.model, source.models)) row.model = std::move(*model);
    return row;
}

std::optional<graph::Precision> precision_named(std::string_view text) {
    using graph::Precision;
    const std::string lower = lower_case(text.substr(0, text.find('(')));
    if (lower.find_first_not_of(' ') == std::string::npos) return Precision::bf16;
    // The narrowest first: fp8 stands beside bf16 where products run in fp8. "bfloat16" ends in "float16".
    constexpr std::array<std::pair<std::string_view, Precision>, 16> names{{{"fp4", Precision::fp4},
                                                                            {"float4", Precision::fp4},
                                                                            {"e2m1", Precision::fp4},
                                                                            {"fp8", Precision::fp8},
                                                                            {"float8", Precision::fp8},
                                                                            {"e4m3", Precision::fp8},
                                                                            {"e5m2", Precision::fp8},
                                                                            {"bf16", Precision::bf16},
                                                                            {"bfloat16", Precision::bf16},
                                                                            {"fp16", Precision::fp16},
                                                                            {"float16", Precision::fp16},
                                                                            {"half", Precision::fp16},
                                                                            {"tf32", Precision::tf32},
                                                                            {"fp32", Precision::fp32},
                                                                            {"float32", Precision::fp32},
                                                                            {"single", Precision::fp32}}};
    for (const auto& [name, precision] : names) {
        if (lower.find(name) != std::string::npos) return precision;
    }
    return std::nullopt;
}

bool shards_in_node(std::string_view text) {
    return lower_case(text).ends_with(within_node);
}

std::optional<StateSharding> sharding_named(std::string_view text) {
    std::string lower = lower_case(text);
    if (lower.ends_with(within_node)) lower.resize(lower.size() - within_node.size());
    if (lower.find("dist-opt") != std::string::npos) return StateSharding::optimizer;
    std::erase_if(lower, [](char c) { return c == ' ' || c == '-' || c == '_'; });
    for (const std::string_view word : {"deepspeed", "zero", "stage"}) {
        if (lower.starts_with(word)) lower.erase(0, word.size());
    }
    constexpr std::array<std::pair<std::string_view, StateSharding>, 22> names{
        {{"", StateSharding::of_stack},          {"0", StateSharding::none},
         {"none", StateSharding::none},          {"no", StateSharding::none},
         {"off", StateSharding::none},           {"ddp", StateSharding::none},
         {"noshard", StateSharding::none},       {"1", StateSharding::optimizer},
         {"distopt", StateSharding::optimizer},  {"distributedoptimizer", StateSharding::optimizer},
         {"2", StateSharding::gradients},        {"shardgradop", StateSharding::gradients},
         {"sdp", StateSharding::gradients},      {"3", StateSharding::full},
         {"fsdp", StateSharding::full},          {"fsdp1", StateSharding::full},
         {"fsdp2", StateSharding::full},         {"fullshard", StateSharding::full},
         {"fullyshard", StateSharding::full},    {"hsdp", StateSharding::hybrid},
         {"hybridshard", StateSharding::hybrid}, {"hybrid", StateSharding::hybrid}}};
    for (const auto& [name, sharding] : names) {
        if (lower == name) return sharding;
    }
    if (lower.starts_with("fsdp")) return StateSharding::of_stack;
    return std::nullopt;
}

std::optional<double> seconds_of(double value, std::string_view unit) {
    // "ms/iter", "s per step", "seconds (mean)"
    const std::string name = lower_case(unit.substr(0, unit.find_first_of("/ (")));
    for (const auto& [known, seconds] : {std::pair{"s", 1.0},
                                         {"sec", 1.0},
                                         {"secs", 1.0},
                                         {"second", 1.0},
                                         {"seconds", 1.0},
                                         {"ms", 1e-3},
                                         {"msec", 1e-3},
                                         {"millisecond", 1e-3},
                                         {"milliseconds", 1e-3},
                                         {"us", 1e-6},
                                         {"\u00B5s", 1e-6},
                                         {"\u03BCs", 1e-6},
                                         {"usec", 1e-6},
                                         {"microseconds", 1e-6},
                                         {"min", 60.0},
                                         {"minute", 60.0},
                                         {"minutes", 60.0},
                                         {"h", 3600.0},
                                         {"hours", 3600.0}}) {
        if (name == known) return value * seconds;
    }
    return std::nullopt;
}

}  // namespace dse::eval
