#include "dse/sim/fold/region_operators.hpp"

#include <algorithm>
#include <bit>

#include "dse/base/check.hpp"

namespace dse::sim::fold {

using graph::Item;
using graph::Region;
using graph::RegionId;
using graph::ValueRef;

void Alone::issue(const NodeRows& rows, const WorkTimes<1>& times) {
    for (std::size_t i = 0; i < rows.width; i += row_block) {
        Pair start = load(rows.stream + i);
        for (const double* input : rows.inputs) start = later(load(input + i), start);
        if (rows.compute != nullptr) start = later(load(rows.compute + i), start);
        store(rows.value + i, start + both(times.visible[0]));
        store(rows.stream + i, start + both(times.duration[0]));
        if (rows.compute != nullptr) store(rows.compute + i, start + both(times.hold[0]));
    }
}

void Alone::delay(double* row, std::size_t width, const std::array<double, 1>& by) {
    for (std::size_t i = 0; i < width; i += row_block) store(row + i, load(row + i) + both(by[0]));
}

template <class Side>
void OperatorsOf<Side>::reset(const graph::Graph& graph, const AllDurations& durations,
                              const RegionTable& table) {
    constexpr std::size_t most_numbers = Side::keeps_operators ? std::size_t{1} << 18U : 0;
    graph_ = &graph;
    table_ = &table;
    streams_ = graph.streams.size();
    if (pool_.size() >= most_numbers) forget_operators();
    node_visits_ = 0;
    changes_ = 0;
    changed_at_.assign(graph.works.size(), 0);
    times_.clear();
    for (std::size_t i = 0; i < graph.works.size(); ++i) times_.push_back(times_of(durations, i));
    uses_.assign(table.slots(), {});
}

template <class Side>
void OperatorsOf<Side>::forget_operators() {
    pool_.clear();
    entries_built_ = 0;
    index_.clear();
    ++generation_;
}

template <class Side>
void OperatorsOf<Side>::change(const AllDurations& durations) {
    ++changes_;
    for (std::size_t i = 0; i < times_.size(); ++i) {
        const Times times = times_of(durations, i);
        if (times == times_[i]) continue;
        times_[i] = times;
        changed_at_[i] = changes_;
    }
}

template <class Side>
typename OperatorsOf<Side>::Times OperatorsOf<Side>::times_of(const AllDurations& durations,
                                                              std::size_t work) {
    Times times;
    for (std::size_t which = 0; which < Side::evaluations; ++which) {
        const NodeTime& time = durations[which]->of_work[work];
        times.duration[which] = time.duration;
        times.visible[which] = time.visible;
        times.hold[which] = time.hold;
        times.lost[which] = time.lost;
    }
    return times;
}

template <class Side>
bool OperatorsOf<Side>::is_as_before(const Region& region, std::uint32_t program, const Use& used) {
    return std::none_of(region.items.begin(), region.items.end(), [&](const Item& item) {
        if (item.kind == Item::Kind::node) return changed_at_[item.work.index()] > used.since;
        const std::int64_t count = graph_->programs[program].counts[item.count.index()];
        return count > 0 && use(item.body, program).since > used.since;
    });
}

template <class Side>
typename OperatorsOf<Side>::Use& OperatorsOf<Side>::use(RegionId id, std::uint32_t program) {
    Use& used = uses_[table_->slot(id, program)];
    if (used.known && used.checked_at == changes_) return used;
    const Region& region = graph_->regions[id.index()];
    if (!used.known || !is_as_before(region, program, used)) {
        used.number = find_or_build(region, program);
        used.since = changes_;
        used.known = true;
    }
    used.checked_at = changes_;
    return used;
}

template <class Side>
std::uint32_t OperatorsOf<Side>::find_or_build(const Region& region, std::uint32_t program) {
    if constexpr (!Side::keeps_operators) return build(region, program);
    read_key(region, program);
    if (const std::optional<std::uint32_t> known = index_.find(key_)) return *known;
    const std::uint32_t number = build(region, program);
    index_.add(key_, number);
    return number;
}

template <class Side>
void OperatorsOf<Side>::read_key(const Region& region, std::uint32_t program) {
    const std::vector<std::int64_t>& counts = graph_->programs[program].counts;
    for (const Item& item : region.items) {  // first, because their keys are read into the same place
        if (item.kind == Item::Kind::repeat && counts[item.count.index()] > 0) use(item.body, program);
    }
    key_.start(region, streams_);
    for (const Item& item : region.items) {
        if (item.kind == Item::Kind::node) {
            key_.add_node(item, graph_->works[item.work.index()], times_[item.work.index()]);
        } else {
            const std::int64_t count = counts[item.count.index()];
            key_.add_repeat(item, count, count > 0 ? use(item.body, program).number : 0);
        }
    }
}

template <class Side>
const Operator& OperatorsOf<Side>::of(RegionId region, std::uint32_t program) {
    return entry(region, program).rows;
}

template <class Side>
std::uint64_t OperatorsOf<Side>::streams_of(RegionId region, std::uint32_t program) {
    return entry(region, program).streams;
}

template <class Side>
bool OperatorsOf<Side>::is_alike(RegionId id, std::uint32_t program) {
    const std::uint32_t number = number_of(id, program);
    if (const std::optional<bool> known = entries_[number].is_alike) return *known;
    const std::vector<Item>& items = graph_->regions[id.index()].items;
    const bool is_alike_in_all = std::all_of(items.begin(), items.end(), [&](const Item& item) {
        if (item.kind == Item::Kind::node) return times_[item.work.index()].are_alike();
        return graph_->programs[program].counts[item.count.index()] == 0 || is_alike(item.body, program);
    });
    entries_[number].is_alike = is_alike_in_all;
    return is_alike_in_all;
}

template <class Side>
std::size_t OperatorsOf<Side>::columns_of(RegionId region, std::uint32_t program) {
    Entry& result = entry(region, program);
    if (result.has_columns) return result.columns;
    const Operator& rows = result.rows;
    constexpr std::size_t a_number = Side::evaluations;
    const std::size_t height = padded(rows.outputs) * a_number;
    const std::size_t width = Side::width(rows.inputs);
    result.columns = pool_.take(rows.inputs * height);
    result.has_columns = true;
    double* columns = pool_.at(result.columns);
    const double* from = pool_.at(rows.offset);
    for (std::size_t j = 0; j < rows.inputs; ++j) {
        double* column = columns + j * height;
        for (std::size_t i = 0; i < rows.outputs; ++i)
            std::copy_n(from + i * width + j * a_number, a_number, column + i * a_number);
        clear(column + rows.outputs * a_number, height - rows.outputs * a_number);
    }
    return result.columns;
}

template <class Side>
void OperatorsOf<Side>::build_bodies(const Region& region, std::uint32_t program) {
    for (const Item& item : region.items) {
        if (item.kind != Item::Kind::repeat) continue;
        const std::int64_t count = graph_->programs[program].counts[item.count.index()];
        if (count > 0) power(item.body, program, count);
    }
}

template <class Side>
std::uint32_t OperatorsOf<Side>::build(const Region& region, std::uint32_t program) {
    build_bodies(region, program);
    if (entries_.size() == entries_built_) entries_.emplace_back();
    const auto number = static_cast<std::uint32_t>(entries_built_++);
    Entry& result = entries_[number];
    result.has_columns = false;
    result.is_alike.reset();
    result.squares_built = 0;
    result.powers_built = 0;
    result.streams = 0;
    result.rows.inputs = streams_ + region.ports;
    result.rows.outputs = streams_ + region.outputs.size();

    std::size_t rows = result.rows.inputs;
    first_row_of_.clear();
    for (const Item& item : region.items) {
        first_row_of_.push_back(rows);
        // A repeat writes its final streams after the values that it yields, and then moves them into place.
        rows += item.kind == Item::Kind::node ? 1 : item.inputs.size() + streams_;
    }
    start_rows(region.ports, rows);
    for (std::size_t i = 0; i < region.items.size(); ++i) {
        const Item& item = region.items[i];
        if (item.kind == Item::Kind::node) {
            play_node(item, row(first_row_of_[i]), result);
        } else {
            play_repeat(item, program, first_row_of_[i], result);
        }
    }
    finish_rows(region, result);
    return number;
}

template <class Side>
void OperatorsOf<Side>::start_rows(std::size_t ports, std::size_t rows) {
    width_ = Side::width(streams_ + ports);
    absent_row_ = rows;
    if (scratch_.size() < (rows + 1) * width_) scratch_.resize((rows + 1) * width_);
    for (std::size_t i = 0; i < streams_ + ports; ++i) {
        clear(row(i), width_);
        std::fill_n(row(i) + i * Side::evaluations, Side::evaluations, 0.0);
    }
    clear(row(absent_row_), width_);
}

template <class Side>
const double* OperatorsOf<Side>::row(ValueRef value) {
    switch (value.source) {
        case ValueRef::Source::none:
            break;
        case ValueRef::Source::port:
            return row(streams_ + value.index);
        case ValueRef::Source::item:
            return row(first_row_of_[value.index] + value.output);
    }
    return row(absent_row_);
}

template <class Side>
void OperatorsOf<Side>::play_node(const Item& item, double* value, Entry& result) {
    ++node_visits_;
    const Times& times = times_[item.work.index()];
    const bool holds = item.stream != graph::compute_stream && times.holds();
    operands_.clear();
    for (const ValueRef input : item.inputs) {
        if (input.source != ValueRef::Source::none) operands_.push_back(row(input));
    }
    result.streams |= std::uint64_t{1} << item.stream.index();
    if (holds) result.streams |= std::uint64_t{1} << graph::compute_stream.index();
    double* const compute = holds ? row(graph::compute_stream.index()) : nullptr;
    Side::issue({value, row(item.stream.index()), compute, operands_, width_}, times);
    if (item.stream == graph::compute_stream || !times.loses()) return;
    result.streams |= std::uint64_t{1} << graph::compute_stream.index();
    Side::delay(row(graph::compute_stream.index()), width_, times.lost);
}

template <class Side>
void OperatorsOf<Side>::play_repeat(const Item& item, std::uint32_t program, std::size_t first_row,
                                    Entry& result) {
    const std::int64_t count = graph_->programs[program].counts[item.count.index()];
    const std::size_t values = item.inputs.size();
    if (count == 0) {
        for (std::size_t k = 0; k < values; ++k) copy(row(first_row + k), row(item.inputs[k]), width_);
        return;
    }
    const Operator& played = power(item.body, program, count);
    result.streams |= streams_of(item.body, program);
    operands_.clear();
    for (std::size_t s = 0; s < streams_; ++s) operands_.push_back(row(s));
    for (const ValueRef input : item.inputs) operands_.push_back(row(input));
    const double* rows = pool_.at(played.offset);
    const std::size_t width = Side::width(played.inputs);
    for (std::size_t s = 0; s < streams_; ++s) {
        Side::combine(row(first_row + values + s), rows + s * width, operands_.data(), played.inputs, width_);
    }
    for (std::size_t k = 0; k < values; ++k) {
        Side::combine(row(first_row + k), rows + (streams_ + k) * width, operands_.data(), played.inputs,
                      width_);
    }
    for (std::size_t s = 0; s < streams_; ++s) copy(row(s), row(first_row + values + s), width_);
}

template <class Side>
void OperatorsOf<Side>::finish_rows(const Region& region, Entry& result) {
    result.rows.offset = pool_.take(size_of(result.rows));
    double* out = pool_.at(result.rows.offset);
    for (std::size_t s = 0; s < streams_; ++s, out += width_) copy(out, row(s), width_);
    for (const ValueRef output : region.outputs) {
        copy(out, row(output), width_);
        out += width_;
    }
}

template <class Side>
Operator OperatorsOf<Side>::product(const Operator& after, const Operator& before) {
    DSE_EXPECT(after.inputs == before.outputs);
    Operator result{0, before.inputs, after.outputs};
    result.offset = pool_.take(size_of(result));
    const std::size_t width = Side::width(before.inputs);
    operands_.clear();
    for (std::size_t j = 0; j < before.outputs; ++j) operands_.push_back(pool_.at(before.offset) + j * width);
    for (std::size_t i = 0; i < after.outputs; ++i) {
        Side::combine(pool_.at(result.offset) + i * width,
                      pool_.at(after.offset) + i * Side::width(after.inputs), operands_.data(), after.inputs,
                      width);
    }
    return result;
}

template <class Side>
const Operator& OperatorsOf<Side>::square(Entry& body, std::size_t k) {
    for (; body.squares_built <= k; ++body.squares_built) {
        const std::size_t next = body.squares_built;
        if (body.squares.size() <= next) body.squares.resize(next + 1);
        body.squares[next] = next == 0 ? body.rows : product(body.squares[next - 1], body.squares[next - 1]);
    }
    return body.squares[k];
}

template <class Side>
const Operator& OperatorsOf<Side>::power(RegionId body, std::uint32_t program, std::int64_t count) {
    DSE_EXPECT(count >= 1);
    Entry& base = entry(body, program);
    for (std::size_t i = 0; i < base.powers_built; ++i) {
        if (base.powers[i].count == count) return base.powers[i].result;
    }
    auto bits = static_cast<std::uint64_t>(count);
    Operator result = square(base, static_cast<std::size_t>(std::countr_zero(bits)));
    for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
        const Operator factor = square(base, static_cast<std::size_t>(std::countr_zero(bits)));
        result = product(factor, result);
    }
    if (base.powers.size() <= base.powers_built) base.powers.resize(base.powers_built + 1);
    base.powers[base.powers_built] = {count, result};
    return base.powers[base.powers_built++].result;
}

template class OperatorsOf<Alone>;
template class OperatorsOf<Abreast>;

}  // namespace dse::sim::fold
