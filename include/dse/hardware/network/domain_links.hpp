#pragma once

#include <cstdint>

#include "dse/hardware/network/network_spec.hpp"

namespace dse::hardware {

/// Which links of a scale-up domain a group of its devices can use.
///
/// Through a switch, a device sends to any of them at its full rate. If the innermost dimension of the
/// network is `fully_connected`, each device has one link to every other device of its domain, and a group
/// uses those between its own members: of the seven links of a device in a domain of eight, a pair uses one.
/// Nothing is relayed over devices outside of the group.
class DomainLinks {
  public:
    /// \param network  without problems: a fully connected innermost dimension is as large as the domain
    explicit DomainLinks(const NetworkSpec& network);

    /// Whether the devices of a domain are joined without a switch.
    [[nodiscard]] bool are_direct() const { return others_ > 0; }
    /// Fraction of a device's scale-up bandwidth that reaches the other members of a group.
    /// \param members  of the group in this domain, >= 1
    [[nodiscard]] double share(std::int64_t members) const;

  private:
    std::int64_t others_;  ///< devices that a device has a link to; 0 if there is a switch
};

}  // namespace dse::hardware
