#include "stage_parameters.hpp"

#include <algorithm>

namespace dse::frontend {

namespace {

graph::AxisSet shares_of(const Tensor& parameter, StageParameters::Held held) {
    return held == StageParameters::Held::shared ? replicas_of(parameter) : graph::AxisSet{};
}

}  // namespace

Amount StageParameters::of(std::size_t block, std::span<const TensorId> parameters, Storage storage,
                           Held held) {
    Amount amount;
    for (const TensorId id : parameters)
        append(block, id, {{}, storage, 1.0, shares_of(blocks_[block].tensor(id), held)}, amount);
    return amount;
}

Amount StageParameters::of_stage(const StageUnits& units, std::span<const Form> forms, Held held) {
    Amount amount;
    // Shares are rounded up to whole bytes once per set of replicas.
    for (const graph::AxisSet replicas : every_replica_axes) {
        for (const auto& chunk : units) {
            for (const Unit& unit : chunk) append_unit(units, unit, replicas, forms, held, amount);
        }
    }
    return amount;
}

Amount StageParameters::tables_of_stage(const StageUnits& units) {
    Amount amount;
    for (const auto& chunk : units) {
        for (const Unit& unit : chunk) {
            for (const TensorId id : blocks_[unit.block].parameters()) {
                if (!blocks_[unit.block].tensor(id).sparse) continue;
                append(unit.block, id, {{}, Storage::parameter, static_cast<double>(unit.count), {}}, amount);
            }
        }
    }
    return amount;
}

Amount StageParameters::table_rows_of_stage(const StageUnits& units) {
    Amount amount = tables_of_stage(units);
    for (Amount::Term& table : amount.terms) {
        table.extents.pop_back();
        table.storage = Storage::full;
    }
    return amount;
}

Amount StageParameters::of_unit(const StageUnits& units, std::size_t block, std::span<const Form> forms,
                                Held held) {
    Amount amount;
    for (const graph::AxisSet replicas : every_replica_axes)
        append_unit(units, {block, 1}, replicas, forms, held, amount);
    return amount;
}

/// Adds the parameters with these replica axes.
void StageParameters::append_unit(const StageUnits& units, const Unit& unit, graph::AxisSet replicas,
                                  std::span<const Form> forms, Held held, Amount& amount) {
    const auto count = static_cast<double>(unit.count);
    for (const TensorId id : blocks_[unit.block].parameters()) {
        const Tensor& parameter = blocks_[unit.block].tensor(id);
        if (parameter.sparse || replicas_of(parameter) != replicas) continue;
        if (parameter.tied && owner_is_here(units, unit.block, id)) continue;
        for (const Form& form : forms) {
            if (form.storage == Storage::weight_casts && parameter.storage != Storage::weight) continue;
            append(unit.block, id, {{}, form.storage, form.factor * count, shares_of(parameter, held)},
                   amount);
        }
    }
}

Amount StageParameters::shared(const StageUnits& units, Storage storage, Held held) {
    Amount amount;
    for (const auto& chunk : units) {
        for (const Unit& unit : chunk) {
            for (const TensorId id : blocks_[unit.block].parameters()) {
                const Tensor& parameter = blocks_[unit.block].tensor(id);
                const bool shared = parameter.tied ? !owner_is_here(units, unit.block, id)
                                                   : is_shared_elsewhere(units, id, unit.block);
                if (!shared) continue;
                append(unit.block, id, {{}, storage, 1.0, shares_of(parameter, held)}, amount);
            }
        }
    }
    return amount;
}

bool StageParameters::is_shared_elsewhere(const StageUnits& units, TensorId id, std::size_t block) const {
    const std::string& name = blocks_[block].tensor(id).name;
    for (std::size_t other = 0; other < blocks_.size(); ++other) {
        const bool here = std::any_of(units.begin(), units.end(), [&](const std::vector<Unit>& chunk) {
            return std::any_of(chunk.begin(), chunk.end(),
                               [&](const Unit& unit) { return unit.block == other; });
        });
        if (here) continue;
        for (const TensorId parameter : blocks_[other].parameters()) {
            const Tensor& tensor = blocks_[other].tensor(parameter);
            if (tensor.tied && tensor.name == name) return true;
        }
    }
    return false;
}

void StageParameters::append(std::size_t block, TensorId id, Amount::Term form, Amount& amount) {
    Amount bytes =
        amount_of(blocks_[block].tensor(id), false, shardings_[block].layouts[id.index()], extents_);
    form.storage = form_of(bytes.terms.front().storage, form.storage);
    form.extents = std::move(bytes.terms.front().extents);
    amount.terms.push_back(std::move(form));
}

bool StageParameters::owner_is_here(const StageUnits& units, std::size_t block, TensorId id) const {
    const std::string& name = blocks_[block].tensor(id).name;
    for (const auto& chunk : units) {
        for (const Unit& unit : chunk) {
            if (unit.block == block) continue;
            for (const TensorId other : blocks_[unit.block].parameters()) {
                const Tensor& tensor = blocks_[unit.block].tensor(other);
                if (tensor.name == name && !tensor.tied) return true;
            }
        }
    }
    return false;
}

}  // namespace dse::frontend
