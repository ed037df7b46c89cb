#pragma once

#include <memory>
#include <vector>

#include "dse/model/network/network_model.hpp"

namespace dse::eval {

/// Of each communication the time on whichever of several networks has it soonest: no network of them lets
/// anything end earlier.
class LeastNetwork final : public model::NetworkModel {
  public:
    /// \param networks  at least one, of equal traits
    explicit LeastNetwork(std::vector<std::unique_ptr<model::NetworkModel>> networks);

    [[nodiscard]] Seconds time(const model::Communication& what) const override;

  private:
    std::vector<std::unique_ptr<model::NetworkModel>> networks_;
};

}  // namespace dse::eval
