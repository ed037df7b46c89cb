#include "ir/partition/lookup_way.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {
namespace {

using Factors = std::vector<std::size_t>;
using Shards = std::vector<Axes>;  ///< by factor

// Rows are the result of a gather or the updates of a scatter.
constexpr std::size_t table_array = 0;
constexpr std::size_t index_array = 1;
constexpr std::size_t row_array = 2;

class LookupWay {
  public:
    LookupWay(const Relation& relation, const Slots& slots, const std::vector<const Layout*>& layouts,
              const std::array<std::size_t, 3>& arrays, const Axes& mesh)
        : relation_{relation},
          arrays_{arrays},
          gathers_{arrays[row_array] >= relation.rule().operands.size()},
          mesh_{mesh} {
        way_.stops.resize(relation.tensors.size());
        const auto shards = factor_axes(relation, layouts);
        for (const std::size_t array : {table_array, index_array, row_array}) {
            now_[array] = shards[arrays[array]];
            bytes_[array] = slots.bytes(relation.tensors[arrays[array]]);
            has_[array].assign(relation.rule().factors.size(), false);
            for (const auto& dimension : relation.factors(arrays[array]))
                for (const FactorRule::Number factor : dimension) has_[array][factor] = true;
        }
        way_.axes.resize(relation.rule().factors.size());
        const auto is_cut = [&](std::size_t f) { return is_computed_apart(relation.rule().factors[f].kind); };
        for (std::size_t f = 0; f < way_.axes.size(); ++f) {
            if (!is_cut(f)) continue;
            const auto in = [&](std::size_t array) { return has_[array][f]; };
            if (in(table_array) && in(index_array)) methods_[0].factors.push_back(f);
            if (in(table_array) && !in(index_array) && in(row_array)) methods_[1].factors.push_back(f);
            if (in(table_array) && !in(index_array) && !in(row_array)) methods_[2].factors.push_back(f);
            if (!in(table_array) && in(index_array)) methods_[3].factors.push_back(f);
        }
        methods_[3].by = index_array;
    }

    Way made() {
        if (gathers_) refine_indices();
        if (group(methods_[0]).empty() && may_take_batch_of_indices()) methods_[0].by = index_array;
        while (const Method* method = next()) take(*method);
        // Factors that no method has taken are not partitioned.
        return std::move(way_);
    }

  private:
    struct Method {
        Factors factors;
        std::size_t by{table_array};  ///< the array whose axes are used
    };
    using Cost = std::tuple<double, double>;  ///< memory, then sent bytes

    // Whether the table can be partitioned along the dimensions that it shares with the indices but is not
    // partitioned along yet.
    [[nodiscard]] bool may_take_batch_of_indices() const {
        Shards shards = now_[table_array];
        const Axes wanted = group({methods_[0].factors, index_array});
        return !wanted.empty() && use_free_axes(shards, wanted, mesh_);
    }

    // Indices that are partitioned anyway are further partitioned like the target layout of the rows, unless
    // other dimensions use these axes.
    void refine_indices() {
        Axes used;
        for (const Axes& axes : now_[index_array]) used.insert(used.end(), axes.begin(), axes.end());
        if (used.empty()) return;
        for (const std::size_t f : methods_[3].factors) {
            const Axes& wanted = now_[row_array][f];
            if (!is_prefix(now_[index_array][f], wanted)) continue;
            if (within(without(wanted, now_[index_array][f]), used).empty()) now_[index_array][f] = wanted;
        }
    }

    [[nodiscard]] const Method* next() const {
        if (!group(methods_[0]).empty()) return &methods_[0];
        const Method* best = nullptr;
        Cost least;
        for (const Method& method : methods_) {
            if (group(method).empty()) continue;
            const Cost cost = cost_of(method);
            if (best != nullptr && !(cost < least)) continue;
            best = &method;
            least = cost;
        }
        return best;
    }

    [[nodiscard]] Axes group(const Method& method) const {
        Axes axes;
        for (const std::size_t f : method.factors)
            axes.insert(axes.end(), now_[method.by][f].begin(), now_[method.by][f].end());
        return axes;
    }

    void take(const Method& method) {
        const Axes axes = group(method);
        for (const std::size_t f : method.factors) {
            way_.axes[f].insert(way_.axes[f].end(), now_[method.by][f].begin(), now_[method.by][f].end());
            way_.axes[f] = normalized(way_.axes[f]);
            for (Shards& shards : now_) shards[f].clear();
        }
        mesh_ = without(mesh_, axes);
        if (&method == &methods_[1] || &method == &methods_[3]) keep_rows(method, axes);
        for (const std::size_t array : {table_array, index_array, row_array}) {
            free_group(array, axes);
            stop(array);
        }
        if (&method == &methods_[2]) agree_on_rows();
    }

