#include "trace/kineto/collective_kernel.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace dse::trace::kineto {
namespace {

/// Lower-case letters only, so that "AllReduce_RING", "all_reduce" and "_allgather_base" can be compared.
std::string letters_of(std::string_view name) {
    std::string letters;
    for (const char c : name) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return letters;
}

}  // namespace

bool is_collective_kernel(std::string_view name) {
    const std::string letters = letters_of(name);
    return letters.starts_with("ncclkernel") || letters.starts_with("nccldevkernel") ||
           letters.starts_with("rcclkernel") || letters.starts_with("ncclgenerickernel");
}

chakra::CommType comm_type(std::string_view name) {
    using chakra::CommType;
    // "reduce" comes last: other names contain it.
    constexpr std::array<std::pair<std::string_view, CommType>, 7> kinds{
        {{"allreduce", CommType::all_reduce},
         {"allgather", CommType::all_gather},
         {"reducescatter", CommType::reduce_scatter},
         {"alltoall", CommType::all_to_all},
         {"broadcast", CommType::broadcast},
         {"barrier", CommType::barrier},
         {"reduce", CommType::reduce}}};
    const std::string letters = letters_of(name);
    const auto* found = std::find_if(kinds.begin(), kinds.end(), [&letters](const auto& kind) {
        return letters.find(kind.first) != std::string::npos;
    });
    return found == kinds.end() ? CommType::unknown : found->second;
}

CollectiveWork collective_work(const DeviceWork& kernel, const CollectiveNote* around) {
    const CollectiveNote* note = kernel.collective ? &*kernel.collective : around;
    if (note == nullptr) return {comm_type(kernel.name), std::nullopt, {}};
    CollectiveWork work{comm_type(note->kind), note->input_bytes, note->group};
    if (work.kind == chakra::CommType::unknown) work.kind = comm_type(kernel.name);
    return work;
}

}  // namespace dse::trace::kineto
