#include "ir/readers/mlir/sharding_bytes.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dse::ir::mlir {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr int deepest = 128;

/// Splits a message into its fields. Source: protobuf's encoding
class MessageFields {
  public:
    explicit MessageFields(std::string_view bytes) : rest_{bytes} {}

    struct Field {
        std::uint64_t number{0};
        std::uint64_t value{0};  ///< if it is a number
        std::string_view bytes;  ///< if it is a message, a text or a packed list
        bool is_number{false};
    };

    [[nodiscard]] bool at_end() const { return rest_.empty(); }

    std::optional<Field> next() {
        const auto tag = number();
        if (!tag) return std::nullopt;
        Field field;
        field.number = *tag >> 3U;
        field.is_number = (*tag & 7U) == 0;
        const auto value = number();
        if (!value || (!field.is_number && (*tag & 7U) != 2)) return std::nullopt;
        field.value = *value;
        if (field.is_number) return field;
        if (*value > rest_.size()) return std::nullopt;
        field.bytes = rest_.substr(0, *value);
        rest_.remove_prefix(*value);
        return field;
    }

    std::optional<std::uint64_t> number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) return value;
        }
        return std::nullopt;
    }

  private:
    std::string_view rest_;
};

/// Appends the numbers of a repeated field, packed or single.
bool add(const MessageFields::Field& field, Numbers& numbers) {
    if (field.is_number) {
        numbers.push_back(field.value);
        return true;
    }
    MessageFields packed{field.bytes};
    while (!packed.at_end()) {
        const auto number = packed.number();
        if (!number) return false;
        numbers.push_back(*number);
    }
    return true;
}

struct Message {
    enum Type : std::uint64_t { replicated, maximal, tuple, other, manual, unknown, unreduced };
    std::uint64_t type{replicated};
    Numbers tiles;
    Numbers devices;
    std::vector<std::string> members;
    bool last_is_replicated{false};
    Numbers last;
    Numbers iota;
    Numbers order;
};

std::optional<std::string> words_of(std::string_view bytes, int depth);

bool take(const MessageFields::Field& field, int depth, Message& message) {
    switch (field.number) {
        case 1:
            message.type = field.value;
            return field.is_number;
        case 3:
            return add(field, message.tiles);
        case 4:
            return add(field, message.devices);
        case 5: {
            auto member = words_of(field.bytes, depth + 1);
            if (!member) return false;
            message.members.push_back(*std::move(member));
            return true;
        }
        case 6:
            message.last_is_replicated = field.value != 0;
            return true;
        case 8:
            return add(field, message.last);
        case 9:
            return add(field, message.iota);
        case 10:
            return add(field, message.order);
        default:
            return true;  // the origin of the sharding and its propagation group
    }
}

std::string_view word_of(std::uint64_t type) {
    switch (type) {
        case Message::replicated:
            return "replicated";
        case Message::manual:
            return "manual";
        case Message::unreduced:
            return "unreduced";
        default:
            return "unknown";
    }
}

std::string tiled(const Message& message) {
    std::string text = fmt::format("{{devices=[{}]", fmt::join(message.tiles, ","));
    if (message.iota.empty()) {
        text += fmt::format("{}", fmt::join(message.devices, ","));
    } else {
        text += fmt::format("<=[{}]", fmt::join(message.iota, ","));
        if (!message.order.empty()) text += fmt::format("T({})", fmt::join(message.order, ","));
    }
    if (message.last_is_replicated) text += " last_tile_dim_replicate";
    std::vector<std::string_view> last;
    for (const std::uint64_t type : message.last) last.push_back(word_of(type));
    if (!last.empty()) text += fmt::format(" last_tile_dims={{{}}}", fmt::join(last, ","));
    return text + "}";
}

std::string words_of(const Message& message) {
    switch (message.type) {
        case Message::tuple:
            return fmt::format("{{{}}}", fmt::join(message.members, ","));
        case Message::maximal:
            return fmt::format("{{maximal device={}}}", message.devices.empty() ? 0 : message.devices[0]);
        case Message::other:
            return tiled(message);
        default:
            return fmt::format("{{{}}}", word_of(message.type));
    }
}

std::optional<std::string> words_of(std::string_view bytes, int depth) {
    if (depth == deepest) return std::nullopt;
    Message message;
    MessageFields fields{bytes};
    while (!fields.at_end()) {
        const auto field = fields.next();
        if (!field || !take(*field, depth, message)) return std::nullopt;
    }
    return message.type > Message::unreduced ? std::nullopt : std::optional{words_of(message)};
}

}  // namespace

std::optional<std::string> sharding_words(std::string_view bytes) {
    return words_of(bytes, 0);
}

}  // namespace dse::ir::mlir
