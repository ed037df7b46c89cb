#include "sim/replay/machine_wires.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/time_quantum.hpp"
#include "sim/replay/traced_collective.hpp"

namespace dse::sim::replay {

using netsim::Ticks;
using trace::chakra::CommType;

Ticks quanta(Seconds time) {
    constexpr double longest = 0x1p20;  // leaves headroom for sums
    if (!(time.value() <= longest))
        throw ModelError(fmt::format("something takes {:g} s, longer than what is played", time.value()));
    return static_cast<Ticks>(std::llround(time.value() / time_quantum));
}

Seconds seconds_of(Ticks quanta) {
    return Seconds{static_cast<double>(quanta) * time_quantum};
}

void IdleWires::collective(CommType type, std::int64_t size, std::span<const std::int64_t> members,
                           Action ended) {
    events_.at(events_.now() + quanta(times_.collective(type, size, members)), std::move(ended));
}

void IdleWires::message(std::int64_t from, std::int64_t to, std::int64_t bytes, Action ended) {
    events_.at(events_.now() + quanta(times_.message(from, to, bytes)), std::move(ended));
}

void LinksInUse::when_ended(netsim::SharedLinks::Number number, Action ended) {
    if (number.index() >= ended_.size()) ended_.resize(number.index() + 1);
    ended_[number.index()] = std::move(ended);
}

void LinksInUse::run_next() {
    constexpr double never = std::numeric_limits<double>::infinity();
    const double event = events_.empty() ? never : seconds_of(events_.next_time()).value();
    const double time = std::min(event, links_.next_time());
    DSE_EXPECT(time < never);
    // The links come first, so that what an event starts begins at its time.
    for (const auto number : links_.advance(time))
        events_.at(quanta(Seconds{time}), std::exchange(ended_[number.index()], {}));
    if (!events_.empty() && seconds_of(events_.next_time()).value() <= time) events_.run_next();
}

void SharedWires::collective(CommType type, std::int64_t size, std::span<const std::int64_t> members,
                             Action ended) {
    const TracedCollective what = traced_collective(type, size, std::ssize(members));
    if (what.size == Bytes{}) {
        links_.events().at(links_.events().now(), std::move(ended));
        return;
    }
    std::vector<std::int64_t> devices;
    for (const std::int64_t member : members) devices.push_back(device(member));
    links_.when_ended(links_.links().begin(what.kind, what.size, devices), std::move(ended));
}

void SharedWires::message(std::int64_t from, std::int64_t to, std::int64_t bytes, Action ended) {
    if (bytes == 0) {
        links_.events().at(links_.events().now(), std::move(ended));
        return;
    }
    const Bytes size{static_cast<double>(bytes)};
    links_.when_ended(links_.links().begin(size, device(from), device(to)), std::move(ended));
}

}  // namespace dse::sim::replay
