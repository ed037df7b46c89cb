#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/entry_use.hpp"
#include "dse/sim/fold/max_plus.hpp"
#include "dse/sim/fold/region_table.hpp"
#include "dse/sim/parts.hpp"

namespace dse::sim::fold {

/// Who makes a time what it is: a node of a region, or one of the region's inputs, which are the stage's
/// streams and then its ports.
class Origin {
  public:
    static Origin node(std::size_t number) { return Origin{static_cast<std::int32_t>(number)}; }
    static Origin input(std::size_t number) { return Origin{-1 - static_cast<std::int32_t>(number)}; }
    [[nodiscard]] bool is_node() const { return code_ >= 0; }
    [[nodiscard]] std::size_t number() const {
        return static_cast<std::size_t>(code_ >= 0 ? code_ : -1 - code_);
    }
    Origin() = default;

  private:
    explicit Origin(std::int32_t code) : code_{code} {}
    std::int32_t code_{-1};
};

/// When a stream is free or a value is there.
struct Flow {
    double time{absent};
    Origin from;
};

/// The nodes of one region, repeats unrolled, entered in one state; times are against `base`.
struct RegionListing {
    struct Node {
        graph::WorkId work;
        double start{0};
        Origin last;  ///< the last-arriving predecessor, by the rule that Parts states
    };
    std::vector<Node> nodes;
    std::vector<Flow> streams;  ///< when it is left
    std::vector<Flow> outputs;

    /// The chain that ends with an exit, without its last node.
    struct Chain {
        bool built{false};
        Parts parts;      ///< from the first node's start to the last one's
        double start{0};  ///< of the first node
        Origin before;    ///< an input
    };
    std::vector<Chain> chains;  ///< by exit: streams, then outputs
};

/// Listings of one graph's regions by the state in which they are entered: of each region the latest few are
/// kept, for as long as none of its times changes.
class RegionListings {
  public:
    /// The arguments must outlive the evaluation.
    void reset(const graph::Graph& graph, const Durations& durations, const RegionTable& table);

    /// A listing, and where and how it was entered.
    struct Entered {
        RegionListing* listing{nullptr};
        double base{0};
        /// Of the stage's streams and ports: whom the first kernel waits for, where it is not for its stream.
        std::size_t compute{0};
    };
    /// \param inputs  the stage's streams, then the region's ports. The result is good until the next call.
    Entered enter(graph::RegionId region, std::uint32_t program, std::span<const double> inputs);

    /// Of an exit whose last node there is.
    const RegionListing::Chain& chain(RegionListing& listing, std::size_t exit) const;

  private:
    static constexpr std::size_t capacity = 32;
    struct Kept {
        std::vector<double> key;
        RegionListing listing;
    };
    struct Slot {
        std::uint64_t since{0};  ///< EntryUse::since of those that are kept
        std::size_t count{0};    ///< so far
        std::vector<Kept> kept;
    };
    /// Of one region that is being listed, or of a repeat's body inside it.
    struct Frame {
        std::vector<std::size_t> first_value_of;
        std::vector<Flow> values;
        std::vector<Flow> ports;
        std::vector<Flow> outputs;
    };

    void make_key(const EntryUse& use, double base, std::span<const double> inputs);
    void list(graph::RegionId region, std::uint32_t program, Kept& kept);
    void list_items(const graph::Region& region, std::uint32_t program, std::size_t depth,
                    std::span<const Flow> ports, std::vector<Flow>& outputs, RegionListing& listing);
    void list_node(const graph::Item& item, std::span<const Flow> ports, Frame& frame,
                   RegionListing& listing) const;

    const graph::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    const RegionTable* table_{nullptr};
    EntryUses uses_;
    std::vector<Slot> slots_;
    std::vector<double> key_;
    std::vector<Frame> frames_;  // by depth of nesting
    std::vector<Flow> ports_;
};

}  // namespace dse::sim::fold
