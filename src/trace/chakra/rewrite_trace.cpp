#include "rewrite_trace.hpp"

#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "trace/chakra/parse_record.hpp"
#include "trace/chakra/record_stream.hpp"
#include "trace/chakra/record_writer.hpp"

namespace dse::trace::chakra {
namespace {

/// Names that are not UTF-8 pass the fast reader but not protobuf.
template <class Message>
void parse(const RecordStream& records, std::span<const std::uint8_t> record, Message& message) {
    if (!parse_record(record, message)) records.refuse(no_record);
}

}  // namespace

void rewrite_trace(const std::string& from, const std::string& to, Existing existing,
                   const Rewriting& rewriting) {
    RecordStream records{from};
    std::span<const std::uint8_t> record;
    if (!records.next(record)) throw InputError(fmt::format("'{}' is not a Chakra trace: it is empty", from));
    wire::GlobalMetadata metadata;
    parse(records, record, metadata);
    if (rewriting.metadata) rewriting.metadata(metadata);
    TraceFile file{to, Compression::none, existing};
    RecordWriter writer{file};
    writer.message(metadata);
    wire::Node node;
    for (std::size_t index = 0; records.next(record); ++index) {
        parse(records, record, node);
        rewriting.node(node, index);
        writer.message(node);
    }
    writer.flush();
    file.close();
}

}  // namespace dse::trace::chakra
