#pragma once

#include "dse/serving/request.hpp"

namespace dse::serving {

/// Requests one after another, in the order in which they arrive, that need not lie in memory together.
class RequestSource {
  public:
    RequestSource() = default;
    RequestSource(const RequestSource&) = delete;
    RequestSource& operator=(const RequestSource&) = delete;
    virtual ~RequestSource() = default;

    /// \returns false at the end, and leaves `request` as it is
    virtual bool next(Request& request) = 0;
};

}  // namespace dse::serving
