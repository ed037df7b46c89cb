#include "dse/trace/chakra/read_trace.hpp"

#include <array>

#include <fmt/format.h>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
#include "trace/chakra/parse_record.hpp"
#include "trace/chakra/record_stream.hpp"
#include "trace/chakra/trace_builder.hpp"

namespace dse::trace::chakra {

std::string_view name(TraceFault::Kind kind) {
    constexpr std::array<std::string_view, 6> names{"unknown dependency", "duplicate id", "wrong kind",
                                                    "out of range",       "unknown type", "bad group"};
    return names[static_cast<std::size_t>(kind)];
}

RankTrace read_trace(const std::string& path, TraceFaults& faults) {
    RecordStream records{path};
    std::span<const std::uint8_t> record;
    if (!records.next(record)) throw InputError(fmt::format("'{}' is not a Chakra trace: it is empty", path));
    wire::GlobalMetadata metadata;
    if (!parse_record(record, metadata)) records.refuse(no_record);
    TraceBuilder builder{faults};
    DecodedNode node;
    while (records.next(record)) {
        if (!decode(record, node)) records.refuse("it is not a Chakra record");
        builder.add(node);
    }
    RankTrace result = builder.finish();
    result.path = path;
    result.version = metadata.version();
    return result;
}

RankTrace read_trace(const std::string& path) {
    TraceFaults faults;
    RankTrace result = read_trace(path, faults);
    if (faults.count == 0) return result;
    const std::string more = faults.count == 1 ? "" : fmt::format(" (and {} more like it)", faults.count - 1);
    throw InputError(fmt::format("'{}': {}{}", path, faults.all.front().text, more));
}

}  // namespace dse::trace::chakra
