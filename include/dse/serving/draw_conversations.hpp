#pragma once

#include <cstdint>

#include "dse/graph/traffic.hpp"
#include "dse/serving/request.hpp"

namespace dse::serving {

/// Draws requests of which some continue others. A conversation begins with a message; each further request
/// of it comes turn_gap after the one before, whether that is answered or not, and its prompt is all that has
/// been said, answers included, and a new message. Classes have their shares of all requests, so that those
/// with long conversations begin fewer. The run begins in the middle of the traffic: conversations that are
/// under way go on, with a history that no cache holds.
///
/// Clients of a closed loop have one conversation at a time: each sends its next request turn_gap after the
/// last answer, and begins another conversation when one has ended (Requests::pauses). All requests then have
/// arrival time 0, and those of a conversation follow one another; the last conversation may end early.
///
/// Pieces are pages; those of a request cover its answer, too (Requests::names_answers). With prefixes, each
/// conversation begins with one.
/// \param traffic  with conversations, and clients or a rate: that of requests, not of conversations
/// \param page_tokens  of the caches that the requests meet
/// \throws ModelError if the traffic contradicts itself, lasts too long, or has more pages than can be kept
Requests draw_conversations(const graph::Traffic& traffic, std::uint64_t seed, std::int64_t page_tokens);

}  // namespace dse::serving
