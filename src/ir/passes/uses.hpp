#pragma once

#include <cstdint>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// The readers of a program's values.
class Uses {
  public:
    explicit Uses(const Program& program);

    struct Place {
        ComputationId computation;
        std::int32_t operation{-1};  ///< −1: it is a result of the computation
        friend bool operator==(const Place&, const Place&) = default;
    };
    [[nodiscard]] const std::vector<Place>& of(ValueId value) const { return places_[value.index()]; }

  private:
    std::vector<std::vector<Place>> places_;
};

}  // namespace dse::ir
