#include "ir/partition/product_way.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {
namespace {

using Factors = std::vector<std::size_t>;
using Shards = std::vector<Axes>;  ///< by factor

constexpr std::size_t lhs = 0;
constexpr std::size_t rhs = 1;
constexpr std::size_t out = 2;

std::int64_t parts_along(const Shards& shards, const Factors& factors) {
    return std::accumulate(
        factors.begin(), factors.end(), std::int64_t{1},
        [&](std::int64_t product, std::size_t f) { return product * parts_of(shards[f]); });
}

bool equal(const Shards& a, const Shards& b, const Factors& factors) {
    return std::all_of(factors.begin(), factors.end(), [&](std::size_t f) { return a[f] == b[f]; });
}

Axes axes_along(const Shards& shards, const Factors& factors) {
    Axes result;
    for (const std::size_t f : factors) result.insert(result.end(), shards[f].begin(), shards[f].end());
    return result;
}

// A group of devices, and the layouts of the three arrays on them.
struct Product {
    std::array<Shards, 3> of;
    Axes axes;  ///< along which the devices differ

    [[nodiscard]] std::int64_t devices() const { return parts_of(axes); }
};

class ProductWay {
  public:
    ProductWay(const Relation& relation, const Slots& slots, const std::vector<const Layout*>& layouts)
        : rule_{relation.rule()} {
        const auto shards = factor_axes(relation, layouts);
        for (const std::size_t array : {lhs, rhs, out}) {
            first_.of[array] = shards[array];
            bytes_[array] = slots.bytes(relation.tensors[array]);
            has_[array].assign(rule_.factors.size(), false);
            for (const auto& dimension : relation.factors(array))
                for (const FactorRule::Number factor : dimension) has_[array][factor] = true;
        }
        for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
            if (has_[lhs][f] && has_[rhs][f] && has_[out][f]) batch_.push_back(f);
            if (has_[lhs][f] && !has_[rhs][f] && has_[out][f]) rows_.push_back(f);
            if (!has_[lhs][f] && has_[rhs][f] && has_[out][f]) columns_.push_back(f);
            if (rule_.factors[f].kind == FactorRule::Kind::reduction) summed_.push_back(f);
        }
    }

