#include "dse/sim/fold/region_operators.hpp"

#include <algorithm>
#include <bit>

#include "dse/base/check.hpp"

namespace dse::sim::fold {

using graph::Item;
using graph::Region;
using graph::RegionId;
using graph::ValueRef;

void RegionOperators::reset(const graph::Graph& graph, const Durations& durations, const RegionTable& table) {
    graph_ = &graph;
    durations_ = &durations;
    table_ = &table;
    streams_ = graph.streams.size();
    pool_.clear();
    node_visits_ = 0;
    changes_ = 0;
    changed_at_.assign(graph.works.size(), 0);
    if (entries_.size() < table.slots()) entries_.resize(table.slots());
    for (std::size_t slot = 0; slot < table.slots(); ++slot) entries_[slot].built = false;
}

void RegionOperators::change(const Durations& durations) {
    ++changes_;
    for (std::size_t i = 0; i < changed_at_.size(); ++i) {
        if (durations.of_work[i] != durations_->of_work[i]) changed_at_[i] = changes_;
    }
    durations_ = &durations;
}

bool RegionOperators::is_as_built(const Region& region, std::uint32_t program, const Entry& result) {
    return std::none_of(region.items.begin(), region.items.end(), [&](const Item& item) {
        if (item.kind == Item::Kind::node) return changed_at_[item.work.index()] > result.built_at;
        const std::int64_t count = graph_->programs[program].counts[item.count.index()];
        return count > 0 && entry(item.body, program).built_at > result.built_at;
    });
}

RegionOperators::Entry& RegionOperators::entry(RegionId region, std::uint32_t program) {
    Entry& result = entries_[table_->slot(region, program)];
    if (result.built && result.checked_at != changes_) {
        result.checked_at = changes_;
        result.built = is_as_built(graph_->regions[region.index()], program, result);
    }
    if (!result.built) build(graph_->regions[region.index()], program, result);
    return result;
}

const Operator& RegionOperators::of(RegionId region, std::uint32_t program) {
    return entry(region, program).rows;
}

std::uint64_t RegionOperators::streams_of(RegionId region, std::uint32_t program) {
    return entry(region, program).streams;
}

std::size_t RegionOperators::columns_of(RegionId region, std::uint32_t program) {
    Entry& result = entry(region, program);
    if (result.has_columns) return result.columns;
    const Operator& rows = result.rows;
    const std::size_t height = padded(rows.outputs);
    result.columns = pool_.take(rows.inputs * height);
    result.has_columns = true;
    double* columns = pool_.at(result.columns);
    const double* from = pool_.at(rows.offset);
    for (std::size_t j = 0; j < rows.inputs; ++j) {
        double* column = columns + j * height;
        for (std::size_t i = 0; i < rows.outputs; ++i) column[i] = from[i * rows.width() + j];
        for (std::size_t i = rows.outputs; i < height; ++i) column[i] = absent;
    }
    return result.columns;
}

void RegionOperators::build_bodies(const Region& region, std::uint32_t program) {
    for (const Item& item : region.items) {
        if (item.kind != Item::Kind::repeat) continue;
        const std::int64_t count = graph_->programs[program].counts[item.count.index()];
        if (count > 0) power(item.body, program, count);
    }
}

void RegionOperators::build(const Region& region, std::uint32_t program, Entry& result) {
    build_bodies(region, program);
    result.built = true;
    result.built_at = result.checked_at = changes_;
    result.has_columns = false;
    result.squares_built = 0;
    result.powers_built = 0;
    result.streams = 0;
    result.rows.inputs = streams_ + region.ports;
    result.rows.outputs = streams_ + region.outputs.size();

    std::size_t rows = result.rows.inputs;
    first_row_of_.clear();
    for (const Item& item : region.items) {
        first_row_of_.push_back(rows);
        // A repeat writes the streams it leaves behind the values it yields, and then moves them into place.
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
}

void RegionOperators::start_rows(std::size_t ports, std::size_t rows) {
    width_ = padded(streams_ + ports);
    absent_row_ = rows;
    if (scratch_.size() < (rows + 1) * width_) scratch_.resize((rows + 1) * width_);
    for (std::size_t i = 0; i < streams_ + ports; ++i) {
        clear(row(i), width_);
        row(i)[i] = 0;
    }
    clear(row(absent_row_), width_);
}

const double* RegionOperators::row(ValueRef value) {
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

void RegionOperators::play_node(const Item& item, double* value, Entry& result) {
    ++node_visits_;
    const NodeTime& time = durations_->of_work[item.work.index()];
    const double hold = hold_of(time, item.stream);
    double* stream = row(item.stream.index());
    double* compute = row(graph::compute_stream.index());
    operands_.clear();
    for (const ValueRef input : item.inputs) {
        if (input.source != ValueRef::Source::none) operands_.push_back(row(input));
    }
    if (hold > 0) operands_.push_back(compute);
    result.streams |= std::uint64_t{1} << item.stream.index();

    for (std::size_t i = 0; i < width_; i += row_block) {
        Pair start = load(stream + i);
        for (const double* operand : operands_) start = later(load(operand + i), start);
        store(value + i, start + both(time.visible));
        store(stream + i, start + both(time.duration));
        if (hold > 0) store(compute + i, start + both(hold));
    }
    if (hold > 0) result.streams |= 1U;
}

void RegionOperators::play_repeat(const Item& item, std::uint32_t program, std::size_t first_row,
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
    for (std::size_t s = 0; s < streams_; ++s) {
        combine(row(first_row + values + s), rows + s * played.width(), operands_.data(), played.inputs,
                width_);
    }
    for (std::size_t k = 0; k < values; ++k) {
        combine(row(first_row + k), rows + (streams_ + k) * played.width(), operands_.data(), played.inputs,
                width_);
    }
    for (std::size_t s = 0; s < streams_; ++s) copy(row(s), row(first_row + values + s), width_);
}

void RegionOperators::finish_rows(const Region& region, Entry& result) {
    result.rows.offset = pool_.take(result.rows.size());
    double* out = pool_.at(result.rows.offset);
    for (std::size_t s = 0; s < streams_; ++s, out += width_) copy(out, row(s), width_);
    for (const ValueRef output : region.outputs) {
        copy(out, row(output), width_);
        out += width_;
    }
}

Operator RegionOperators::product(const Operator& after, const Operator& before) {
    DSE_EXPECT(after.inputs == before.outputs);
    Operator result{0, before.inputs, after.outputs};
    result.offset = pool_.take(result.size());
    const std::size_t width = before.width();
    operands_.clear();
    for (std::size_t j = 0; j < before.outputs; ++j) operands_.push_back(pool_.at(before.offset) + j * width);
    for (std::size_t i = 0; i < after.outputs; ++i) {
        combine(pool_.at(result.offset) + i * width, pool_.at(after.offset) + i * after.width(),
                operands_.data(), after.inputs, width);
    }
    return result;
}

const Operator& RegionOperators::square(Entry& body, std::size_t k) {
    for (; body.squares_built <= k; ++body.squares_built) {
        const std::size_t next = body.squares_built;
        if (body.squares.size() <= next) body.squares.resize(next + 1);
        body.squares[next] = next == 0 ? body.rows : product(body.squares[next - 1], body.squares[next - 1]);
    }
    return body.squares[k];
}

const Operator& RegionOperators::power(RegionId body, std::uint32_t program, std::int64_t count) {
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

}  // namespace dse::sim::fold
