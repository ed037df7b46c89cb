#include "trace/chakra/size_evidence.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chakra/execution_trace.pb.h"
#include "trace/chakra/parse_record.hpp"
#include "trace/chakra/printed_tensors.hpp"
#include "trace/chakra/record_stream.hpp"

namespace dse::trace::chakra {
namespace {

std::optional<double> number_of(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Sum of the sizes in [name, size, name, size, …].
std::optional<double> listed_size(const wire::StringList& list) {
    if (list.values_size() == 0 || list.values_size() % 2 != 0) return std::nullopt;
    double sum = 0;
    for (int v = 1; v < list.values_size(); v += 2) {
        const auto size = number_of(list.values(v));
        if (!size) return std::nullopt;
        sum += *size;
    }
    return sum;
}

std::optional<double> integer_of(const wire::Attribute& attribute) {
    switch (attribute.value_case()) {
        case wire::Attribute::kInt64Val:
            return static_cast<double>(attribute.int64_val());
        case wire::Attribute::kUint64Val:
            return static_cast<double>(attribute.uint64_val());
        case wire::Attribute::kInt32Val:
            return static_cast<double>(attribute.int32_val());
        case wire::Attribute::kUint32Val:
            return static_cast<double>(attribute.uint32_val());
        default:
            return std::nullopt;
    }
}

/// Number of nodes that could provide evidence, and of those that do.
struct Count {
    std::uint64_t could{0};
    std::uint64_t does{0};
    void add(bool says_so) {
        ++could;
        does += says_so ? 1 : 0;
    }
    /// Nine out of ten, since a few may count something else.
    [[nodiscard]] bool convinces() const { return could > 0 && 10 * does >= 9 * could; }
};

struct Evidence {
    Count results;
    Count halves;
    Count tensors;
    Count odd;

    void add(const wire::Node& node) {
        std::optional<double> tensor_size;
        std::optional<double> comm_size;
        std::optional<double> outputs;
        for (const wire::Attribute& attribute : node.attributes()) {
            if (attribute.name() == "tensor_size") tensor_size = integer_of(attribute);
            if (attribute.name() == "comm_size") comm_size = integer_of(attribute);
            if (attribute.name() == "outputs") outputs = listed_size(attribute.string_list());
        }
        if (node.type() == wire::COMP_NODE && tensor_size && outputs && *outputs > 0) {
            results.add(*tensor_size == *outputs);
            halves.add(2 * *tensor_size == *outputs);
        }
        if (!comm_size || *comm_size == 0) return;
        odd.add(static_cast<std::uint64_t>(*comm_size) % 2 == 1);
        const PrintedTensors printed = printed_tensors(node.inputs().values());
        if (printed.elements > 0 && printed.bytes > printed.elements)
            tensors.add(*comm_size == static_cast<double>(printed.elements));
    }

    [[nodiscard]] std::string text() const {
        std::vector<std::string> reasons;
        if (results.convinces())
            reasons.push_back(fmt::format("tensor_size of {} of {} kernels is what their results alone count",
                                          results.does, results.could));
        if (halves.convinces())
            reasons.push_back(fmt::format("tensor_size of {} of {} kernels is half of their results' bytes",
                                          halves.does, halves.could));
        if (tensors.convinces())
            reasons.push_back(
                fmt::format("comm_size of {} of {} nodes is the number of their tensors' elements",
                            tensors.does, tensors.could));
        if (odd.could >= 8 && 2 * odd.does > odd.could)
            reasons.push_back(fmt::format("comm_size of {} of {} nodes is odd", odd.does, odd.could));
        return fmt::format("{}", fmt::join(reasons, "; "));
    }
};

}  // namespace

std::string evidence_of_elements(const std::string& path, std::vector<std::uint64_t>& refused) {
    RecordStream records{path};
    std::span<const std::uint8_t> record;
    Evidence evidence;
    wire::Node node;
    records.next(record);  // skips the file's metadata
    while (records.next(record)) {
        if (parse_record(record, node))
            evidence.add(node);
        else
            refused.push_back(records.number());
    }
    return evidence.text();
}

}  // namespace dse::trace::chakra