    [[nodiscard]] bool cuts_windows() const {
        for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
            if (is_computed_apart(rule_.factors[f].kind)) continue;
            for (const Shards& shards : first_.of)
                if (!shards[f].empty()) return true;
        }
        return false;
    }

    Way made(const Axes& mesh) {
        first_.axes = mesh;
        Way way;
        way.axes = solved(first_, Shards(rule_.factors.size()));
        way.summing = summing_;
        const auto passes_none = [](const std::vector<Layout>& stops) { return stops.empty(); };
        if (!std::all_of(stops_.begin(), stops_.end(), passes_none)) way.stops = std::move(stops_);
        if (parts_of(group_) != parts_of(mesh)) way.group = std::move(group_);
        return way;
    }

  private:
    // Whether groups of devices must be identical, or only of equal size.
    enum class Match : std::uint8_t { devices, sizes };

    /// \param taken  axes of the factors decided so far
    /// \return the same with those decided here
    Shards solved(const Product& product, const Shards& taken) {
        group_ = product.axes;
        for (const Match match : {Match::devices, Match::sizes})
            if (auto found = attempt(product, taken, match)) return *std::move(found);
        Shards result = taken;
        for (const Factors* factors : {&batch_, &rows_, &columns_})
            for (const std::size_t f : *factors) add(result[f], product.of[out][f]);
        return result;
    }

    std::optional<Shards> attempt(const Product& product, const Shards& taken, Match match) {
        if (auto found = at_once(product, taken, false)) return found;
        if (auto found = by_batch(product, taken, match)) return found;
        if (auto found = by_rows_or_columns(product, taken, match)) return found;
        if (auto found = by_sums(product, taken, match)) return found;
        if (is_whole(product, lhs) && is_whole(product, rhs) && is_repeated(product)) {
            Product inner = product;
            inner.axes.clear();
            for (const Axes& axes : product.of[out]) add(inner.axes, axes);
            return solved(inner, taken);
        }
        return at_once(product, taken, true);
    }

    // All devices along one kind of dimension.
    std::optional<Shards> at_once(const Product& product, const Shards& taken, bool may_move) {
        if (is_repeated(product)) return std::nullopt;
        const auto all_along = [&](std::size_t array, const Factors& factors) {
            return parts_along(product.of[array], factors) == product.devices();
        };
        const auto along = [&](std::size_t array, const Factors& factors) {
            Shards result = taken;
            for (const std::size_t f : factors) add(result[f], product.of[array][f]);
            return result;
        };
        const auto match = [&](std::size_t a, std::size_t b, const Factors& factors) {
            return all_along(a, factors) && all_along(b, factors) &&
                   equal(product.of[a], product.of[b], factors);
        };
        if (match(lhs, rhs, batch_) || match(lhs, out, batch_)) return along(lhs, batch_);
        if (match(rhs, out, batch_)) return along(rhs, batch_);
        if (all_along(lhs, summed_) && all_along(rhs, summed_)) {
            if (!may_move && !is_whole(product, out) && tiles(product.of[out]) != product.devices())
                return std::nullopt;
            return along(whole_bytes(lhs, taken) < whole_bytes(rhs, taken) ? rhs : lhs, summed_);
        }
        if (match(lhs, out, rows_)) return along(lhs, rows_);
        if (match(rhs, out, columns_)) return along(rhs, columns_);
        if (may_move)
            for (const Factors* factors : {&batch_, &rows_, &columns_})
                if (all_along(out, *factors)) return along(out, *factors);
        if (!is_whole(product, out)) return std::nullopt;
        if (all_along(rhs, summed_) && is_whole(product, lhs) && elements(rhs, taken) > elements(out, taken))
            return along(rhs, summed_);
        if (all_along(lhs, summed_) && is_whole(product, rhs) && elements(lhs, taken) > elements(out, taken))
            return along(lhs, summed_);
        return std::nullopt;
    }

    std::optional<Shards> by_batch(const Product& product, const Shards& taken, Match match) {
        const std::int64_t wanted = parts_along(product.of[out], batch_);
        const std::int64_t left = parts_along(product.of[lhs], batch_);
        const std::int64_t right = parts_along(product.of[rhs], batch_);
        if (wanted <= 1 || (left != wanted && right != wanted)) return std::nullopt;
        bool agree = std::all_of(batch_.begin(), batch_.end(), [&](std::size_t f) {
            return parts_of(product.of[lhs][f]) == parts_of(product.of[rhs][f]);
        });
        if (match == Match::devices) agree = agree && equal(product.of[lhs], product.of[rhs], batch_);
        if (agree)
            return grouped(product, taken, batch_,
                           local_bytes(product, lhs, taken) > local_bytes(product, rhs, taken) ? lhs : rhs);
        for (const std::size_t array : {lhs, rhs}) {
            if (is_whole(product, array)) continue;
            if (match == Match::devices && !equal(product.of[array], product.of[out], batch_))
                return std::nullopt;
            if (!can_take_batch(product, array, array == lhs ? left : right, wanted)) return std::nullopt;
        }
        return grouped(product, taken, batch_, out);
    }

    // Whether an operand has enough devices for the result's batch if it gives up at most one other kind of
    // dimension.
    [[nodiscard]] bool can_take_batch(const Product& product, std::size_t array, std::int64_t has,
                                      std::int64_t wanted) const {
        if (has > wanted || wanted % has != 0) return false;
        const std::int64_t ratio = wanted / has;
        const std::int64_t repeated = product.devices() / tiles(product.of[array]);
        return ratio == 1 || (repeated > 1 && repeated % ratio == 0) ||
               ratio == parts_along(product.of[array], array == lhs ? rows_ : columns_) ||
               ratio == parts_along(product.of[array], summed_);
    }

    std::optional<Shards> by_rows_or_columns(const Product& product, const Shards& taken, Match match) {
        const std::int64_t rows = parts_along(product.of[lhs], rows_);
        const std::int64_t columns = parts_along(product.of[rhs], columns_);
        const std::int64_t wanted_rows = parts_along(product.of[out], rows_);
        const std::int64_t wanted_columns = parts_along(product.of[out], columns_);
        const bool may_rows = rows == wanted_rows && rows > 1;
        const bool may_columns = columns == wanted_columns && columns > 1;
        std::size_t matching = lhs;
        Factors factors;
        if (may_rows || may_columns) {
            const auto repeats = [&](std::int64_t times, std::size_t other) {
                return static_cast<double>(times) * local_bytes(product, other, taken);
            };
            if (!may_rows || (may_columns && repeats(rows, rhs) >= repeats(columns, lhs))) matching = rhs;
            factors = matching == lhs ? rows_ : columns_;
        } else if (rows > 1 && wanted_rows > 1) {
            factors = equally_cut(product, lhs, out, rows_);
        } else if (columns > 1 && wanted_columns > 1) {
            matching = rhs;
            factors = equally_cut(product, rhs, out, columns_);
        }
        if (factors.empty()) return std::nullopt;
        if (match == Match::devices && !equal(product.of[matching], product.of[out], factors))
            return std::nullopt;
        Product moved = product;
        free_other(moved, matching, axes_along(product.of[out], factors), taken);
        return grouped(moved, taken, factors, out);
    }

    // The operand that lacks the group's dimensions must be equal on all devices of the group. It moves to
    // free axes if there are enough; otherwise it is gathered along the dimensions that are partitioned over
    // the whole group; otherwise it gets the layout that the result and the matching operand prefer.
    void free_other(Product& product, std::size_t matching, const Axes& group, const Shards& taken) {
        const std::size_t other = matching == lhs ? rhs : lhs;
        Shards& shards = product.of[other];
        Axes used;
        Factors using_it;
        for (std::size_t f = 0; f < shards.size(); ++f)
            if (!within(shards[f], group).empty()) {
                using_it.push_back(f);
                used.insert(used.end(), shards[f].begin(), shards[f].end());
            }
        if (using_it.empty()) return;
        make_room(product, matching, group, taken, using_it, used);
        stop(other, shards, taken);
    }

    void make_room(Product& product, std::size_t matching, const Axes& group, const Shards& taken,
                   const Factors& using_it, const Axes& used) const {
        const std::size_t other = matching == lhs ? rhs : lhs;
        if (move_to_free_axes(product, other, group)) return;
        Shards& shards = product.of[other];
        const Factors& own = other == lhs ? rows_ : columns_;
        const std::int64_t count = parts_of(group);
        const bool may_sum = parts_along(shards, summed_) == count &&
                             parts_along(shards, own) == parts_along(product.of[out], own);
        const bool may_own = parts_along(shards, own) == count &&
                             parts_along(product.of[matching], summed_) == parts_along(shards, summed_);
        if (without(used, group).empty() && parts_of(used) == count) {
            clear(shards, using_it);
        } else if (may_sum &&
                   (!may_own || local_bytes(product, other, taken) <= local_bytes(product, out, taken))) {
            clear(shards, summed_);
        } else if (may_own) {
            clear(shards, own);
        } else {
            for (std::size_t f = 0; f < shards.size(); ++f)
                shards[f] =
                    has_[other][f] ? without(product.of[has_[out][f] ? out : matching][f], group) : Axes{};
        }
    }

    // A dimension partitioned along the group moves to all free axes; if there is none, axes that overlap the
    // group are replaced by the same number of free ones.
    [[nodiscard]] bool move_to_free_axes(Product& product, std::size_t array, const Axes& group) const {
        Shards& shards = product.of[array];
        Axes free = product.axes;
        for (const Axes& axes : shards) free = without(free, axes);
        const std::int64_t count = parts_of(group);
        if (free.empty() || parts_of(free) % count != 0) return false;
        for (std::size_t d = rule_.operands[array].size(); d-- > 0;)
            for (const FactorRule::Number f : rule_.operands[array][d])
                if (without(group, shards[f]).empty()) {
                    shards[f] = free;
                    return true;
                }
        return use_free_axes(shards, group, product.axes);
    }

    // Records an intermediate layout of an array, in addition to what is decided already. It is omitted if it
    // is not a valid layout, since two arrays may require contradictory layouts of a third.
    void stop(std::size_t array, const Shards& shards, Shards taken) {
        for (std::size_t f = 0; f < taken.size(); ++f) add(taken[f], shards[f]);
        const FactorRule::Tensor& tensor = array == out ? rule_.results[0] : rule_.operands[array];
        Layout layout = layout_of(rule_, tensor, taken);
        if (!is_disjoint(layout)) return;
        auto& stops = stops_[array];
        stops.insert(array == out ? stops.begin() : stops.end(), std::move(layout));
    }

    static void clear(Shards& shards, const Factors& factors) {
        for (const std::size_t f : factors) shards[f].clear();
    }

    std::optional<Shards> by_sums(const Product& product, const Shards& taken, Match match) {
        const std::int64_t left = parts_along(product.of[lhs], summed_);
        const std::int64_t right = parts_along(product.of[rhs], summed_);
        if (left <= 1 || right <= 1) return std::nullopt;
        const std::size_t larger =
            local_bytes(product, lhs, taken) > local_bytes(product, rhs, taken) ? lhs : rhs;
        for (const Factors& factors :
             {left == right ? summed_ : Factors{}, equally_cut(product, lhs, rhs, summed_)}) {
            if (factors.empty()) continue;
            if (match == Match::devices && !equal(product.of[lhs], product.of[rhs], factors)) continue;
            summing_ = Summing::scattered;
            Product moved = product;
            free_result(moved, axes_along(product.of[larger], factors), taken);
            return grouped(moved, taken, factors, larger);
        }
        return std::nullopt;
    }

    // The layout of the result beyond the group whose devices sum it. All of it is kept if it is replicated
    // in the group (possibly after moving to other axes), all but dimensions with as many parts as the group
    // has devices; otherwise none.
    void free_result(Product& product, const Axes& group, const Shards& taken) {
        Shards& shards = product.of[out];
        const std::int64_t count = parts_of(group);
        if (is_whole(product, out)) return;
        if (repeats(product) % count != 0) take_operands_cut(product, group);
        if (repeats(product) % count == 0) {
            if (use_free_axes(shards, group, product.axes)) stop(out, shards, taken);
            return;
        }
        if (makes_up(product, group)) {
            for (Axes& axes : shards)
                if (!within(axes, group).empty()) axes.clear();
            return;
        }
        for (const Factors* factors : {&rows_, &columns_, &batch_}) {
            if (parts_along(shards, *factors) != count) continue;
            Shards scattered = shards;
            clear(scattered, *factors);
            for (const std::size_t f : *factors)
                if (parts_of(shards[f]) == count) scattered[f] = group;
            stop(out, scattered, taken);
            clear(shards, *factors);
            return;
        }
        for (Axes& axes : shards) axes.clear();
        stop(out, shards, taken);
    }

    // Whether the result's dimensions are partitioned along exactly the group, with or without all axes on
    // which it is replicated.
    [[nodiscard]] static bool makes_up(const Product& product, const Axes& group) {
        Axes rest = group;
        Axes free = product.axes;
        bool any = false;
        for (const Axes& axes : product.of[out]) {
            free = without(free, axes);
            if (within(axes, group).empty()) continue;
            if (!without(axes, group).empty()) return false;
            rest = without(rest, axes);
            any = true;
        }
        return any && (rest.empty() || (without(rest, free).empty() && without(free, rest).empty()));
    }

    // If only one operand is partitioned other than along the summed dimensions, and the result is
    // partitioned in the same way but further, the result takes the operand's layout.
    void take_operands_cut(Product& product, const Axes& group) const {
        const auto kept = [&](std::size_t array) {
            Shards result = product.of[array];
            for (const std::size_t f : summed_) result[f].clear();
            for (Axes& axes : result) axes = common_prefix(axes, without(axes, group));
            return result;
        };
        const bool left = tiles(kept(lhs)) > 1;
        const bool right = tiles(kept(rhs)) > 1;
        if (left == right) return;
        const Shards cut = kept(left ? lhs : rhs);
        for (std::size_t f = 0; f < cut.size(); ++f)
            if (has_[out][f] && !is_prefix(cut[f], product.of[out][f])) return;
        for (std::size_t f = 0; f < cut.size(); ++f) product.of[out][f] = has_[out][f] ? cut[f] : Axes{};
    }

    [[nodiscard]] static Factors equally_cut(const Product& product, std::size_t a, std::size_t b,
                                             const Factors& factors) {
        Factors result;
        for (const std::size_t f : factors)
            if (parts_of(product.of[a][f]) > 1 && parts_of(product.of[a][f]) == parts_of(product.of[b][f]))
                result.push_back(f);
        return result;
    }

    // Factors are partitioned as in this array; the rest is solved for the remaining devices.
    Shards grouped(const Product& product, Shards taken, const Factors& factors, std::size_t array) {
        Axes group;
        for (const std::size_t f : factors) {
            add(taken[f], product.of[array][f]);
            group.insert(group.end(), product.of[array][f].begin(), product.of[array][f].end());
        }
        Product inner = product;
        inner.axes = without(inner.axes, group);
        for (Shards& shards : inner.of) {
            for (const std::size_t f : factors) shards[f].clear();
            for (Axes& axes : shards) axes = common_prefix(axes, without(axes, group));
        }
        return solved(inner, taken);
    }

    static void add(Axes& to, const Axes& axes) {
        to.insert(to.end(), axes.begin(), axes.end());
        to = normalized(to);
    }

    [[nodiscard]] static bool is_whole(const Product& product, std::size_t array) {
        return tiles(product.of[array]) == 1;
    }
    // Whether the result is partitioned, but into fewer parts than there are devices.
    [[nodiscard]] static bool is_repeated(const Product& product) {
        const std::int64_t parts = tiles(product.of[out]);
        return parts > 1 && parts != product.devices();
    }

    [[nodiscard]] static std::int64_t repeats(const Product& product) {
        return product.devices() / tiles(product.of[out]);
    }

    // The share of an array that remains after the decided factors.
    [[nodiscard]] double share(std::size_t array, const Shards& taken) const {
        double result = 1;
        for (std::size_t f = 0; f < taken.size(); ++f)
            if (has_[array][f]) result /= static_cast<double>(parts_of(taken[f]));
        return result;
    }
    [[nodiscard]] double whole_bytes(std::size_t array, const Shards& taken) const {
        return bytes_[array] * share(array, taken);
    }
    [[nodiscard]] double local_bytes(const Product& product, std::size_t array, const Shards& taken) const {
        return whole_bytes(array, taken) / static_cast<double>(tiles(product.of[array]));
    }
    [[nodiscard]] double elements(std::size_t array, const Shards& taken) const {
        double result = share(array, taken);
        for (std::size_t f = 0; f < rule_.factors.size(); ++f)
            if (has_[array][f]) result *= static_cast<double>(rule_.factors[f].size);
        return result;
    }

    const FactorRule& rule_;
    Product first_;
    std::array<double, 3> bytes_{};
    std::array<std::vector<bool>, 3> has_;  ///< by factor
    Factors batch_, rows_, columns_, summed_;
    Summing summing_{Summing::whole};
    Axes group_;  ///< axes of the products that remain after all decisions
    std::vector<std::vector<Layout>> stops_{3};
};

}  // namespace

std::optional<Way> product_way(const Relation& relation, const Slots& slots,
                               const std::vector<const Layout*>& layouts, const Axes& mesh) {
    if (relation.rule().operands.size() != 2 || relation.rule().results.size() != 1) return std::nullopt;
    ProductWay way{relation, slots, layouts};
    if (way.cuts_windows()) return std::nullopt;
    return way.made(mesh);
}

}  // namespace dse::ir::partition
