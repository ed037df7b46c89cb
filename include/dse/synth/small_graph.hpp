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

/// What the group of a communication is among the ranks of its job.
enum class Role : std::uint8_t {
    none,
    near,  ///< neighbours in rank numbers, as tensor parallelism has them
    far,   ///< ranks some stride apart, as data parallelism has them
    ring,  ///< the other end of a message
    all,   ///< the whole job
};
std::string_view name(Role role);

/// What a node is, apart from its sizes.
struct Label {
    Kind kind{Kind::compute};
    Role role{Role::none};
    /// Of a kernel its operator class ("gemm"), of a collective its kind ("all_reduce"); may be empty.
    std::string operation;

    friend auto operator<=>(const Label&, const Label&) = default;
};
/// "compute gemm", "collective all_reduce near".
std::string to_string(const Label& label);
/// As lists of operators have it: those that are numbers there, "18", and to_string() of all others.
std::string name_in_lists(const Label& label);

/// Labels by number.
class Vocabulary {
  public:
    /// The label's number, a new one where it has none yet.
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

/// A node of a small graph, which stands for all executions of a block.
struct Node {
    std::uint16_t label{0};
    Volumes volumes{};                   ///< of one execution
    std::vector<std::uint32_t> parents;  ///< ascending, each below the node's own number
};

/// What a job is known by; 0 where it is not known.
struct Conditions {
    std::int64_t devices{1};
    std::int64_t near{1};  ///< ranks of a group of Role::near
    std::int64_t ring{1};  ///< ranks along which messages travel
    std::int64_t batch{0};
    std::int64_t sequence{0};

    friend bool operator==(const Conditions&, const Conditions&) = default;
};

/// What one rank of a job runs, folded: nodes in layers, each as far from the beginning as its longest path
/// is long. A node of a layer behind the first has a parent in the layer before.
struct SmallGraph {
    Conditions conditions;
    std::vector<Node> nodes;                 ///< by layer
    std::vector<std::uint32_t> layer_begin;  ///< first node of each layer, and one behind the last node
    std::vector<std::int64_t> repeats;       ///< by layer: how often its nodes are executed

    [[nodiscard]] std::size_t layers() const { return repeats.size(); }
    [[nodiscard]] std::size_t layer_size(std::size_t layer) const {
        return layer_begin[layer + 1] - layer_begin[layer];
    }
    [[nodiscard]] std::size_t edges() const;
    /// Layer of each node.
    [[nodiscard]] std::vector<std::uint32_t> layer_of() const;
};

/// Largest number of nodes that a graph is folded to.
inline constexpr std::size_t most_nodes = 400;

/// Graphs that share a vocabulary.
struct Corpus {
    Vocabulary labels;
    std::vector<SmallGraph> graphs;
    std::vector<std::string> names;  ///< of each graph, for people
};

/// Puts nodes, given in an order in which parents stand first, into layers of their longest paths.
/// \param repeats  by node; nodes of different counts stand in different layers: behind a change of count,
/// all are in later layers than those before it, and wait, where they otherwise would not, for a node of the
/// layer before
SmallGraph layered(const Conditions& conditions, std::vector<Node> nodes,
                   const std::vector<std::int64_t>& repeats);

/// Whether a graph keeps what SmallGraph promises.
bool is_valid(const SmallGraph& graph);

/// Volumes by quarters of an octave: 0 for none, else 1 and up.
inline constexpr int bins_per_octave = 4;
int bin_of(double volume);
/// The volume at `sixteenth` of a bin, a whole number. \pre bin >= 0, sixteenth < 16
double volume_in(int bin, int sixteenth);
/// Where in its bin a volume stands, in sixteenths.
int sixteenth_of(double volume);

}  // namespace dse::synth
