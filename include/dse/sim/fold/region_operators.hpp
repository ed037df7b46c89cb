#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/abreast.hpp"
#include "dse/sim/fold/max_plus.hpp"
#include "dse/sim/fold/node_rows.hpp"
#include "dse/sim/fold/operator_index.hpp"
#include "dse/sim/fold/region_table.hpp"

namespace dse::sim::fold {

/// Layout for one evaluation: the numbers of a row are contiguous and padded to whole pairs.
struct Alone {
    static constexpr std::size_t evaluations = 1;
    static constexpr bool keeps_operators = false;
    static std::size_t width(std::size_t inputs) { return padded(inputs); }
    static void combine(double* out, const double* row, const double* const* rows, std::size_t count,
                        std::size_t width) {
        fold::combine(out, row, rows, count, width);
    }
    static void issue(const NodeRows& rows, const WorkTimes<1>& times);
    static void delay(double* row, std::size_t width, const std::array<double, 1>& by);
};

/// Layout for several evaluations: the numbers of one column are adjacent.
struct Abreast {
    static constexpr std::size_t evaluations = abreast;
    /// Whether operators of earlier graphs are kept for regions that are equal in everything that matters.
    static constexpr bool keeps_operators = true;
    static std::size_t width(std::size_t inputs) { return inputs * abreast; }
    static void combine(double* out, const double* row, const double* const* rows, std::size_t count,
                        std::size_t width) {
        combine_abreast(out, row, rows, count, width);
    }
    static void issue(const NodeRows& rows, const WorkTimes<abreast>& times) { issue_abreast(rows, times); }
    static void delay(double* row, std::size_t width, const std::array<double, abreast>& by) {
        delay_abreast(row, width, by);
    }
};

/// The regions of one graph as operators from (times at which all streams are free, ports) to (times at which
/// all streams are free, outputs). Each region is built once, however often and on whichever stages it runs;
/// a body that is repeated n times is its n-th power, by squaring. Operators of several evaluations have one
/// number per evaluation in each entry: Operator counts inputs and outputs, and Side defines the width of a
/// row.
/// \tparam Side  Alone or Abreast
template <class Side>
class OperatorsOf {
  public:
    /// Durations of each evaluation; they need not outlive the call.
    using AllDurations = std::array<const Durations*, Side::evaluations>;

    /// Starts new evaluations; graph and table must outlive them.
    void reset(const graph::Graph& graph, const AllDurations& durations, const RegionTable& table);

    /// Continues with other durations of the same graph. Regions in which no time differs are kept.
    void change(const AllDurations& durations);

    /// The operator of a region. Invalidates pointers into the pool.
    const Operator& of(graph::RegionId region, std::uint32_t program);

    /// Number of the operator of a region, which stays as long as none of the region's times changes. Numbers
    /// are never reused until generation() changes.
    std::uint32_t number_of(graph::RegionId region, std::uint32_t program) {
        return use(region, program).number;
    }
    /// Whether the operator of a region has the same numbers in all evaluations, because its times have.
    bool is_alike(graph::RegionId region, std::uint32_t program);
    /// Changes when operators are forgotten.
    [[nodiscard]] std::uint64_t generation() const { return generation_; }

    /// The same operator stored by columns, for applying it: column j has padded(outputs) numbers per
    /// evaluation and starts at offset + j times that. Invalidates pointers into the pool.
    /// \return offset in the pool
    std::size_t columns_of(graph::RegionId region, std::uint32_t program);

    /// The body repeated `count` times, count >= 1. Invalidates pointers into the pool.
    const Operator& power(graph::RegionId body, std::uint32_t program, std::int64_t count);

    /// Streams that the nodes of the region use or block, as bits.
    std::uint64_t streams_of(graph::RegionId region, std::uint32_t program);

    [[nodiscard]] const NumberPool& pool() const { return pool_; }
    [[nodiscard]] std::uint64_t node_visits() const { return node_visits_; }

  private:
    struct Power {
        std::int64_t count{0};
        Operator result;
    };
    /// A region's current operator.
    struct Use {
        bool known{false};
        std::uint32_t number{0};      ///< index into entries_
        std::uint64_t since{0};       ///< value of changes_ when it became the region's operator
        std::uint64_t checked_at{0};  ///< value of changes_ when it was last found up to date
    };
    struct Entry {
        bool has_columns{false};
        std::optional<bool> is_alike;  // not yet known: nothing
        Operator rows;
        std::size_t columns{0};
        std::uint64_t streams{0};
        std::size_t squares_built{0};
        std::vector<Operator> squares;  // [k]: 2^k times; the first squares_built are of this operator
        std::size_t powers_built{0};
        std::vector<Power> powers;
    };

    using Times = WorkTimes<Side::evaluations>;

    static Times times_of(const AllDurations& durations, std::size_t work);
    Use& use(graph::RegionId region, std::uint32_t program);
    Entry& entry(graph::RegionId region, std::uint32_t program) {
        return entries_[use(region, program).number];
    }
    bool is_as_before(const graph::Region& region, std::uint32_t program, const Use& used);
    std::uint32_t find_or_build(const graph::Region& region, std::uint32_t program);
    void read_key(const graph::Region& region, std::uint32_t program);
    std::uint32_t build(const graph::Region& region, std::uint32_t program);
    void forget_operators();
    void build_bodies(const graph::Region& region, std::uint32_t program);
    void start_rows(std::size_t ports, std::size_t rows);
    void play_node(const graph::Item& item, double* value, Entry& result);
    void play_repeat(const graph::Item& item, std::uint32_t program, std::size_t first_row, Entry& result);
    void finish_rows(const graph::Region& region, Entry& result);
    const Operator& square(Entry& body, std::size_t k);
    Operator product(const Operator& after, const Operator& before);

    static std::size_t size_of(const Operator& rows) { return rows.outputs * Side::width(rows.inputs); }
    [[nodiscard]] double* row(std::size_t i) { return scratch_.data() + i * width_; }
    [[nodiscard]] const double* row(graph::ValueRef value);

    const graph::Graph* graph_{nullptr};
    const RegionTable* table_{nullptr};
    NumberPool pool_;
    std::vector<Use> uses_;  // by slot
    std::vector<Entry> entries_;
    std::size_t entries_built_{0};  // the memory of the others is reused
    OperatorKey key_;
    OperatorIndex index_;
    std::uint64_t generation_{1};
    std::uint64_t node_visits_{0};
    std::uint64_t changes_{0};
    std::vector<Times> times_;               // by work
    std::vector<std::uint64_t> changed_at_;  // by work

    // The region under construction: rows of streams, ports, values of items, and one absent row.
    std::size_t streams_{0};
    std::size_t width_{0};
    std::size_t absent_row_{0};
    std::vector<double> scratch_;
    std::vector<std::size_t> first_row_of_;  // by item
    std::vector<const double*> operands_;
};

extern template class OperatorsOf<Alone>;
extern template class OperatorsOf<Abreast>;

using RegionOperators = OperatorsOf<Alone>;
using AbreastOperators = OperatorsOf<Abreast>;

}  // namespace dse::sim::fold
