#include "app/carried_sweep.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::app {

CarriedSweep::CarriedSweep(const std::string& beside, const std::string& yaml)
    : file_{fmt::format("{}.sweep-{}.yaml", beside, getpid())} {
    errno = 0;
    std::ofstream stream(file_.path(), std::ios::binary);
    stream << yaml;
    stream.flush();
    if (!stream) {
        throw InputError(fmt::format("cannot write '{}', a temporary copy of the sweep: {}", path(),
                                     std::strerror(errno != 0 ? errno : EIO)));
    }
}

}  // namespace dse::app
