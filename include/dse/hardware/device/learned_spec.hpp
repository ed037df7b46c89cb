#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/library.hpp"
#include "dse/hardware/device/vector_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Regression trees whose answers add up. Several are walked side by side, without a branch that depends on a
/// feature: one after the other the processor would wait for each comparison.
class TreeEnsemble {
  public:
    struct Node {
        float value;           ///< of a leaf its share of the answer, else the threshold
        std::int16_t feature;  ///< -1: a leaf
        std::uint16_t right;   ///< node above the threshold, from the tree's first; below it: the next one
    };

    void set_bias(double bias) { bias_ = bias; }
    /// A tree in preorder. \param nodes  whose `right` counts from the first of them
    void add(std::span<const Node> nodes);

    [[nodiscard]] bool empty() const { return roots_.empty(); }
    /// \param features  as many as the ensemble was made for
    [[nodiscard]] double operator()(std::span<const double> features) const;

  private:
    /// `step` onward where the feature is above the threshold, else one; a leaf stays where it is.
    struct Fork {
        double threshold;
        std::uint32_t feature;
        std::uint32_t step;
    };
    static constexpr std::size_t side_by_side = 8;

    double bias_{0.0};
    std::vector<Fork> forks_;
    std::vector<double> values_;  ///< of leaves, by fork
    std::vector<std::uint32_t> roots_;
    std::vector<std::uint32_t> depths_;  ///< by tree
};

/// A file of trees, read when somebody asks for them: most who name a device do not.
class TreeFile {
  public:
    explicit TreeFile(std::string path) : path_{std::move(path)} {}
    /// Of no file. \param kinds  what it would hold
    explicit TreeFile(std::map<std::string, TreeEnsemble> kinds) : kinds_{std::move(kinds)} {}

    /// \throws InputError with every error of the file, the first time
    [[nodiscard]] const std::map<std::string, TreeEnsemble>& kinds() const;

  private:
    std::string path_;  ///< empty: of no file
    mutable std::once_flag once_;
    mutable std::map<std::string, TreeEnsemble> kinds_;
};

/// What was learned of a device's kernels, a file of hardware/learned named like the device's: for each kind
/// the logarithm of the factor by which a kernel exceeds the model's bare form (model::KernelFeatures), and
/// for some kinds, under KIND_power, the logarithm of the share of the device's power limit that it draws.
/// Made by analysis/dse_analysis/fit_kernels.py: a YAML file that says where the measurements come from, and
/// beside it a file of lines
///
///     kind NAME FEATURES BIAS
///     tree NODE NODE …        in preorder: FEATURE:THRESHOLD, or a leaf's value in 1e-4
struct LearnedSpec {
    std::string name;
    std::string source;
    double multiprocessors{0};  ///< 0: it has none, and no trees
    Bytes cache;                ///< level 2
    std::string trees_file;
    std::shared_ptr<const TreeFile> trees;  ///< nullptr: none
    VectorSpec vector;                      ///< element-wise kernels
};

Problems problems_of(const LearnedSpec& learned);

/// What is wrong in the file goes to `diagnostics`, line by line.
std::map<std::string, TreeEnsemble> read_trees(const std::string& file, config::Diagnostics& diagnostics);

/// Finds `learned.trees_file`, a path relative to the file that names it. \param map  what the rest was read
/// from
void find_trees(LearnedSpec& learned, const config::Node& map, config::Diagnostics& diagnostics);

template <class Visitor>
void describe(Visitor& v, LearnedSpec& learned) {
    v.required("name", learned.name, "for people");
    v.required("source", learned.source, "who measured, with what software, and who fitted");
    v.optional("multiprocessors", learned.multiprocessors, config::not_negative, "of the device");
    v.optional("cache", learned.cache, config::not_negative, "its level 2");
    v.optional("trees", learned.trees_file, "file of regression trees");
    v.optional_section("vector", learned.vector, "element-wise kernels on vectors with lanes");
    check_after_reading(v, learned);
    if constexpr (requires { v.diagnostics(); }) find_trees(learned, v.node(), v.diagnostics());
}

}  // namespace dse::hardware
