#pragma once

#include <cstdint>
#include <memory>

#include "dse/netsim/astra/events.hpp"

namespace dse::netsim {

/// The bus inside a device ("model-shared-bus"): a LogGP model with these parameters.
struct AstraBusRules {
    Ticks latency{0};          ///< "L"
    Ticks overhead{0};         ///< "o", at each end
    Ticks gap{0};              ///< "g", between transfers
    double per_byte{0.0};      ///< "G", ticks
    Ticks local_reduction{1};  ///< "local-reduction-delay", for every 100 bytes
};

/// A transfer within a device that a collective makes before it can send.
struct AstraBundle {
    enum class Way : std::uint8_t { to_network, from_network };
    Way way{Way::to_network};
    std::int64_t bytes{0};
    bool reduced{false};    ///< its contents are reduced
    bool sent_back{false};  ///< the result is sent back the same way
};

/// The buses of one device: transfers between processor and network adapter pass one at a time over one bus,
/// and those between processor and memory over another.
class AstraBus {
  public:
    using Action = AstraEvents::Action;

    /// \param events  must outlive this object \param device  index of the device
    AstraBus(const AstraBusRules& rules, AstraEvents& events, std::size_t device);
    ~AstraBus();
    AstraBus(AstraBus&&) noexcept;
    AstraBus& operator=(AstraBus&&) = delete;

    /// \param done  called when the bundle has arrived; reductions take the time set for the bus only
    /// \throws ModelError for a bundle of 2 GiB or more, whose size would overflow in ASTRA-sim
    void send(const AstraBundle& bundle, Action done);

  private:
    class Line;
    std::unique_ptr<Line> line_;
};

}  // namespace dse::netsim
