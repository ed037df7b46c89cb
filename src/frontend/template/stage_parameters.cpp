#include "stage_parameters.hpp"

#include <algorithm>

namespace dse::frontend {

Amount StageParameters::of_block(std::size_t block, Storage storage, Tied tied) {
    Amount amount;
    for (const TensorId id : blocks_[block].parameters()) {
        if (tied == Tied::left_out && blocks_[block].tensor(id).tied) continue;
        append(block, id, 1.0, storage, amount);
    }
    return amount;
}

Amount StageParameters::of_stage(const StageUnits& units, Storage storage, double factor) {
    Amount amount;
    for (const auto& chunk : units) {
        for (const Unit& unit : chunk) {
            for (const TensorId id : blocks_[unit.block].parameters()) {
                if (blocks_[unit.block].tensor(id).tied && owner_is_here(units, unit.block, id)) continue;
                append(unit.block, id, factor * static_cast<double>(unit.count), storage, amount);
            }
        }
    }
    return amount;
}

Amount StageParameters::shared(const StageUnits& units, Storage storage) {
    Amount amount;
    for (const auto& chunk : units) {
        for (const Unit& unit : chunk) {
            for (const TensorId id : blocks_[unit.block].parameters()) {
                const bool tied = blocks_[unit.block].tensor(id).tied;
                const bool shared =
                    tied ? !owner_is_here(units, unit.block, id) : is_shared_elsewhere(units, id, unit.block);
                if (shared) append(unit.block, id, 1.0, storage, amount);
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

void StageParameters::append(std::size_t block, TensorId id, double factor, Storage storage, Amount& amount) {
    Amount bytes =
        amount_of(blocks_[block].tensor(id), false, shardings_[block].layouts[id.index()], extents_);
    bytes.terms.front().storage = storage;
    bytes.terms.front().factor = factor;
    amount.terms.push_back(std::move(bytes.terms.front()));
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
