#pragma once

#include <memory>
#include <vector>

#include "dse/model/network/network_model.hpp"

namespace dse::eval {

/// Lower bound over several networks: the time of each communication is the shortest on any of them.
class LeastNetwork final : public model::NetworkModel {
  public:
    /// \param networks  at least one; all with equal traits
    explicit LeastNetwork(std::vector<std::unique_ptr<model::NetworkModel>> networks);

    [[nodiscard]] Seconds time(const model::Communication& what) const override;

  private:
    std::vector<std::unique_ptr<model::NetworkModel>> networks_;
};

}  // namespace dse::eval
