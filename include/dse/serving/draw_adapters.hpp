#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "dse/graph/traffic.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/request_source.hpp"

namespace dse::serving {

/// Draws the adapters that requests name, equally often or by Zipf's law. The draw does not depend on any
/// other.
class AdapterDraw {
  public:
    /// \param traffic  with at least one adapter
    AdapterDraw(const graph::Traffic& traffic, std::uint64_t seed);
    AdapterDraw(AdapterDraw&&) noexcept;
    ~AdapterDraw();
    /// \returns the number of an adapter, from 0, the one named most often
    std::uint32_t next();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Draws an adapter for each request, and names the pieces by it. Does nothing if the traffic has no
/// adapters.
void draw_adapters(const graph::Traffic& traffic, std::uint64_t seed, Requests& requests);

/// Prompts with different adapters share nothing, so that their pieces get names of their own.
void name_pieces_by_adapter(Requests& requests);

/// The requests of another source, with adapters. They share no prefixes.
class AdaptedRequests final : public RequestSource {
  public:
    AdaptedRequests(std::unique_ptr<RequestSource> source, const graph::Traffic& traffic, std::uint64_t seed)
        : source_{std::move(source)}, draw_{traffic, seed} {}
    bool next(Request& request) override {
        if (!source_->next(request)) return false;
        request.adapter = draw_.next();
        return true;
    }

  private:
    std::unique_ptr<RequestSource> source_;
    AdapterDraw draw_;
};

}  // namespace dse::serving
