#pragma once

#include "dse/serving/request.hpp"

namespace dse::serving {

/// Yields requests one at a time in order of arrival, so that they need not all be in memory.
class RequestSource {
  public:
    RequestSource() = default;
    RequestSource(const RequestSource&) = delete;
    RequestSource& operator=(const RequestSource&) = delete;
    virtual ~RequestSource() = default;

    /// \returns false at the end, leaving `request` unchanged
    virtual bool next(Request& request) = 0;
};

}  // namespace dse::serving
