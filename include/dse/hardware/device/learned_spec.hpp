#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/library.hpp"
#include "dse/hardware/device/cost_sums.hpp"
#include "dse/hardware/device/vector_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// A sum of regression trees. Several trees are evaluated at once and without branches that depend on
/// features: one at a time, the processor would wait for each comparison. Nodes take 8 bytes, so that the
/// trees of a kind remain in the cache. Features are compared in single precision.
class TreeEnsemble {
  public:
    static constexpr std::size_t most_features = 32;

    struct Node {
        float value;           ///< a leaf's contribution to the sum, or a threshold
        std::int16_t feature;  ///< -1: this node is a leaf
        std::uint16_t right;  ///< index within the tree of the node to take above the threshold; below it the
                              ///< next node is taken
    };

    void set_bias(double bias) { bias_ = bias; }
    /// \param features  how many it was fitted with, as its file says
    void set_feature_count(std::size_t features) { feature_count_ = features; }
    [[nodiscard]] std::size_t feature_count() const { return feature_count_; }
    /// Adds a tree. \param nodes  in preorder; `right` is relative to the first of them
    void add(std::span<const Node> nodes);

    [[nodiscard]] bool empty() const { return roots_.empty(); }
    /// \param features  at least as many as the ensemble was fitted with, at most `most_features`
    [[nodiscard]] double operator()(std::span<const double> features) const;

  private:
    /// Moves on by `step` nodes if the feature is above the threshold, else by one. A leaf holds its value as
    /// threshold of a feature that is infinite, and does not move.
    struct Fork {
        float threshold;
        std::uint16_t feature;
        std::uint16_t step;
    };
    static constexpr std::size_t side_by_side = 8;

    double bias_{0.0};
    std::size_t feature_count_{0};
    std::vector<Fork> forks_;
    std::vector<std::uint32_t> roots_;
    std::vector<std::uint32_t> depths_;  ///< by tree
};

/// What is learned of a kind of kernel.
struct LearnedKind {
    TreeEnsemble trees;
    /// What the trees correct; empty: the analytical estimate.
    CostSums sums;
    /// Releases that it was fitted to, by library, where they are not those of LearnedSpec::releases.
    std::map<std::string, std::string, std::less<>> releases;
    /// Logarithm of the analytical estimate of the largest kernel measured [s]. Beyond it corrections fade.
    double largest{std::numeric_limits<double>::infinity()};
};

/// A release of a library that was measured beside the one that a kind's own trees stand for.
struct MeasuredRelease {
    int number;  ///< feature of the trees, and place of its families of costs
    std::string library;
    std::string release;
};

/// Contents of a file of trees. The trees and costs of all `releases` of a kind are under KIND_releases.
struct LearnedTrees {
    std::map<std::string, LearnedKind> kinds;
    std::vector<MeasuredRelease> releases;
};

/// A file of trees that is read on first use, since most uses of a device do not need it.
class TreeFile {
  public:
    explicit TreeFile(std::string path) : path_{std::move(path)} {}
    /// Without a file. \param kinds  what is learned, by kind
    explicit TreeFile(std::map<std::string, LearnedKind> kinds, std::vector<MeasuredRelease> releases = {})
        : trees_{std::move(kinds), std::move(releases)} {}

    /// \throws InputError with all errors of the file, on first use
    [[nodiscard]] const std::map<std::string, LearnedKind>& kinds() const { return trees().kinds; }
    [[nodiscard]] const std::vector<MeasuredRelease>& releases() const { return trees().releases; }
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Runs a check of the contents, which is the same for all devices, unless one has passed before: devices
    /// are made anew for each point, and share a file.
    /// \throws what the check throws
    void check_once(void (*check)(const TreeFile&)) const { std::call_once(checked_, check, *this); }

  private:
    const LearnedTrees& trees() const;

    std::string path_;  ///< empty: there is no file
    mutable std::once_flag once_;
    mutable std::once_flag checked_;
    mutable LearnedTrees trees_;
};

