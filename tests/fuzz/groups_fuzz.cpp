// Any bytes as a file of communicator groups, and as process groups of PyTorch: no crash, nothing thrown but
// what a user is told; whatever is read holds ranks that there are.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dse/base/error.hpp"
#include "dse/trace/chakra/groups.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/invariant.hpp"
#include "trace/chakra/printed_tensors.hpp"
#include "trace/chakra/process_groups.hpp"

namespace {

using namespace dse;
using namespace dse::trace::chakra;

constexpr std::int64_t ranks = 16;

void check(const Groups& groups) {
    for (const auto& [name, members] : groups.added()) {
        DSE_INVARIANT(!members.empty() && members.size() <= ranks);
        for (const std::int64_t rank : members) DSE_INVARIANT(rank >= 0 && rank < ranks);
        DSE_INVARIANT(groups.find(name) == &members);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string& path = fuzz::input_file(data, size, ".json");
    Groups groups{ranks};
    try {
        read_groups(path, groups);
    } catch (const InputError&) {
    }
    check(groups);
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    std::vector<RankTrace> traces(1);
    if (!read_process_groups(text, traces[0].declared)) DSE_INVARIANT(traces[0].declared.empty());
    try {
        add_declared(traces, groups);
    } catch (const InputError&) {
    }
    check(groups);
    const PrintedTensors tensors = printed_tensors(text);
    DSE_INVARIANT(tensors.elements > 0 || tensors.bytes == 0);
    return 0;
}
