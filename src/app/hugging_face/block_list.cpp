#include "app/hugging_face/block_list.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dse::app {
namespace {

/// Blocks that a `repeat` must save: shorter lists are easier to read as they are.
constexpr std::size_t least_saved = 6;

using Blocks = std::span<const ImportedBlock>;

/// The first blocks of a list: a pattern and how often it follows itself.
struct Pattern {
    std::size_t length{1};
    std::size_t times{1};

    [[nodiscard]] std::size_t saved() const { return length * (times - 1); }
};

std::size_t repetitions(Blocks rest, std::size_t length) {
    std::size_t times = 1;
    while ((times + 1) * length <= rest.size() &&
           std::ranges::equal(rest.first(length), rest.subspan(times * length, length)))
        ++times;
    return times;
}

/// The pattern at the begin of `rest` that saves most, the shortest of equals.
Pattern next_pattern(Blocks rest) {
    Pattern best;
    for (std::size_t length = 1; length <= rest.size() / 2; ++length) {
        const Pattern pattern{length, repetitions(rest, length)};
        if (pattern.saved() > best.saved()) best = pattern;
    }
    return best.saved() >= least_saved ? best : Pattern{};
}

std::string sizes_of(const ImportedBlock& block) {
    std::string fields = fmt::format("count: {}", block.count);
    for (const auto& [name, value] : block.symbols) fields += fmt::format(", {}: {}", name, value);
    return "{" + fields + "}";
}

std::string inline_text(const ImportedBlock& block) {
    if (!block.symbols.empty()) return fmt::format("{}: {}", block.name, sizes_of(block));
    return block.count == 1 ? block.name : fmt::format("{}: {}", block.name, block.count);
}

/// Writes blocks as lines. Sizes that occur again have an anchor where they occur first.
class Lines {
  public:
    explicit Lines(Blocks blocks) {
        for (const ImportedBlock& block : blocks) ++uses_[inline_text(block)];
    }

    std::string operator()(const ImportedBlock& block) {
        const std::string text = inline_text(block);
        if (block.symbols.empty() || uses_.at(text) == 1) return "- " + text;
        const auto found = anchors_.find(text);
        if (found != anchors_.end()) return fmt::format("- {}: *{}", block.name, found->second);
        std::string anchor = block.name;
        for (int number = 2; !taken_.insert(anchor).second; ++number)
            anchor = fmt::format("{}_{}", block.name, number);
        anchors_.emplace(text, anchor);
        return fmt::format("- {}: &{} {}", block.name, anchor, sizes_of(block));
    }

  private:
    std::map<std::string, int> uses_;
    std::map<std::string, std::string> anchors_;
    std::set<std::string> taken_;
};

std::string one_line(Blocks blocks) {
    std::vector<std::string> texts;
    texts.reserve(blocks.size());
    for (const ImportedBlock& block : blocks) texts.push_back(inline_text(block));
    return fmt::format(" [{}]\n", fmt::join(texts, ", "));
}

}  // namespace

std::string block_list(const std::vector<ImportedBlock>& blocks) {
    Lines line{blocks};
    std::string text = "\n";
    bool repeats = false;
    for (Blocks rest{blocks}; !rest.empty();) {
        const Pattern pattern = next_pattern(rest);
        const Blocks once = rest.first(pattern.length);
        if (pattern.times > 1)
            text += fmt::format("  - repeat:\n      times: {}\n      blocks:\n", pattern.times);
        for (const ImportedBlock& block : once)
            text += std::string(pattern.times > 1 ? 8 : 2, ' ') + line(block) + "\n";
        repeats |= pattern.times > 1;
        rest = rest.subspan(pattern.length * pattern.times);
    }
    return repeats ? text : one_line(blocks);
}

}  // namespace dse::app
