#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/temporary_folder.hpp"

namespace dse::test {

/// A Chakra trace byte by byte, of sends, receives, computation and collectives.
class TraceBytes {
  public:
    using Ids = std::vector<std::uint64_t>;

    TraceBytes() { add(field(1, "0.0.4")); }

    TraceBytes& send(std::uint64_t id, std::int64_t to, std::int64_t bytes, std::int64_t tag,
                     const Ids& after = {}) {
        return node(id, 5, 0, after,
                    attribute("comm_dst", to) + attribute("comm_size", bytes) + attribute("comm_tag", tag));
    }
    TraceBytes& receive(std::uint64_t id, std::int64_t from, std::int64_t bytes, std::int64_t tag,
                        const Ids& after = {}) {
        return node(id, 6, 0, after,
                    attribute("comm_src", from) + attribute("comm_size", bytes) + attribute("comm_tag", tag));
    }
    TraceBytes& compute(std::uint64_t id, std::uint64_t micros, const Ids& after = {}) {
        return node(id, 4, micros, after, "");
    }
    /// \param type  Chakra's comm_type: 0 all-reduce, 2 all-gather, 6 all-to-all, 7 reduce-scatter
    TraceBytes& collective(std::uint64_t id, std::int64_t type, std::int64_t bytes, const Ids& after = {}) {
        return node(id, 7, 0, after, attribute("comm_type", type) + attribute("comm_size", bytes));
    }

    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    static std::string number(std::uint64_t value) {
        std::string text;
        for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
        return text + static_cast<char>(value);
    }
    static std::string field(std::uint64_t tag, std::uint64_t value) {
        return number(tag << 3) + number(value);
    }
    static std::string field(std::uint64_t tag, const std::string& bytes) {
        return number(tag << 3 | 2) + number(bytes.size()) + bytes;
    }
    static std::string attribute(const std::string& name, std::int64_t value) {
        constexpr std::uint64_t int64_val = 9;
        return field(10, field(1, name) + field(int64_val, static_cast<std::uint64_t>(value)));
    }
    TraceBytes& node(std::uint64_t id, std::uint64_t type, std::uint64_t micros, const Ids& after,
                     const std::string& attributes) {
        std::string parents;
        for (const std::uint64_t parent : after) parents += number(parent);
        return add(field(1, id) + field(2, "n" + std::to_string(id)) + field(3, type) + field(5, parents) +
                   field(7, micros) + attributes);
    }
    TraceBytes& add(const std::string& record) {
        text_ += number(record.size()) + record;
        return *this;
    }

    std::string text_;
};

using ScheduleBytes = std::vector<TraceBytes>;

/// All-reduce of `bytes` round a ring of n: what comes in is added in so many µs, then passed on.
inline ScheduleBytes ring_bytes(std::int64_t n, std::int64_t bytes, std::uint64_t micros) {
    ScheduleBytes all(static_cast<std::size_t>(n));
    for (std::int64_t r = 0; r < n; ++r) {
        TraceBytes& own = all[static_cast<std::size_t>(r)];
        std::uint64_t id = 0;
        TraceBytes::Ids before;
        for (std::int64_t s = 0; s < 2 * (n - 1); ++s) {
            own.send(id, (r + 1) % n, bytes / n, s, before);
            own.receive(id + 1, (r + n - 1) % n, bytes / n, s, before);
            id += 2;
            before = {id - 1};
            if (s >= n - 1) continue;
            own.compute(id, micros, before);
            before = {id++};
        }
    }
    return all;
}

/// All-reduce of `bytes`: everybody sends everybody a share, first the next one, adds them up, and sends the
/// sum.
inline ScheduleBytes direct_bytes(std::int64_t n, std::int64_t bytes, std::uint64_t micros) {
    ScheduleBytes all(static_cast<std::size_t>(n));
    for (std::int64_t r = 0; r < n; ++r) {
        TraceBytes& own = all[static_cast<std::size_t>(r)];
        std::uint64_t id = 0;
        TraceBytes::Ids sums;
        for (std::int64_t other = (r + 1) % n; other != r; other = (other + 1) % n) {
            own.send(id, other, bytes / n, 0)
                .receive(id + 1, other, bytes / n, 0)
                .compute(id + 2, micros, {id + 1});
            sums.push_back(id + 2);
            id += 3;
        }
        for (std::int64_t other = (r + 1) % n; other != r; other = (other + 1) % n) {
            own.send(id, other, bytes / n, 1, sums).receive(id + 1, other, bytes / n, 1);
            id += 2;
        }
    }
    return all;
}

/// All-reduce of `bytes` up a binary tree and down again.
inline ScheduleBytes tree_bytes(std::int64_t n, std::int64_t bytes, std::uint64_t micros) {
    ScheduleBytes all(static_cast<std::size_t>(n));
    for (std::int64_t r = 0; r < n; ++r) {
        TraceBytes& own = all[static_cast<std::size_t>(r)];
        std::uint64_t id = 0;
        TraceBytes::Ids whole;
        for (const std::int64_t child : {2 * r + 1, 2 * r + 2}) {
            if (child >= n) continue;
            own.receive(id, child, bytes, 7).compute(id + 1, micros, {id});
            whole.push_back(id + 1);
            id += 2;
        }
        if (r > 0) {
            own.send(id, (r - 1) / 2, bytes, 7, whole).receive(id + 1, (r - 1) / 2, bytes, 9);
            whole = {id + 1};
            id += 2;
        }
        for (const std::int64_t child : {2 * r + 1, 2 * r + 2}) {
            if (child < n) own.send(id++, child, bytes, 9, whole);
        }
    }
    return all;
}

/// \return the prefix of the files
inline std::string write_schedule(const TemporaryFolder& folder, const std::string& name,
                                  const ScheduleBytes& members) {
    for (std::size_t r = 0; r < members.size(); ++r)
        folder.write(name + "." + std::to_string(r) + ".et", members[r].text());
    return folder.path(name);
}

}  // namespace dse::test
