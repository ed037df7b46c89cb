#include "stage_parameters.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::frontend {

StageParameters::StageParameters(std::span<const Block> blocks, std::span<const Sharding> shardings,
                                 Extents& extents)
    : shardings_{shardings}, extents_{extents} {
    for (const Block& block : blocks) {
        std::vector<Parameter>& parameters = parameters_.emplace_back();
        for (const TensorId id : block.parameters())
            parameters.push_back({id, &block.tensor(id), replicas_of(block.tensor(id))});
    }
}

Amount StageParameters::of(std::size_t block, std::span<const TensorId> parameters, Storage storage,
                           Held held) {
    Amount amount;
    for (const TensorId id : parameters) {
        const auto parameter = std::find_if(parameters_[block].begin(), parameters_[block].end(),
                                            [id](const Parameter& each) { return each.id == id; });
        DSE_REQUIRE(parameter != parameters_[block].end());
        amount.terms.push_back(term_of(block, *parameter, storage, 1.0, held));
    }
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

template <class Visit>
void StageParameters::for_each(const StageUnits& units, const Visit& visit) {
    for (const auto& chunk : units) {
        for (const Unit& unit : chunk) {
            for (Parameter& parameter : parameters_[unit.block]) visit(unit, parameter);
        }
    }
}

Amount StageParameters::tables_of_stage(const StageUnits& units, Tables which) {
    Amount amount;
    for_each(units, [&](const Unit& unit, Parameter& parameter) {
        if (!parameter.tensor->sparse || (which == Tables::trained && parameter.tensor->frozen)) return;
        amount.terms.push_back(
            term_of(unit.block, parameter, Storage::parameter, static_cast<double>(unit.count), Held::whole));
    });
    return amount;
}

Amount StageParameters::table_rows_of_stage(const StageUnits& units) {
    Amount amount = tables_of_stage(units, Tables::trained);
    for (Amount::Term& table : amount.terms) {
        table.elements = extents_.products()[table.elements.index()].rest;
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
    for (Parameter& parameter : parameters_[unit.block]) {
        const Tensor& tensor = *parameter.tensor;
        if (tensor.sparse || parameter.replicas != replicas) continue;
        if (tensor.tied && owner_is_here(units, unit.block, tensor)) continue;
        for (const Form& form : forms) {
            if (form.storage == Storage::weight_casts && tensor.storage != Storage::weight) continue;
            if (form.only_trained && tensor.frozen) continue;
            amount.terms.push_back(term_of(unit.block, parameter, form.storage, form.factor * count, held));
        }
    }
}

Amount StageParameters::shared(const StageUnits& units, Storage storage, Held held) {
    Amount amount;
    for_each(units, [&](const Unit& unit, Parameter& parameter) {
        const Tensor& tensor = *parameter.tensor;
        if (tensor.frozen) return;
        const bool shared =
            tensor.tied ? !owner_is_here(units, unit.block, tensor) : is_shared_elsewhere(units, tensor);
        if (shared) amount.terms.push_back(term_of(unit.block, parameter, storage, 1.0, held));
    });
    return amount;
}

Amount StageParameters::originals(const StageUnits& units, Held held) {
    Amount amount;
    for_each(units, [&](const Unit& unit, Parameter& parameter) {
        const Tensor& tensor = *parameter.tensor;
        if (!tensor.has_original || (tensor.tied && owner_is_here(units, unit.block, tensor))) return;
        amount.terms.push_back(
            term_of(unit.block, parameter, Storage::frozen, static_cast<double>(unit.count), held));
    });
    return amount;
}

template <class Accepts>
double StageParameters::count(const StageUnits& units, const Accepts& accepts) {
    double parameters = 0.0;
    for_each(units, [&](const Unit& unit, const Parameter& parameter) {
        const Tensor& tensor = *parameter.tensor;
        if (tensor.frozen || tensor.sparse || !accepts(parameter)) return;
        if (tensor.tied && owner_is_here(units, unit.block, tensor)) return;
        parameters += static_cast<double>(unit.count);
    });
    return parameters;
}

double StageParameters::trained(const StageUnits& units) {
    return count(units, [](const Parameter&) { return true; });
}

double StageParameters::reduced(const StageUnits& units, graph::AxisSet active) {
    // Copies of shards (HSDP) add the gradients of all parameters, and are no axis of their replicas.
    if (active.contains(graph::MeshAxis::replica)) return trained(units);
    return count(units,
                 [active](const Parameter& parameter) { return !(parameter.replicas & active).empty(); });
}

bool StageParameters::is_shared_elsewhere(const StageUnits& units, const Tensor& owner) const {
    for (std::size_t other = 0; other < parameters_.size(); ++other) {
        const bool here = std::any_of(units.begin(), units.end(), [&](const std::vector<Unit>& chunk) {
            return std::any_of(chunk.begin(), chunk.end(),
                               [&](const Unit& unit) { return unit.block == other; });
        });
        if (here) continue;
        for (const Parameter& parameter : parameters_[other]) {
            if (parameter.tensor->tied && parameter.tensor->name == owner.name) return true;
        }
    }
    return false;
}

/// Frozen parameters have no master copy: they are kept as they are read.
Storage StageParameters::form_of(const Tensor& tensor, Storage form) {
    const bool asked_as_kept = form == Storage::kept_parameter;
    if (!tensor.frozen || (!asked_as_kept && form != Storage::parameter))
        return frontend::form_of(tensor.storage, form);
    if (tensor.storage != Storage::weight) return Storage::parameter;
    if (tensor.quantized) return Storage::quantized;
    return asked_as_kept ? Storage::frozen : Storage::weight;
}

Amount::Term StageParameters::term_of(std::size_t block, Parameter& parameter, Storage storage, double count,
                                      Held held) {
    if (!parameter.whole) {
        const Layout& layout = shardings_[block].layouts[parameter.id.index()];
        parameter.whole = amount_of(*parameter.tensor, layout, extents_).terms.front();
    }
    return {parameter.whole->elements, form_of(*parameter.tensor, storage), count,
            held == Held::shared ? parameter.replicas : graph::AxisSet{}};
}

bool StageParameters::owner_is_here(const StageUnits& units, std::size_t block, const Tensor& tied) const {
    for (const auto& chunk : units) {
        for (const Unit& unit : chunk) {
            if (unit.block == block) continue;
            for (const Parameter& other : parameters_[unit.block]) {
                if (other.tensor->name == tied.name && !other.tensor->tied) return true;
            }
        }
    }
    return false;
}

}  // namespace dse::frontend
