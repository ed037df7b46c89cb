#pragma once

#include <limits>
#include <string>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"

namespace dse::model {

/// A time, and what a model has to say of it.
struct Account {
    Seconds time;
    double cycles{std::numeric_limits<double>::quiet_NaN()};  ///< NaN: the model knows none
    std::string remark;                                       ///< empty, or what the answer rests on
};

/// Time of one operator on one device. Implementations are pure: same work, same time; no allocation.
class ComputeModel {
  public:
    ComputeModel() = default;
    ComputeModel(const ComputeModel&) = delete;
    ComputeModel& operator=(const ComputeModel&) = delete;
    virtual ~ComputeModel() = default;

    /// \throws ModelError when the device or the model cannot run this work
    [[nodiscard]] virtual Seconds time(const graph::Compute& work) const = 0;

    /// The same time, explained for people; not for searches. \throws ModelError as time()
    [[nodiscard]] virtual Account account(const graph::Compute& work) const {
        Account account;
        account.time = time(work);
        return account;
    }
};

}  // namespace dse::model