    // Rows keep their remaining target layout if it does not contradict the group's.
    void keep_rows(const Method& method, const Axes& group) {
        Shards& shards = now_[row_array];
        const bool fit = std::all_of(shards.begin(), shards.end(),
                                     [&group](const Axes& axes) { return within(axes, group).empty(); });
        if (fit && (gathers_ || &method == &methods_[1])) return;
        for (Axes& axes : shards) axes.clear();
    }

    // All devices of the group get the same data of each array: partitioned along other axes, or without the
    // dimensions that are given up first.
    void free_group(std::size_t array, const Axes& group) {
        Shards& shards = now_[array];
        const auto overlaps = [&group](const Axes& axes) { return !within(axes, group).empty(); };
        if (std::none_of(shards.begin(), shards.end(), overlaps)) return;
        Axes devices = mesh_;
        devices.insert(devices.end(), group.begin(), group.end());
        for (const std::size_t method : {std::size_t{2}, std::size_t{3}, std::size_t{1}, std::size_t{0}}) {
            if (use_free_axes(shards, group, devices)) return;
            for (const std::size_t f : methods_[method].factors) shards[f].clear();
        }
    }

    // Records the intermediate layout of an array.
    void stop(std::size_t array) {
        Shards shards = way_.axes;
        for (std::size_t f = 0; f < shards.size(); ++f) {
            shards[f].insert(shards[f].end(), now_[array][f].begin(), now_[array][f].end());
            shards[f] = normalized(shards[f]);
        }
        const std::size_t number = arrays_[array];
        auto& stops = way_.stops[number];
        const bool is_result = number >= relation_.rule().operands.size();
        Layout layout = layout_of(relation_.rule(), relation_.factors(number), shards);
        if (is_disjoint(layout)) stops.insert(is_result ? stops.begin() : stops.end(), std::move(layout));
    }

    // If indices are not partitioned but rows are, indices take over the rows' axes.
    void agree_on_rows() {
        const auto is_whole = [](const Shards& shards) {
            return std::all_of(shards.begin(), shards.end(), [](const Axes& axes) { return axes.empty(); });
        };
        if (!is_whole(now_[index_array]) || is_whole(now_[row_array])) return;
        for (const std::size_t f : methods_[3].factors) now_[index_array][f] = now_[row_array][f];
    }

    // Cost as if all other dimensions were not partitioned. Sums and scatters reuse the memory of their
    // operands.
    [[nodiscard]] Cost cost_of(const Method& method) const {
        std::array<double, 3> parts{};
        double memory = 0;
        double sent = 0;
        for (const std::size_t array : {table_array, index_array, row_array}) {
            parts[array] = share(array, method);
            memory += parts[array];
        }
        const auto collective = [&](double from, double to) {
            if (to <= from) return;
            memory = std::max(memory, from + to);
            sent += to;
        };
        for (const std::size_t array : {table_array, index_array, row_array})
            if (array != row_array || !gathers_) collective(local(array), parts[array]);
        if (gathers_) {
            if (&method == &methods_[2]) sent += 2 * parts[row_array];
            collective(parts[row_array], local(row_array));
        } else if (&method == &methods_[3]) {
            sent += 2 * parts[table_array];
        }
        return {memory, sent};
    }

    [[nodiscard]] double share(std::size_t array, const Method& method) const {
        double bytes = bytes_[array];
        for (std::size_t f = 0; f < way_.axes.size(); ++f) {
            if (!has_[array][f]) continue;
            bytes /= static_cast<double>(parts_of(way_.axes[f]));
            if (std::find(method.factors.begin(), method.factors.end(), f) != method.factors.end())
                bytes /= static_cast<double>(parts_of(now_[method.by][f]));
        }
        return bytes;
    }

    [[nodiscard]] double local(std::size_t array) const {
        double bytes = bytes_[array];
        for (std::size_t f = 0; f < way_.axes.size(); ++f)
            if (has_[array][f])
                bytes /= static_cast<double>(parts_of(way_.axes[f]) * parts_of(now_[array][f]));
        return bytes;
    }

    const Relation& relation_;
    std::array<std::size_t, 3> arrays_;  ///< their indices in the relation
    bool gathers_;
    Axes mesh_;  ///< without the axes already used
    std::array<Shards, 3> now_;
    std::array<std::vector<bool>, 3> has_;  ///< by factor
    std::array<double, 3> bytes_{};
    std::array<Method, 4> methods_;  ///< dimensions shared by all; by table and rows; indexed; by indices and
                                     ///< rows
    Way way_;
};

}  // namespace

std::optional<Way> lookup_way(const Relation& relation, const Slots& slots,
                              const std::vector<const Layout*>& layouts, const Axes& mesh) {
    const std::size_t operands = relation.rule().operands.size();
    const std::size_t results = relation.rule().results.size();
    if (operands == 2 && results == 1) return LookupWay{relation, slots, layouts, {0, 1, 2}, mesh}.made();
    if (operands != 2 * results + 1) return std::nullopt;
    return LookupWay{relation, slots, layouts, {0, results, results + 1}, mesh}.made();
}

}  // namespace dse::ir::partition
