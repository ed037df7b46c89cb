#pragma once

#include <cstdint>
#include <memory>

#include "dse/netsim/astra/events.hpp"

namespace dse::netsim {

/// The bus inside a device ("model-shared-bus"): a LogGP model with these parameters.
struct AstraBusRules {
    Ticks latency{0};          ///< "L"
    Ticks overhead{0};         ///< "o", of either end
    Ticks gap{0};              ///< "g", between transfers
    double per_byte{0.0};      ///< "G", ticks
    Ticks local_reduction{1};  ///< "local-reduction-delay", for every 100 bytes
};

/// What a collective moves inside a device before it can send.
struct AstraBundle {
    enum class Way : std::uint8_t { to_network, from_network };
    Way way{Way::to_network};
    std::int64_t bytes{0};
    bool reduced{false};    ///< its contents are added
    bool sent_back{false};  ///< and go back the way they came
};

/// The bus of one device: what its processor and its network adapter exchange goes one at a time over a bus
/// between them, and over another one between the processor and its memory.
class AstraBus {
  public:
    using Action = AstraEvents::Action;

    /// \param events  outlives it \param device  whose bus it is
    AstraBus(const AstraBusRules& rules, AstraEvents& events, std::size_t device);
    ~AstraBus();
    AstraBus(AstraBus&&) noexcept;
    AstraBus& operator=(AstraBus&&) = delete;

    /// \param done  once the bundle is where it belongs; sums cost what the bus charges for them alone
    /// \throws ModelError for a bundle of 2 GiB or more, whose size ASTRA-sim would take for a negative one
    void send(const AstraBundle& bundle, Action done);

  private:
    class Line;
    std::unique_ptr<Line> line_;
};

}  // namespace dse::netsim
