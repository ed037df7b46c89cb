#include "sim/chrome_events.hpp"

#include <nlohmann/json.hpp>

namespace dse::sim {
namespace {

constexpr double microseconds_a_nanosecond = 1e-3;

}  // namespace

std::string json_text(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void ChromeEvents::label(std::string_view what, std::size_t process, std::size_t thread,
                         std::string_view name) {
    add(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}},)", what, process, thread, name);
}

void ChromeEvents::sort_process(std::size_t process, std::size_t order) {
    add(R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}},)", process, order);
}

std::string ChromeEvents::micro(double time) const {
    // Perfetto converts microseconds to nanoseconds and truncates, so a tiny amount is added to keep the
    // number of nanoseconds.
    constexpr double hair = 2e-6;
    return fmt::format("{:.6f}", nano(time) * microseconds_a_nanosecond + hair);
}

std::string ChromeEvents::micro(double start, double end) const {
    constexpr double hair = 1e-6;
    return fmt::format("{:.6f}", (nano(end) - nano(start)) * microseconds_a_nanosecond + hair);
}

std::string ChromeEvents::finish() {
    if (text_.back() == ',') text_.pop_back();
    text_ += "]}";
    return std::move(text_);
}

}  // namespace dse::sim
