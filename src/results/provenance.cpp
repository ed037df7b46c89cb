#include "dse/results/provenance.hpp"

#include <array>
#include <ctime>

#include <unistd.h>

#include "dse_build_identity.hpp"

namespace dse::results {
namespace {

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

}  // namespace

std::string_view dse_version() {
    return build_identity::version;
}

std::string_view git_hash() {
    return build_identity::git_hash;
}

std::string host_name() {
    std::array<char, 256> text{};
    // The last byte stays zero: POSIX does not specify whether a truncated name is terminated.
    if (gethostname(text.data(), text.size() - 1) != 0) return "unknown";
    return text.data();
}

Provenance this_run() {
    return {.dse_version = std::string{dse_version()},
            .git_hash = std::string{git_hash()},
            .host = host_name(),
            .start = utc_now()};
}

}  // namespace dse::results
