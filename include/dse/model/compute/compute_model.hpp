#pragma once

#include <limits>
#include <string>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"

namespace dse::model {

/// A time with an explanation by the model.
struct Account {
    Seconds time;
    double cycles{std::numeric_limits<double>::quiet_NaN()};  ///< NaN: the model has no cycles
    std::string remark;                                       ///< empty, or the basis of the result
};

/// Time of one operator on one device. Implementations are pure (equal work has equal time) and do not
/// allocate.
class ComputeModel {
  public:
    ComputeModel() = default;
    ComputeModel(const ComputeModel&) = delete;
    ComputeModel& operator=(const ComputeModel&) = delete;
    virtual ~ComputeModel() = default;

    /// \throws ModelError if the device or the model does not support this work
    [[nodiscard]] virtual Seconds time(const graph::Compute& work) const = 0;

    /// The same time with an explanation, for display. \throws ModelError like time()
    [[nodiscard]] virtual Account account(const graph::Compute& work) const {
        Account account;
        account.time = time(work);
        return account;
    }
};

}  // namespace dse::model
