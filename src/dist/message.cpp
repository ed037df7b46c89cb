#include "dse/dist/message.hpp"

#include <cstring>

#include "dse/base/check.hpp"

namespace dse::dist {

Tally& Tally::operator+=(const Tally& other) {
    indices += other.indices;
    rows += other.rows;
    infeasible += other.infeasible;
    failures += other.failures;
    return *this;
}

std::string to_bytes(const Message& message, int sender) {
    MessageHead head = message;
    head.sender = sender;
    std::string bytes;
    bytes.reserve(sizeof(head) + message.body.size());
    bytes.append(reinterpret_cast<const char*>(&head), sizeof(head));
    bytes.append(message.body);
    return bytes;
}

Message from_bytes(std::string_view bytes) {
    DSE_REQUIRE(bytes.size() >= sizeof(MessageHead));
    Message message;
    std::memcpy(static_cast<MessageHead*>(&message), bytes.data(), sizeof(MessageHead));
    message.body = bytes.substr(sizeof(MessageHead));
    return message;
}

}  // namespace dse::dist
