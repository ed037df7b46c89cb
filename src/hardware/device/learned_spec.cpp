#include "dse/hardware/device/learned_spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"

namespace dse::hardware {
namespace {

using config::Diagnostics;
using config::Location;

/// Unit of the leaf values in the file.
constexpr float leaf_unit = 1e-4F;
constexpr auto most_features = static_cast<int>(TreeEnsemble::most_features);
constexpr int most_releases = 1000;

/// A finite number: a leaf of infinity would be taken for a split, and the walk would leave the tree.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
    Number value{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(value)) return std::nullopt;
    }
    return value;
}

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream stream{line};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::optional<TreeEnsemble::Node> node_of(std::string_view word, int features) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
        const auto leaf = number_of<float>(word);
        if (!leaf) return std::nullopt;
        return TreeEnsemble::Node{*leaf * leaf_unit, -1, 0};
    }
    const auto feature = number_of<std::int16_t>(word.substr(0, colon));
    const auto threshold = number_of<float>(word.substr(colon + 1));
    if (!feature || !threshold || *feature < 0 || *feature >= features) return std::nullopt;
    return TreeEnsemble::Node{*threshold, *feature, 0};
}

/// Sets `right` of the subtree at `root`.
/// \return where the next subtree begins; nothing if nodes are missing
std::optional<std::size_t> connect(std::vector<TreeEnsemble::Node>& nodes, std::size_t root) {
    if (root >= nodes.size()) return std::nullopt;
    if (nodes[root].feature < 0) return root + 1;
    const auto right = connect(nodes, root + 1);
    if (!right) return std::nullopt;
    nodes[root].right = static_cast<std::uint16_t>(*right);
    return connect(nodes, *right);
}

/// Depth of the subtree at `root`. \pre `right` is set
std::uint32_t depth_of(std::span<const TreeEnsemble::Node> nodes, std::size_t root) {
    if (nodes[root].feature < 0) return 0;
    return 1 + std::max(depth_of(nodes, root + 1), depth_of(nodes, nodes[root].right));
}

class TreeReader {
  public:
    TreeReader(const std::string& file, Diagnostics& diagnostics)
        : file_{std::make_shared<const std::string>(file)}, diagnostics_{diagnostics} {}

    void line(const std::string& text) {
        ++number_;
        const std::vector<std::string> words = words_of(text);
        if (words.empty() || words.front().starts_with('#')) return;
        if (words.front() == "kind") return kind(words);
        if (words.front() == "tree") return tree(words);
        if (words.front() == "costs") return costs(words);
        if (words.front() == "largest") return largest(words);
        if (words.front() == "release") return release(words);
        if (words.front() == "own") return own(words);
        error(
            fmt::format("'{}' begins no line of trees (kind NAME FEATURES BIAS, largest LOGARITHM, own "
                        "LIBRARY RELEASE, costs FAMILY WEIGHT …, tree NODE …, or release NUMBER LIBRARY "
                        "RELEASE)",
                        config::excerpt(words.front())));
    }

    LearnedTrees trees() { return std::move(read_); }

  private:
    void kind(const std::vector<std::string>& words) {
        const auto features = words.size() == 4 ? number_of<int>(words[2]) : std::nullopt;
        const auto bias = words.size() == 4 ? number_of<double>(words[3]) : std::nullopt;
        if (!features || !bias || *features < 1 || *features > most_features)
            return error(fmt::format("no kind (write it as: kind NAME FEATURES BIAS, of 1 to {} features)",
                                     most_features));
        const auto [place, is_new] = read_.kinds.try_emplace(words[1]);
        if (!is_new) error(fmt::format("a second kind '{}'", words[1]));
        current_ = &place->second;
        current_->trees.set_bias(*bias);
        current_->trees.set_feature_count(static_cast<std::size_t>(*features));
        features_ = *features;
    }

    void release(const std::vector<std::string>& words) {
        const auto number = words.size() == 4 ? number_of<int>(words[1]) : std::nullopt;
        if (!number || *number < 0 || *number > most_releases)
            return error(fmt::format(
                "no release (write it as: release NUMBER LIBRARY RELEASE, the number from 0 to {})",
                most_releases));
        const auto is_known = [&](const MeasuredRelease& known) {
            return known.number == *number || (known.library == words[2] && known.release == words[3]);
        };
        if (std::ranges::any_of(read_.releases, is_known))
            return error("a second release of this number, or a second number of this release");
        read_.releases.push_back({*number, words[2], words[3]});
    }

    void own(const std::vector<std::string>& words) {
        if (current_ == nullptr) return error("a release before its kind");
        if (words.size() != 3) return error("no release (write it as: own LIBRARY RELEASE)");
        current_->releases[words[1]] = words[2];
    }

    void largest(const std::vector<std::string>& words) {
        if (current_ == nullptr) return error("a largest kernel before its kind");
        const auto logarithm = words.size() == 2 ? number_of<double>(words[1]) : std::nullopt;
        if (!logarithm) return error("no largest kernel (write it as: largest LOGARITHM, of its seconds)");
        current_->largest = *logarithm;
    }

