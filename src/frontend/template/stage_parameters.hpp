#pragma once

#include <span>

#include "frontend/template/structure.hpp"

namespace dse::frontend {

/// Sums up a device's part of the parameters of blocks and stages.
class StageParameters {
  public:
    StageParameters(std::span<const Block> blocks, std::span<const Sharding> shardings, Extents& extents)
        : blocks_{blocks}, shardings_{shardings}, extents_{extents} {}

    /// Whether a device holds all of its replica, or only a share as with ZeRO.
    enum class Held { whole, shared };

    /// Elements of some of a block's parameters, stored as `storage`.
    [[nodiscard]] Amount of(std::size_t block, std::span<const TensorId> parameters, Storage storage,
                            Held held = Held::whole);

    /// A storage of a parameter and how many times it is stored.
    struct Form {
        Storage storage{Storage::parameter};
        double factor{1.0};
    };

    /// Elements of a whole stage in these forms, without sparse tables; tied parameters count once if their
    /// owner is on the stage.
    [[nodiscard]] Amount of_stage(const StageUnits& units, std::span<const Form> forms, Held held);

    /// The same for one of its blocks.
    [[nodiscard]] Amount of_unit(const StageUnits& units, std::size_t block, std::span<const Form> forms,
                                 Held held);

    /// Elements of a stage's parameters that another stage shares, stored as `storage`: tied parameters whose
    /// owner is on another stage, and owners of such parameters.
    [[nodiscard]] Amount shared(const StageUnits& units, Storage storage, Held held);

    /// Sparse tables of a stage: their elements, or their rows in fp32.
    [[nodiscard]] Amount tables_of_stage(const StageUnits& units);
    [[nodiscard]] Amount table_rows_of_stage(const StageUnits& units);

    /// Adds one parameter to an amount.
    void append(std::size_t block, TensorId id, Amount::Term form, Amount& amount);

  private:
    void append_unit(const StageUnits& units, const Unit& unit, graph::AxisSet replicas,
                     std::span<const Form> forms, Held held, Amount& amount);
    [[nodiscard]] bool owner_is_here(const StageUnits& units, std::size_t block, TensorId id) const;
    /// Whether a block on another stage is tied to this parameter.
    [[nodiscard]] bool is_shared_elsewhere(const StageUnits& units, TensorId id, std::size_t block) const;

    std::span<const Block> blocks_;
    std::span<const Sharding> shardings_;
    Extents& extents_;
};

}  // namespace dse::frontend
