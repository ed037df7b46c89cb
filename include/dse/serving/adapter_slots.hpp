#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dse::serving {

/// The places in a device's memory for low-rank adapters, and requests that wait by adapter. An adapter stays
/// in its place until another one needs it; that of the adapter unused for longest is taken.
class AdapterSlots {
  public:
    /// \param adapters  number of them, named from 0
    /// \param slots  >= 1
    AdapterSlots(std::int64_t adapters, std::int64_t slots);

    /// Adapters that running requests name.
    [[nodiscard]] std::span<const std::uint32_t> active() const { return active_; }
    /// Whether a request that names this adapter may run.
    [[nodiscard]] bool allow(std::uint32_t adapter) const {
        return adapters_[adapter].users > 0 || active_.size() < slots_;
    }
    /// A request starts to run; its adapter must be allowed. \returns whether the adapter has to be loaded
    bool enter(std::uint32_t adapter);
    void leave(std::uint32_t adapter);

    /// A request waits. \param number  larger than those of all before it
    void wait(std::uint32_t adapter, std::size_t number);
    /// The first waiting request of this adapter; `nobody` if there is none.
    [[nodiscard]] std::size_t first(std::uint32_t adapter) const;
    /// The first waiting request of this adapter waits no longer.
    void pop(std::uint32_t adapter);
    /// A waiting request of this adapter waits no longer, first or not.
    void drop(std::uint32_t adapter, std::size_t number);
    static constexpr std::size_t nobody = ~std::size_t{0};

  private:
    struct Adapter {
        std::int64_t users{0};
        bool resident{false};
        std::int64_t left{0};  ///< how many adapters had become unused before it last did
        std::vector<std::size_t> line;
        std::size_t next{0};  ///< in the line
    };

    std::size_t slots_;
    std::vector<Adapter> adapters_;
    std::vector<std::uint32_t> active_;
    std::vector<std::uint32_t> resident_;
    std::int64_t departures_{0};
};

}  // namespace dse::serving
