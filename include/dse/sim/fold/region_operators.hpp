#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/max_plus.hpp"
#include "dse/sim/fold/region_table.hpp"

namespace dse::sim::fold {

/// The regions of one graph as operators from (ready times of all streams, ports) to (ready times of all
/// streams, outputs). Each region is built once, however often and by whomever it is played; n repeats of a
/// body are its n-th power, by squaring.
class RegionOperators {
  public:
    /// Starts a new evaluation; graph, durations and table must outlive it.
    void reset(const graph::Graph& graph, const Durations& durations, const RegionTable& table);

    /// Goes on with other durations of the same graph: regions in which no time differs stay as they are.
    void change(const Durations& durations);

    /// Ends pointers into the pool.
    const Operator& of(graph::RegionId region, std::uint32_t program);

    /// The same by columns, for applying it: column j has padded(outputs) numbers, at the offset + j times
    /// that. \return offset in the pool. Ends pointers into the pool.
    std::size_t columns_of(graph::RegionId region, std::uint32_t program);

    /// `count` times the body, count >= 1. Ends pointers into the pool.
    const Operator& power(graph::RegionId body, std::uint32_t program, std::int64_t count);

    /// Streams that the region's nodes use or hold, as bits.
    std::uint64_t streams_of(graph::RegionId region, std::uint32_t program);

    [[nodiscard]] const NumberPool& pool() const { return pool_; }
    [[nodiscard]] std::uint64_t node_visits() const { return node_visits_; }

  private:
    struct Power {
        std::int64_t count{0};
        Operator result;
    };
    struct Entry {
        bool built{false};
        bool has_columns{false};
        std::uint64_t built_at{0};    ///< numbers of changes
        std::uint64_t checked_at{0};  ///< whether that still holds
        Operator rows;
        std::size_t columns{0};
        std::uint64_t streams{0};
        std::size_t squares_built{0};
        std::vector<Operator> squares;  // [k]: 2^k times, of which squares_built are of this evaluation
        std::size_t powers_built{0};
        std::vector<Power> powers;
    };

    Entry& entry(graph::RegionId region, std::uint32_t program);
    bool is_as_built(const graph::Region& region, std::uint32_t program, const Entry& result);
    void build(const graph::Region& region, std::uint32_t program, Entry& result);
    void build_bodies(const graph::Region& region, std::uint32_t program);
    void start_rows(std::size_t ports, std::size_t rows);
    void play_node(const graph::Item& item, double* value, Entry& result);
    void play_repeat(const graph::Item& item, std::uint32_t program, std::size_t first_row, Entry& result);
    void finish_rows(const graph::Region& region, Entry& result);
    const Operator& square(Entry& body, std::size_t k);
    Operator product(const Operator& after, const Operator& before);

    [[nodiscard]] double* row(std::size_t i) { return scratch_.data() + i * width_; }
    [[nodiscard]] const double* row(graph::ValueRef value);

    const graph::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    const RegionTable* table_{nullptr};
    NumberPool pool_;
    std::vector<Entry> entries_;  // by slot
    std::uint64_t node_visits_{0};
    std::uint64_t changes_{0};
    std::vector<std::uint64_t> changed_at_;  // by work

    // Of the region under construction: rows of streams, ports, items' values, and one absent row.
    std::size_t streams_{0};
    std::size_t width_{0};
    std::size_t absent_row_{0};
    std::vector<double> scratch_;
    std::vector<std::size_t> first_row_of_;  // by item
    std::vector<const double*> operands_;
};

}  // namespace dse::sim::fold
