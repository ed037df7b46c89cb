#include "trace/kineto/host_timeline.hpp"

#include <algorithm>

namespace dse::trace::kineto {
namespace {

std::vector<Span> joined(std::vector<Span> spans) {
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
    std::vector<Span> result;
    for (const Span& span : spans) {
        if (!result.empty() && span.start <= result.back().end) {
            result.back().end = std::max(result.back().end, span.end);
        } else {
            result.push_back(span);
        }
    }
    return result;
}

/// What a thread does within a gap; empty if it is busy at either end of the gap.
Span work_within(const std::vector<Span>& busy, const Span& gap, std::int64_t& time) {
    auto at = std::lower_bound(busy.begin(), busy.end(), gap.start,
                               [](const Span& span, std::int64_t start) { return span.start < start; });
    time = 0;
    if (at != busy.begin() && std::prev(at)->end > gap.start) return {};
    if (at == busy.end() || at->end > gap.end) return {};
    Span work{at->start, at->end};
    for (; at != busy.end() && at->start < gap.end; ++at) {
        if (at->end > gap.end) {
            time = 0;
            return {};
        }
        work.end = at->end;
        time += at->duration();
    }
    return work;
}

}  // namespace

std::map<std::int64_t, std::vector<Span>> busy_spans(const Profile& profile) {
    std::map<std::int64_t, std::vector<Span>> spans;
    for (const HostSpan& span : profile.host) {
        if (!span.is_annotation) spans[span.thread].push_back(span.span);
    }
    for (const RuntimeCall& call : profile.calls) spans[call.thread].push_back(call.span);
    for (auto& [thread, own] : spans) own = joined(std::move(own));
    return spans;
}

std::vector<HandOff> hand_offs(const std::map<std::int64_t, std::vector<Span>>& busy) {
    std::vector<HandOff> result;
    for (const auto& [caller, own] : busy) {
        for (std::size_t n = 0; n + 1 < own.size(); ++n) {
            const Span gap{own[n].end, own[n + 1].start};
            for (const auto& [worker, other] : busy) {
                if (worker == caller) continue;
                std::int64_t time = 0;
                const Span work = work_within(other, gap, time);
                if (time > 0 && 2 * time >= gap.duration()) result.push_back({caller, worker, gap, work});
            }
        }
    }
    return result;
}

}  // namespace dse::trace::kineto
