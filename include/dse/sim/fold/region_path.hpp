#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/operator_view.hpp"
#include "dse/sim/parts.hpp"

namespace dse::sim::fold {

/// Inputs of a region (the stage's streams, then its ports), as bits.
struct InputSet {
    std::array<std::uint64_t, 2> bits{};

    void add(std::size_t input) { bits[input / 64] |= std::uint64_t{1} << input % 64; }
    [[nodiscard]] bool contains(std::size_t input) const {
        return (bits[input / 64] >> input % 64 & 1U) != 0;
    }
    [[nodiscard]] bool is_only(std::size_t input) const {
        InputSet only;
        only.add(input);
        return *this == only;
    }
    // Faster than the comparison of the arrays, which is a call.
    friend bool operator==(const InputSet& a, const InputSet& b) {
        return a.bits[0] == b.bits[0] && a.bits[1] == b.bits[1];
    }
};

/// The critical path through one run of a region: from one of its exits (a stream or an output) back to the
/// input that it waited for.
struct RegionPath {
    static constexpr std::uint32_t no_body = std::numeric_limits<std::uint32_t>::max();
    /// A node, what kernels lose beside a node, or the path through the body of a repeat.
    struct Section {
        std::size_t item{0};     ///< of the region
        bool on_compute{false};  ///< of a node: the compute stream ran it, was held by it, or lost time to
                                 ///< it, up to there
        std::uint32_t body{no_body};  ///< number of that path
        std::uint32_t times{1};       ///< how often in a row
        double length{0};             ///< of one, up to the start of what waited for it
    };

    std::size_t input{0};
    /// From the last to the first; none if the region hands the input on as it is.
    std::vector<Section> sections;
    double length{0};  ///< of all sections
    Parts parts;       ///< likewise
    double behind{0};  ///< how long the last node runs on after the exit
};

/// The paths through the regions of one graph. Which input an exit waited for follows from the region's
/// operator: the one with the largest sum. The nodes between the two do not depend on inputs that arrive too
/// early for that, nor on when the region was entered: a path is found once for each exit and each set of
/// inputs with the largest sum, which are several if they tie, and kept for as long as none of the region's
/// times changes (docs/theory/folding.md). Iterations of a repeat are skipped once each is like the one
/// before.
class RegionPaths {
  public:
    /// The arguments must outlive the evaluation.
    /// \param operators  for these durations
    void reset(const graph::Graph& graph, const Durations& durations, const OperatorView& operators);

    /// \param exit    number of the streams, and then of the region's outputs; not absent
    /// \param inputs  the stage's streams, then the region's ports
    /// \return valid until reset()
    const RegionPath& find(graph::RegionId region, std::uint32_t program, std::size_t exit,
                           std::span<const double> inputs) {
        return paths_[number_of(region, program, exit, inputs, 0)];
    }
    /// The inputs that an exit waited for.
    InputSet last_inputs(graph::RegionId region, std::uint32_t program, std::size_t exit,
                         std::span<const double> inputs);

    /// \param number  Section::body
    [[nodiscard]] const RegionPath& at(std::uint32_t number) const { return paths_[number]; }

    /// Number of paths that are kept.
    [[nodiscard]] std::size_t count() const { return count_; }

  private:
    /// Who makes a time what it is, inside a region.
    struct Origin {
        enum class Kind : std::uint8_t { input, node, repeat };
        Kind kind{Kind::input};
        std::uint32_t number{0};  ///< of the input, the node or the repeat
        std::uint32_t exit{0};    ///< of a repeat
    };
    struct Flow {
        double time{absent};
        Origin from;
        bool of_compute{false};  ///< the compute stream, or a value of a node on it
    };
    struct Node {
        std::size_t item{0};
        double start{0};
        Flow last;            ///< the last-arriving predecessor, by the rule that Parts states
        bool is_loss{false};  ///< stands for NodeTime::lost
    };
    /// The runs of a body, with the state (streams, then ports) before each.
    struct Repeat {
        std::size_t item{0};
        graph::RegionId body;
        std::int64_t count{0};
        std::vector<Flow> entry;
        std::vector<double> states;        ///< before the first runs, one after the other
        std::int64_t known{0};             ///< number of states; in further ones
        double shift{0};                   ///< everything that moves is so much later than in the one before
        std::vector<std::uint8_t> moving;  ///< by stream and port
    };
    /// A region whose path is being found.
    struct Frame {
        std::vector<Flow> streams;
        std::vector<Flow> ports;
        std::vector<Flow> values;
        std::vector<std::size_t> first_value_of;  // by item
        std::vector<Node> nodes;
        std::vector<Repeat> repeats;  // the first repeat_count; the memory of the others is reused
        std::size_t repeat_count{0};
        std::vector<double> state;
    };
    struct Key {
        std::size_t exit{0};
        InputSet last;
        std::uint32_t path{0};
    };
    std::uint32_t number_of(graph::RegionId region, std::uint32_t program, std::size_t exit,
                            std::span<const double> inputs, std::size_t depth);
    std::uint32_t build(graph::RegionId region, std::uint32_t program, std::size_t exit, const InputSet& last,
                        std::span<const double> inputs, std::size_t depth);
    void forget();

    static const Flow& flow_of(graph::ValueRef value, const Frame& frame);
    void play(const graph::Region& region, std::uint32_t program, Frame& frame);
    void play_node(const graph::Region& region, std::size_t item, Frame& frame) const;
    void play_repeat(const graph::Region& region, std::size_t item, std::uint32_t program, Frame& frame);
    void run_bodies(std::uint32_t program, Repeat& repeat);
    static void read_state(const Repeat& repeat, std::int64_t run, std::vector<double>& state);
    void follow(const graph::Region& region, const Flow& exit, std::uint32_t program, std::size_t depth,
                std::uint32_t number);
    std::size_t follow_repeat(const Origin& from, std::uint32_t program, std::size_t depth,
                              std::uint32_t number);
    static void append(RegionPath& path, const RegionPath::Section& section);

    const graph::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    std::optional<OperatorView> operators_;
    std::uint64_t generation_{0};         // of the operators
    std::vector<std::vector<Key>> keys_;  // by number of the operator
    std::deque<RegionPath> paths_;        // the first count_; the memory of the others is reused
    std::size_t count_{0};
    std::vector<Frame> frames_;  // by depth of nesting
};

}  // namespace dse::sim::fold
