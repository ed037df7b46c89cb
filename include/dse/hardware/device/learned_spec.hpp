#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/library.hpp"
#include "dse/hardware/device/vector_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Regression trees whose answers add up.
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
    double bias_{0.0};
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> roots_;
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
    std::shared_ptr<const std::map<std::string, TreeEnsemble>> kinds;  ///< nullptr: no trees
    VectorSpec vector;                                                 ///< element-wise kernels
};

Problems problems_of(const LearnedSpec& learned);

/// What is wrong in the file goes to `diagnostics`, line by line.
std::map<std::string, TreeEnsemble> read_trees(const std::string& file, config::Diagnostics& diagnostics);

/// Trees of `learned.trees_file`, a path relative to the file that names it. \param map  what the rest was
/// read from
void load_trees(LearnedSpec& learned, const config::Node& map, config::Diagnostics& diagnostics);

template <class Visitor>
void describe(Visitor& v, LearnedSpec& learned) {
    v.required("name", learned.name, "for people");
    v.required("source", learned.source, "who measured, with what software, and who fitted");
    v.optional("multiprocessors", learned.multiprocessors, config::not_negative, "of the device");
    v.optional("cache", learned.cache, config::not_negative, "its level 2");
    v.optional("trees", learned.trees_file, "file of regression trees");
    v.optional_section("vector", learned.vector, "element-wise kernels on vectors with lanes");
    check_after_reading(v, learned);
    if constexpr (requires { v.diagnostics(); }) load_trees(learned, v.node(), v.diagnostics());
}

}  // namespace dse::hardware
