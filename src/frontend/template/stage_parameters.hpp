#pragma once

#include <span>

#include "dse/frontend/template/structure.hpp"

namespace dse::frontend {

/// Adds up what a device holds of the parameters of blocks and stages.
class StageParameters {
  public:
    StageParameters(std::span<const Block> blocks, std::span<const Sharding> shardings, Extents& extents)
        : blocks_{blocks}, shardings_{shardings}, extents_{extents} {}

    /// Whether a device holds its copies whole, or a share of them as ZeRO does.
    enum class Held { whole, shared };

    /// Elements of some of a block's parameters, stored as `storage`.
    [[nodiscard]] Amount of(std::size_t block, std::span<const TensorId> parameters, Storage storage,
                            Held held = Held::whole);

    /// Elements of a whole stage, `factor` times, without sparse tables; a tied parameter once where its
    /// owner is on the stage.
    [[nodiscard]] Amount of_stage(const StageUnits& units, Storage storage, double factor, Held held);

    /// Those of a stage that another stage shares, stored as `storage`: tied ones whose owner is elsewhere,
    /// and owners that one elsewhere is tied to.
    [[nodiscard]] Amount shared(const StageUnits& units, Storage storage, Held held);

    /// Sparse tables of a stage: their elements, or their rows in fp32.
    [[nodiscard]] Amount tables_of_stage(const StageUnits& units);
    [[nodiscard]] Amount table_rows_of_stage(const StageUnits& units);

    /// Adds one parameter to an amount.
    void append(std::size_t block, TensorId id, Amount::Term form, Amount& amount);

  private:
    [[nodiscard]] bool owner_is_here(const StageUnits& units, std::size_t block, TensorId id) const;
    /// Whether a block that is not on the stage is tied to this parameter.
    [[nodiscard]] bool is_shared_elsewhere(const StageUnits& units, TensorId id, std::size_t block) const;

    std::span<const Block> blocks_;
    std::span<const Sharding> shardings_;
    Extents& extents_;
};

}  // namespace dse::frontend