/// The release of each library that a kernel without one is of: in TensorRT-LLM and vLLM that of the trees of
/// its kind, in SGLang one of the measured releases.
struct LearnedReleases {
    std::string trtllm;
    std::string vllm;
    std::string sglang;
};

template <class Visitor>
void describe(Visitor& v, LearnedReleases& releases) {
    v.optional("trtllm", releases.trtllm, "of TensorRT-LLM");
    v.optional("vllm", releases.vllm, "of vLLM");
    v.optional("sglang", releases.sglang, "of SGLang");
}

/// Learned models of a device's kernels, from the file of hardware/learned with the name of the device. For
/// each kind they give the logarithm of the factor by which a kernel's time exceeds a sum of costs, or the
/// analytical estimate if there is no such sum (model::KernelFeatures), and, for some kinds, under
/// KIND_power, the logarithm of its power as a share of the device's power limit. Made by
/// analysis/dse_analysis/fit_kernels.py: a YAML file that names the source of the measurements, and a file of
/// trees with the lines
///
///     kind NAME FEATURES BIAS
///     largest LOGARITHM       of the analytical estimate of the largest kernel measured
///     own LIBRARY RELEASE     of its kernels, if it is not the one that LearnedSpec::releases says
///     costs FAMILY W W …      weights of a family's costs; family -1: of all others
///     tree NODE NODE …        in preorder: FEATURE:THRESHOLD, or a leaf's value in 1e-4
///     release NUMBER LIBRARY RELEASE    one of those that the kinds KIND_releases were fitted to
struct LearnedSpec {
    std::string name;
    std::string source;
    double multiprocessors{0};  ///< 0: the device has none, and no trees
    Bytes cache;                ///< size of the level-2 cache
    double capability{9.0};     ///< NVIDIA's compute capability
    Seconds cycle;              ///< of a multiprocessor's clock, at its boost rate
    double memory_share{1.0};   ///< of the datasheet's bandwidth, what error correction in the memory leaves
    LearnedReleases releases;
    std::string trees_file;
    std::shared_ptr<const TreeFile> trees;  ///< nullptr: there are none
    VectorSpec vector;                      ///< element-wise kernels

    [[nodiscard]] bool before_hopper() const { return capability < 9.0; }
    /// Whether tensor cores take operands from the registers of a warp (mma.sync), as before Hopper and, of
    /// later GPUs, in those of capability 12 (NVIDIA CUDA C++ programming guide): libraries run the same
    /// kernels on all of these.
    [[nodiscard]] bool warp_products() const { return capability < 9.0 || capability >= 12.0; }
};

Problems problems_of(const LearnedSpec& learned);

/// Errors of the file go to `diagnostics`, line by line.
LearnedTrees read_trees(const std::string& file, config::Diagnostics& diagnostics);

/// Resolves `learned.trees_file`, a path relative to the file that names it.
/// \param map  the node from which `learned` was read
void find_trees(LearnedSpec& learned, const config::Node& map, config::Diagnostics& diagnostics);

template <class Visitor>
void describe(Visitor& v, LearnedSpec& learned) {
    v.required("name", learned.name, "name for display");
    v.required("source", learned.source, "who measured, with what software, and who fitted");
    v.optional("multiprocessors", learned.multiprocessors, config::not_negative,
               "number of multiprocessors of the device");
    v.optional("cache", learned.cache, config::not_negative, "size of the level-2 cache");
    v.optional("capability", learned.capability, config::not_negative, "NVIDIA's compute capability");
    v.optional("cycle", learned.cycle, config::between(0, 1e-3),
               "duration of a clock cycle, at the boost clock; trees need it");
    v.optional("memory_share", learned.memory_share, config::between(0.5, 1),
               "share of the datasheet's bandwidth that error correction leaves, where its codes are in the "
               "memory itself");
    v.optional_section("releases", learned.releases, "releases of libraries, where a kernel states none");
    v.optional("trees", learned.trees_file, "file of regression trees");
    v.optional_section("vector", learned.vector, "element-wise kernels on vectors with lanes");
    check_after_reading(v, learned);
    if constexpr (requires { v.diagnostics(); }) find_trees(learned, v.node(), v.diagnostics());
}

}  // namespace dse::hardware
