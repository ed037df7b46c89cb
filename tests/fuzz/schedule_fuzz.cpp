// Any bytes as the schedule of a collective, both of whose members do the same: no crash, no hang, nothing
// thrown but what a user is told; and what is found to end is played to its end, in a time that is one.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/error.hpp"
#include "dse/netsim/schedule/check_schedule.hpp"
#include "dse/netsim/schedule/play_schedule.hpp"
#include "dse/netsim/schedule/port_play.hpp"
#include "dse/netsim/schedule/schedule.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse;
using namespace dse::netsim;

/// A nanosecond a byte.
class Line final : public model::NetworkModel {
  public:
    [[nodiscard]] Seconds time(const model::Communication& what) const override {
        return Seconds{1e-9 * what.size.value()};
    }
};

/// Two members' files: two bytes say how long the first one is. \return what their names begin with
std::string write_members(const std::uint8_t* data, std::size_t size) {
    const std::size_t stated = size < 2 ? 0 : data[0] | static_cast<std::size_t>(data[1]) << 8U;
    const std::size_t begin = std::min<std::size_t>(size, 2);
    const std::size_t cut = std::min(size, begin + stated);
    const std::string& first = fuzz::input_file<0>(data + begin, cut - begin, ".schedule.0.et");
    fuzz::input_file<1>(data + cut, size - cut, ".schedule.1.et");
    return first.substr(0, first.size() - std::string{".0.et"}.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string prefix = write_members(data, size);
    try {
        const Schedule schedule = read_schedule(prefix);
        DSE_INVARIANT(schedule.members.size() == 2);
        check_schedule(schedule, 2);
        const Schedule larger = schedule.scaled(1e12);
        DSE_INVARIANT(larger.members[0].size() == schedule.members[0].size());
        const std::vector<std::vector<std::int64_t>> groups{{0, 1}};
        const Line line;
        PortPlay ports{line, 2};
        const Seconds time = play_schedule(schedule, 1.0, groups, ports);
        DSE_INVARIANT(std::isfinite(time.value()) && time >= Seconds{});
    } catch (const InputError&) {
    } catch (const ModelError&) {
    }
    return 0;
}
