#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dse::synth {

enum class Kind : std::uint8_t { compute, collective, send, receive, load, store };
std::string_view name(Kind kind);

/// Position of a communication's group among the ranks of its job.
enum class Role : std::uint8_t {
    none,
    near,  ///< adjacent ranks, as in tensor parallelism
    far,   ///< ranks with a stride, as in data parallelism
    ring,  ///< peer of a message
    all,   ///< all ranks of the job
};
std::string_view name(Role role);

/// What a node is, except for its sizes.
struct Label {
    Kind kind{Kind::compute};
    Role role{Role::none};
    /// Operator class of a kernel ("gemm"), kind of a collective ("all_reduce"); may be empty.
    std::string operation;

    friend auto operator<=>(const Label&, const Label&) = default;
};
/// For example "compute gemm" or "collective all_reduce near".
std::string to_string(const Label& label);
/// Name in operator lists: a number if it is one there ("18"), else as to_string().
std::string name_in_lists(const Label& label);

/// Numbered labels.
class Vocabulary {
  public:
    /// Number of a label, which is added if it is new.
    std::uint16_t add(const Label& label);
    [[nodiscard]] const Label& operator[](std::size_t number) const { return labels_[number]; }
    [[nodiscard]] std::size_t size() const { return labels_.size(); }

  private:
    std::vector<Label> labels_;
    std::map<Label, std::uint16_t> numbers_;
};

enum class Quantity : std::uint8_t { flops, bytes, message };
inline constexpr std::size_t quantity_count = 3;
using Volumes = std::array<double, quantity_count>;  ///< FLOP, bytes of device memory, bytes communicated

/// A node of a small graph, which represents all executions of a block.
struct Node {
    std::uint16_t label{0};
    Volumes volumes{};                   ///< per execution
    std::vector<std::uint32_t> parents;  ///< ascending, each below the node's own index
};

/// Conditions of a job; 0 if unknown.
struct Conditions {
    std::int64_t devices{1};
    std::int64_t near{1};  ///< ranks in a group of Role::near
    std::int64_t ring{1};  ///< ranks along which messages are sent
    std::int64_t batch{0};
    std::int64_t sequence{0};

    friend bool operator==(const Conditions&, const Conditions&) = default;
};

/// The folded program of one rank of a job. The layer of a node is the length of its longest path from the
/// start. Every node outside the first layer has a parent in the previous layer.
struct SmallGraph {
    Conditions conditions;
    std::vector<Node> nodes;                 ///< by layer
    std::vector<std::uint32_t> layer_begin;  ///< first node of each layer, plus the total number of nodes
    std::vector<std::int64_t> repeats;       ///< by layer: number of executions of its nodes

    [[nodiscard]] std::size_t layers() const { return repeats.size(); }
    [[nodiscard]] std::size_t layer_size(std::size_t layer) const {
        return layer_begin[layer + 1] - layer_begin[layer];
    }
    [[nodiscard]] std::size_t edges() const;
    /// Layer of each node.
    [[nodiscard]] std::vector<std::uint32_t> layer_of() const;
};

/// Maximum number of nodes of a folded graph.
inline constexpr std::size_t most_nodes = 400;

/// Graphs with a common vocabulary.
struct Corpus {
    Vocabulary labels;
    std::vector<SmallGraph> graphs;
    std::vector<std::string> names;  ///< of each graph, for display
};

/// Assigns nodes, given in topological order, to layers by their longest paths.
/// \param repeats  by node. Nodes with different counts are in different layers: after a change of count all
///                 nodes are in later layers than those before it, and get a parent in the previous layer if
///                 they have none.
SmallGraph layered(const Conditions& conditions, std::vector<Node> nodes,
                   const std::vector<std::int64_t>& repeats);

/// Whether a graph satisfies the invariants of SmallGraph.
bool is_valid(const SmallGraph& graph);

/// Bins of volumes, a quarter of an octave wide: 0 for none, else from 1.
inline constexpr int bins_per_octave = 4;
int bin_of(double volume);
/// The volume at position `sixteenth` of a bin, rounded to an integer. \pre bin >= 0, sixteenth < 16
double volume_in(int bin, int sixteenth);
/// Position of a volume in its bin, in sixteenths.
int sixteenth_of(double volume);

}  // namespace dse::synth
