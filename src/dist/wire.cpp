#include "dist/wire.hpp"

#include <cstring>
#include <type_traits>

#include "dse/base/check.hpp"

namespace dse::dist {
namespace {

template <class T>
void put(std::string& body, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    body.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// Parses a body from its front.
class Cutter {
  public:
    explicit Cutter(std::string_view body) : rest_{body} {}

    [[nodiscard]] bool done() const { return rest_.empty(); }

    std::string_view bytes(std::size_t count) {
        DSE_REQUIRE(count <= rest_.size());
        const std::string_view front = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return front;
    }

    template <class T>
    T value() {
        T result;
        std::memcpy(&result, bytes(sizeof(T)).data(), sizeof(T));
        return result;
    }

  private:
    std::string_view rest_;
};

/// The fixed-size part of a record.
struct FlatRecord {
    std::uint64_t id;
    metrics::Metrics metrics;
    double wall_seconds;
    std::int32_t rank;
    space::Status status;
    std::size_t more;
    std::size_t reason_bytes;
};

}  // namespace

void append(std::string& body, std::span<const double> numbers) {
    body.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

std::vector<double> numbers_of(std::string_view body) {
    std::vector<double> numbers(body.size() / sizeof(double));
    if (!numbers.empty()) std::memcpy(numbers.data(), body.data(), numbers.size() * sizeof(double));
    return numbers;
}

void append(std::string& body, const Trial& trial) {
    put(body, trial.point.id);
    put(body, trial.fidelity);
    put(body, trial.point.values.size());
    append(body, trial.point.values);
}

std::vector<Trial> trials_of(std::string_view body) {
    std::vector<Trial> trials;
    for (Cutter cutter{body}; !cutter.done();) {
        Trial& trial = trials.emplace_back();
        trial.point.id = cutter.value<std::uint64_t>();
        trial.fidelity = cutter.value<Fidelity>();
        const auto count = cutter.value<std::size_t>();
        trial.point.values = numbers_of(cutter.bytes(count * sizeof(double)));
    }
    return trials;
}

void append(std::string& body, const space::Record& record) {
    put(body, FlatRecord{record.point.id, record.metrics, record.wall_seconds, record.rank, record.status,
                         record.more.size(), record.reason.size()});
    append(body, record.more);
    body.append(record.reason);
}

std::vector<space::Record> records_of(std::string_view body) {
    std::vector<space::Record> records;
    for (Cutter cutter{body}; !cutter.done();) {
        const auto flat = cutter.value<FlatRecord>();
        space::Record& record = records.emplace_back();
        record.point.id = flat.id;
        record.metrics = flat.metrics;
        record.wall_seconds = flat.wall_seconds;
        record.rank = flat.rank;
        record.status = flat.status;
        record.more = numbers_of(cutter.bytes(flat.more * sizeof(double)));
        record.reason = cutter.bytes(flat.reason_bytes);
    }
    return records;
}

}  // namespace dse::dist
