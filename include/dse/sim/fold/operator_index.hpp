#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/fold/node_rows.hpp"

namespace dse::sim::fold {

/// Everything that the operator of a region follows from: how its items depend on each other, their times,
/// and which operators it repeats how often; and what else the paths through it follow from (RegionPaths): to
/// what Parts charges each item. Names and buffers are not part of it.
class OperatorKey {
  public:
    void start(const graph::Region& region, std::size_t streams);
    /// \param work   of the node
    /// \param times  likewise
    template <std::size_t evaluations>
    void add_node(const graph::Item& item, const graph::Work& work, const WorkTimes<evaluations>& times) {
        if (times.is_one_time()) {
            add_node(item, work, std::span{times.duration}.first(1));
        } else {
            // Few lose time: shorter keys are hashed in less time.
            const std::size_t kinds = times.loses() ? 4 : 3;
            add_node(item, work, std::span<const double>{times.all()}.first(kinds * evaluations));
        }
    }
    /// \param body  number of the body's operator
    void add_repeat(const graph::Item& item, std::int64_t count, std::uint32_t body);

    [[nodiscard]] std::span<const std::uint64_t> numbers() const { return numbers_; }

  private:
    void add_node(const graph::Item& item, const graph::Work& work, std::span<const double> times);
    void add(std::span<const graph::ValueRef> values);

    std::vector<std::uint64_t> numbers_;
};

/// Numbers of operators by their keys. Layouts that are evaluated one after the other share most operators,
/// whether or not they share their graph.
class OperatorIndex {
  public:
    [[nodiscard]] std::optional<std::uint32_t> find(const OperatorKey& key) const;

    void add(const OperatorKey& key, std::uint32_t number);

    void clear();

  private:
    struct Place {
        std::size_t offset{0};  ///< of the key, in keys_
        std::size_t size{0};
        std::uint32_t number{0};
    };
    std::unordered_map<std::uint64_t, Place> places_;
    std::vector<std::uint64_t> keys_;
};

}  // namespace dse::sim::fold
