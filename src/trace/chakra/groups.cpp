#include "dse/trace/chakra/groups.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::trace::chakra {
namespace {

/// What is wrong with the members of a group; empty if nothing is.
std::string fault_of(std::span<const std::int64_t> members, std::int64_t ranks) {
    std::vector<bool> seen(static_cast<std::size_t>(ranks), false);
    for (const std::int64_t rank : members) {
        if (rank < 0 || rank >= ranks) return fmt::format("rank {} is none of the {} there are", rank, ranks);
        if (seen[static_cast<std::size_t>(rank)]) return fmt::format("rank {} appears in it twice", rank);
        seen[static_cast<std::size_t>(rank)] = true;
    }
    return {};
}

using OrderedJson = nlohmann::ordered_json;

OrderedJson parse_file(const std::string& path) {
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw InputError(fmt::format("cannot read the groups '{}': {}", path, std::strerror(errno)));
    std::set<std::string> keys;
    const auto refuse_twice = [&](int depth, OrderedJson::parse_event_t event, const OrderedJson& key) {
        if (depth == 1 && event == OrderedJson::parse_event_t::key &&
            !keys.insert(key.get<std::string>()).second)
            throw InputError(fmt::format("'{}': group '{}' is given twice", path, key.get<std::string>()));
        return true;
    };
    try {
        return OrderedJson::parse(stream, refuse_twice);
    } catch (const OrderedJson::exception& error) {
        throw InputError(fmt::format("'{}': {}", path, error.what()));
    }
}

std::vector<std::int64_t> members_of(const OrderedJson& list, const std::string& name) {
    if (!list.is_array()) throw InputError(fmt::format("group '{}' is not a list of ranks", name));
    std::vector<std::int64_t> members;
    for (const OrderedJson& rank : list) {
        if (!rank.is_number_integer())
            throw InputError(fmt::format("group '{}': {} is not a rank", name, rank.dump()));
        members.push_back(rank.get<std::int64_t>());
    }
    if (members.empty()) throw InputError(fmt::format("group '{}' has no members", name));
    return members;
}

}  // namespace

Groups::Groups(std::int64_t ranks) : all_(static_cast<std::size_t>(ranks)) {
    DSE_REQUIRE(ranks >= 1);
    std::iota(all_.begin(), all_.end(), 0);
}

void Groups::add(const std::string& name, std::vector<std::int64_t> members) {
    if (members.empty()) members = all_;
    if (const std::string fault = fault_of(members, ranks()); !fault.empty())
        throw InputError(fmt::format("group '{}': {}", name, fault));
    const auto [found, is_new] = groups_.try_emplace(name, std::move(members));
    if (!is_new && found->second != members)
        throw InputError(fmt::format("group '{}' has two different lists of members", name));
}

const std::vector<std::int64_t>* Groups::find(std::string_view name) const {
    const auto found = groups_.find(name);
    if (found != groups_.end()) return &found->second;
    return name.empty() || name == "0" ? &all_ : nullptr;
}

const std::vector<std::int64_t>& Groups::members(std::string_view name) const {
    if (const auto* found = find(name)) return *found;
    if (groups_.empty())
        throw InputError(
            fmt::format("group '{}' is unknown: no file of groups is given, and the traces "
                        "declare none",
                        name));
    std::vector<std::string> known;
    for (const auto& [known_name, members] : groups_) known.push_back(known_name);
    throw InputError(fmt::format("group '{}' is none of the {} that are known{}", name, known.size(),
                                 suggestion(std::string{name}, known)));
}

void read_groups(const std::string& path, Groups& groups) {
    const OrderedJson file = parse_file(path);
    if (!file.is_object()) throw InputError(fmt::format("'{}' is not an object from groups to ranks", path));
    for (const auto& [name, list] : file.items()) {
        try {
            groups.add(name, members_of(list, name));
        } catch (const InputError& error) {
            throw InputError(fmt::format("'{}': {}", path, error.what()));
        }
    }
}

void add_declared(std::span<const RankTrace> traces, Groups& groups) {
    for (const RankTrace& rank : traces) {
        for (const ProcessGroup& group : rank.declared) {
            try {
                groups.add(group.name, group.ranks);
            } catch (const InputError& error) {
                throw InputError(fmt::format("'{}': {}", rank.path, error.what()));
            }
        }
    }
}

}  // namespace dse::trace::chakra