    void costs(const std::vector<std::string>& words) {
        if (current_ == nullptr) return error("costs before their kind");
        const auto family = words.size() > 1 ? number_of<int>(words[1]) : std::nullopt;
        if (!family || words.size() < 3 || words.size() > CostSums::most_costs + 2)
            return error(fmt::format("no costs (write them as: costs FAMILY WEIGHT …, of 1 to {} weights)",
                                     CostSums::most_costs));
        std::vector<double> weights;
        for (std::size_t i = 2; i < words.size(); ++i) {
            const auto weight = number_of<double>(words[i]);
            if (!weight || *weight < 0.0)
                return error(fmt::format("'{}' is not a weight of a cost (at least 0)", words[i]));
            weights.push_back(*weight);
        }
        if (std::ranges::all_of(weights, [](double weight) { return weight == 0.0; }))
            return error("costs whose weights are all 0, with which a kernel takes no time");
        current_->sums.set(*family, std::move(weights));
    }

    void tree(const std::vector<std::string>& words) {
        if (current_ == nullptr) return error("a tree before its kind");
        std::vector<TreeEnsemble::Node> nodes;
        for (std::size_t i = 1; i < words.size(); ++i) {
            const auto node = node_of(words[i], features_);
            if (!node)
                return error(
                    fmt::format("'{}' is not a node (FEATURE:THRESHOLD of feature 0 to {}, or a leaf's "
                                "value)",
                                words[i], features_ - 1));
            nodes.push_back(*node);
        }
        constexpr std::size_t most_nodes = 1024;
        if (nodes.size() > most_nodes) return error("a tree of more than 1024 nodes");
        const auto end = connect(nodes, 0);
        if (!end || *end != nodes.size())
            return error("no whole tree (nodes in preorder, each split with two)");
        current_->trees.add(nodes);
    }

    void error(std::string message) {
        diagnostics_.error(Location{file_, number_, 1}, "", std::move(message));
    }

    std::shared_ptr<const std::string> file_;
    Diagnostics& diagnostics_;
    int number_{0};
    int features_{0};
    LearnedKind* current_{nullptr};
    LearnedTrees read_;
};

}  // namespace

void TreeEnsemble::add(std::span<const Node> nodes) {
    roots_.push_back(static_cast<std::uint32_t>(forks_.size()));
    depths_.push_back(depth_of(nodes, 0));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        const bool leaf = node.feature < 0;
        forks_.push_back({node.value, static_cast<std::uint16_t>(leaf ? most_features : node.feature),
                          static_cast<std::uint16_t>(leaf ? 0 : node.right - i)});
    }
}

double TreeEnsemble::operator()(std::span<const double> features) const {
    std::array<float, most_features + 1> known{};
    std::ranges::transform(features, known.begin(), [](double value) { return static_cast<float>(value); });
    known.back() = std::numeric_limits<float>::infinity();
    const auto next = [&](std::uint32_t node) {
        const Fork& fork = forks_[node];
        return node + (known[fork.feature] <= fork.threshold ? 1U : fork.step);
    };
    double sum = bias_;
    std::size_t first = 0;
    for (; first + side_by_side <= roots_.size(); first += side_by_side) {
        std::array<std::uint32_t, side_by_side> at{};
        std::copy_n(roots_.begin() + static_cast<std::ptrdiff_t>(first), side_by_side, at.begin());
        const auto depths = std::span{depths_}.subspan(first, side_by_side);
        for (std::uint32_t level = *std::ranges::max_element(depths); level > 0; --level)
            for (std::uint32_t& node : at) node = next(node);
        for (const std::uint32_t leaf : at) sum += static_cast<double>(forks_[leaf].threshold);
    }
    for (; first < roots_.size(); ++first) {
        std::uint32_t node = roots_[first];
        for (std::uint32_t level = depths_[first]; level > 0; --level) node = next(node);
        sum += static_cast<double>(forks_[node].threshold);
    }
    return sum;
}

const LearnedTrees& TreeFile::trees() const {
    std::call_once(once_, [this] {
        if (path_.empty()) return;
        Diagnostics diagnostics;
        trees_ = read_trees(path_, diagnostics);
        diagnostics.throw_if_any();
    });
    return trees_;
}

Problems problems_of(const LearnedSpec& learned) {
    Problems problems = out_of_range(learned);
    problems.nest("vector", problems_of(learned.vector));
    if (learned.trees_file.empty()) return problems;
    problems.expect(learned.multiprocessors > 0.0, "multiprocessors", "missing (trees see waves on them)");
    problems.expect(learned.cache > Bytes{}, "cache", "missing (trees see what fits it)");
    problems.expect(learned.cycle > Seconds{}, "cycle",
                    "missing (launches and serial work of kernels take cycles of the boost clock)");
    return problems;
}

LearnedTrees read_trees(const std::string& file, Diagnostics& diagnostics) {
    TreeReader reader{file, diagnostics};
    std::istringstream stream{config::read_text(file)};
    for (std::string line; std::getline(stream, line);) reader.line(line);
    LearnedTrees trees = reader.trees();
    if (trees.kinds.empty() && diagnostics.ok())
        diagnostics.error({std::make_shared<const std::string>(file), 1, 1}, "", "no kinds of kernels");
    return trees;
}

void find_trees(LearnedSpec& learned, const config::Node& map, Diagnostics& diagnostics) {
    const config::Node* name = map.is_map() ? map.find("trees") : nullptr;
    if (name == nullptr || learned.trees_file.empty()) return;  // reported already
    namespace fs = std::filesystem;
    const fs::path beside = name->location().file ? fs::path(*name->location().file).parent_path() : "";
    const std::string path = (beside / learned.trees_file).string();
    std::error_code error;
    if (fs::is_regular_file(path, error)) {
        learned.trees = std::make_shared<const TreeFile>(path);
    } else {
        diagnostics.error(name->location(), name->path(), fmt::format("no file {}", path));
    }
}

}  // namespace dse::hardware
