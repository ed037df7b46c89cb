#include "netsim/astra/scheduled.hpp"

#include "dse/base/check.hpp"

namespace dse::netsim {

AstraScheduled::AstraScheduled(const AstraSchedule& schedule, std::int64_t member)
    : program_{schedule.schedule.members[static_cast<std::size_t>(member)]},
      order_{schedule.orders[static_cast<std::size_t>(member)]},
      ready_{order_.roots},
      waits_{order_.waits} {}

void AstraScheduled::ready(Host& /*host*/) {
    DSE_REQUIRE(false && "a schedule asks for no preparation");
}

void AstraScheduled::received(Host& /*host*/) {
    DSE_REQUIRE(false && "a schedule awaits steps, not messages");
}

void AstraScheduled::ended(Host& host, std::uint32_t step) {
    --at_work_;
    for (const std::uint32_t child : order_.children[step]) {
        if (--waits_[child] == 0) ready_.insert(program_.step(child).id);
    }
    begin_ready(host);
    if (at_work_ == 0 && ready_.empty()) host.finish();
}

void AstraScheduled::begin_ready(Host& host) {
    const std::vector<std::uint64_t> ids{ready_.begin(), ready_.end()};
    for (const std::uint64_t id : ids) {
        const std::uint32_t step = order_.step_of.at(id);
        ready_.erase(id);
        ++at_work_;
        host.begin(program_.step(step), step);
    }
}

}  // namespace dse::netsim
