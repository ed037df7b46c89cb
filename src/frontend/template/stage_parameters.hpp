#pragma once

#include <optional>
#include <span>
#include <vector>

#include "frontend/template/structure.hpp"

namespace dse::frontend {

/// Sums up a device's part of the parameters of blocks and stages.
class StageParameters {
  public:
    StageParameters(std::span<const Block> blocks, std::span<const Sharding> shardings, Extents& extents);

    /// Whether a device holds all of its replica, or only a share as with ZeRO.
    enum class Held { whole, shared };

    /// Elements of some of a block's parameters, stored as `storage`.
    [[nodiscard]] Amount of(std::size_t block, std::span<const TensorId> parameters, Storage storage,
                            Held held = Held::whole);

    /// A storage of a parameter and how many times it is stored.
    struct Form {
        Storage storage{Storage::parameter};
        double factor{1.0};
        bool only_trained{false};  ///< none of frozen parameters
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

    /// The originals of a stage's parameters of which copies are trained; tied ones as in of_stage.
    [[nodiscard]] Amount originals(const StageUnits& units, Held held);

    /// Number of a stage's parameters that are trained, and of those whose gradients replicas reduce if
    /// these axes are active; without sparse tables, tied ones as in of_stage.
    [[nodiscard]] double trained(const StageUnits& units);
    [[nodiscard]] double reduced(const StageUnits& units, graph::AxisSet active);

    /// Sparse tables of a stage: their elements, or their rows in fp32.
    enum class Tables { all, trained };
    [[nodiscard]] Amount tables_of_stage(const StageUnits& units, Tables which = Tables::all);
    [[nodiscard]] Amount table_rows_of_stage(const StageUnits& units);

  private:
    /// A parameter of a block.
    struct Parameter {
        TensorId id;
        const Tensor* tensor{nullptr};
        graph::AxisSet replicas;
        std::optional<Amount::Term> whole{};  ///< elements on one device; set when first asked for
    };

    template <class Visit>
    void for_each(const StageUnits& units, const Visit& visit);
    template <class Accepts>
    double count(const StageUnits& units, const Accepts& accepts);
    /// The storage of a parameter that is stored as `form`.
    static Storage form_of(const Tensor& tensor, Storage form);
    /// Elements of a parameter: `count` copies, stored as `storage`.
    Amount::Term term_of(std::size_t block, Parameter& parameter, Storage storage, double count, Held held);
    void append_unit(const StageUnits& units, const Unit& unit, graph::AxisSet replicas,
                     std::span<const Form> forms, Held held, Amount& amount);
    [[nodiscard]] bool owner_is_here(const StageUnits& units, std::size_t block, const Tensor& tied) const;
    /// Whether a block on another stage is tied to this parameter.
    [[nodiscard]] bool is_shared_elsewhere(const StageUnits& units, const Tensor& owner) const;

    std::span<const Sharding> shardings_;
    Extents& extents_;
    std::vector<std::vector<Parameter>> parameters_;  ///< by block
};

}  // namespace dse::frontend
