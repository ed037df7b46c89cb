#include "dse/trace/kineto/profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"
#include "trace/chakra/process_groups.hpp"
#include "trace/kineto/element_bytes.hpp"
#include "trace/kineto/packed_text.hpp"

namespace dse::trace::kineto {
namespace {

using Json = nlohmann::json;

/// What is wrong with a text, without the library's own terms.
std::string reason_of(const Json::exception& error) {
    if (const auto* syntax = dynamic_cast<const Json::parse_error*>(&error))
        return fmt::format("it is not JSON from byte {} on", syntax->byte);
    const std::string_view text = error.what();
    const std::size_t end = text.find("] ");
    return std::string{end == std::string_view::npos ? text : text.substr(end + 2)};
}

const Json* member(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

std::string text_of(const Json& object, const char* key) {
    const Json* value = member(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string{};
}

/// A number, or a string that contains one: Kineto has used both for some fields.
std::optional<double> number_of(const Json* value) {
    if (value == nullptr) return std::nullopt;
    if (value->is_number()) return value->get<double>();
    if (!value->is_string()) return std::nullopt;
    const Json parsed = Json::parse(value->get_ref<const std::string&>(), nullptr, false);
    return parsed.is_number() ? std::optional{parsed.get<double>()} : std::nullopt;
}

std::optional<std::int64_t> integer_of(const Json& object, const char* key) {
    constexpr double most = 9e15;
    const auto value = number_of(member(object, key));
    if (!value || !(std::abs(*value) < most)) return std::nullopt;
    return std::llround(*value);
}

/// Splits off whole microseconds first: nanoseconds since 1970 have more digits than a double.
std::int64_t nanoseconds(double micros) {
    const double whole = std::floor(micros);
    return static_cast<std::int64_t>(whole) * 1000 + std::llround((micros - whole) * 1e3);
}

/// Total number of elements in nested lists of dimensions: the products, summed over the tensors.
double elements_of(const Json& dimensions) {
    if (!dimensions.is_array()) return 0;
    const bool is_shape =
        std::all_of(dimensions.begin(), dimensions.end(), [](const Json& d) { return d.is_number(); });
    double elements = is_shape && !dimensions.empty() ? 1 : 0;
    for (const Json& entry : dimensions) {
        if (is_shape)
            elements *= entry.get<double>();
        else
            elements += elements_of(entry);
    }
    return elements;
}

std::vector<std::int64_t> ranks_in(const std::string& text) {
    std::vector<std::int64_t> ranks;
    const Json list = Json::parse(text, nullptr, false);
    if (!list.is_array()) return ranks;
    for (const Json& rank : list) {
        if (rank.is_number_integer()) ranks.push_back(rank.get<std::int64_t>());
    }
    return ranks;
}

/// The note on an NCCL kernel in newer profiles.
std::optional<CollectiveNote> note_of_kernel(const Json& args) {
    CollectiveNote note;
    note.kind = text_of(args, "Collective name");
    if (note.kind.empty()) return std::nullopt;
    note.group = text_of(args, "Process Group Name");
    note.ranks = ranks_in(text_of(args, "Process Group Ranks"));
    const std::int64_t width = element_bytes(text_of(args, "dtype"));
    const auto bytes = [&](const char* key) -> std::optional<std::int64_t> {
        const auto elements = integer_of(args, key);
        if (!elements || width == 0) return std::nullopt;
        return *elements * width;
    };
    note.input_bytes = bytes("In msg nelems");
    note.output_bytes = bytes("Out msg nelems");
    return note;
}

/// The note on an annotation such as "nccl:all_reduce".
std::optional<CollectiveNote> note_of_annotation(const std::string& name, const Json& args) {
    constexpr std::string_view prefix = "nccl:";
    if (!name.starts_with(prefix)) return std::nullopt;
    CollectiveNote note;
    note.kind = name.substr(prefix.size());
    const Json* shapes = member(args, "Input Dims");
    const Json* types = member(args, "Input type");
    if (shapes == nullptr || types == nullptr || !types->is_array() || types->empty() ||
        !types->front().is_string())
        return note;
    const std::int64_t width = element_bytes(types->front().get<std::string>());
    if (width > 0) note.input_bytes = std::llround(elements_of(*shapes) * static_cast<double>(width));
    return note;
}

/// Kineto's category names since PyTorch 1.12; before that, most were different.
std::string_view category_of(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> renamed{
        {{"Kernel", "kernel"},
         {"Memcpy", "gpu_memcpy"},
         {"Memset", "gpu_memset"},
         {"Runtime", "cuda_runtime"},
         {"Operator", "cpu_op"}}};
    for (const auto& [before, now] : renamed)
        if (text == before) return now;
    return text;
}

/// Takes events one at a time, so that the JSON document of a profile is never in memory as a whole.
class EventReader {
  public:
    explicit EventReader(Profile& profile) : profile_{profile} {}

    void event(const Json& event) {
        const std::string phase = text_of(event, "ph");
        const auto start = number_of(member(event, "ts"));
        if (phase != "X" || !start) return;
        const double duration = number_of(member(event, "dur")).value_or(0);
        if (!(std::abs(*start) < 1e15 * 9) || !(duration >= 0 && duration < 1e15)) return;
        const Span span{nanoseconds(*start), nanoseconds(*start) + nanoseconds(duration)};
        static const Json none = Json::object();
        const Json* found = member(event, "args");
        take(event, found != nullptr && found->is_object() ? *found : none, span);
    }

  private:
    void take(const Json& event, const Json& args, Span span) {
        const std::string stated = text_of(event, "cat");
        const std::string_view category = category_of(stated);
        const std::string name = text_of(event, "name");
        if (category == "kernel") return device(DeviceWork::Kind::kernel, name, args, span);
        if (category == "gpu_memcpy") return device(DeviceWork::Kind::copy, name, args, span);
        if (category == "gpu_memset") return device(DeviceWork::Kind::set, name, args, span);
        const std::int64_t thread = integer_of(event, "tid").value_or(0);
        if (category == "cuda_runtime" || category == "cuda_driver") {
            profile_.calls.push_back({name, thread, integer_of(args, "correlation").value_or(0), span});
        } else if (category == "cpu_op" || category == "user_annotation") {
            // The profiler's steps used to be operators.
            const bool is_annotation = category == "user_annotation" || name.starts_with("ProfilerStep#");
            auto note = note_of_annotation(name, args);
            profile_.host.push_back({name, thread, span, std::move(note), is_annotation});
        } else if (category == "cuda_sync") {
            profile_.syncs.push_back({name, integer_of(args, "correlation").value_or(0),
                                      integer_of(args, "stream"), integer_of(args, "wait_on_stream"),
                                      integer_of(args, "wait_on_cuda_event_record_corr_id")});
        }
    }

    void device(DeviceWork::Kind kind, const std::string& name, const Json& args, Span span) {
        DeviceWork work{kind,
                        name,
                        integer_of(args, "device").value_or(0),
                        integer_of(args, "stream").value_or(0),
                        integer_of(args, "correlation").value_or(0),
                        integer_of(args, "bytes").value_or(0),
                        span,
                        {}};
        if (kind == DeviceWork::Kind::kernel) work.collective = note_of_kernel(args);
        profile_.device.push_back(std::move(work));
    }

    Profile& profile_;
};

void read_distribution(const Json& document, Profile& profile) {
    const Json* info = member(document, "distributedInfo");
    if (info == nullptr || !info->is_object()) return;
    profile.rank = integer_of(*info, "rank");
    profile.ranks = integer_of(*info, "world_size");
    if (const Json* groups = member(*info, "pg_config"))
        chakra::read_process_groups(groups->dump(), profile.groups);
}

/// Makes times relative to the first event.
void sort_and_shift(Profile& profile) {
    std::int64_t zero = std::numeric_limits<std::int64_t>::max();
    const auto each = [&profile](const auto& use) {
        for (auto* events : {&profile.device}) use(*events);
        for (auto* events : {&profile.calls}) use(*events);
        for (auto* events : {&profile.host}) use(*events);
    };
    each([&zero](auto& events) {
        std::stable_sort(events.begin(), events.end(),
                         [](const auto& a, const auto& b) { return a.span.start < b.span.start; });
        if (!events.empty()) zero = std::min(zero, events.front().span.start);
    });
    if (profile.device.empty() && profile.calls.empty() && profile.host.empty()) return;
    profile.zero = zero;
    each([zero](auto& events) {
        for (auto& event : events) event.span = {event.span.start - zero, event.span.end - zero};
    });
}

/// A hint at what other JSON it may be.
std::string_view instead(const Json& document) {
    if (document.is_object() && document.contains("nodes"))
        return ": it is an execution trace of a host (--host-traces, beside a profile)";
    return "";
}

/// Files that PARAM and others publish as archives.
bool is_tar(std::string_view text) {
    constexpr std::size_t magic = 257;  // POSIX.1-1988, ustar
    return text.size() > magic + 5 && text.substr(magic, 5) == "ustar";
}

}  // namespace

Profile read_profile(const std::string& path) {
    Profile profile;
    profile.path = path;
    EventReader reader{profile};
    bool has_events = false;
    // Events are at depth 2 in {"traceEvents": [{…}, …]}; each is dropped after use.
    std::string key;
    const auto take = [&](int depth, Json::parse_event_t what, Json& value) {
        if (what == Json::parse_event_t::key && depth == 1) key = value.get<std::string>();
        if (key != "traceEvents") return true;
        if (what == Json::parse_event_t::array_start && depth == 1) has_events = true;
        if (what != Json::parse_event_t::object_end || depth != 2) return true;
        reader.event(value);
        return false;
    };
    try {
        const auto text = read_packed(path);
        if (is_tar(text)) throw InputError(fmt::format("'{}' is an archive (tar): unpack it first", path));
        const Json document = Json::parse(text, take);
        if (!document.is_object() || !has_events)
            throw InputError(fmt::format("'{}' is not a profile: it has no list 'traceEvents'{}", path,
                                         instead(document)));
        read_distribution(document, profile);
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("'{}' is not a profile: {}", path, reason_of(error)));
    }
    sort_and_shift(profile);
    return profile;
}

}  // namespace dse::trace::kineto
