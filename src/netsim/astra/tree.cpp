#include "netsim/astra/tree.hpp"

namespace dse::netsim {

AstraTreePlace place_in_tree(std::int64_t index, std::int64_t nodes, bool root_first) {
    constexpr std::int64_t none = AstraTreePlace::none;
    const std::int64_t shift = root_first ? 1 : 0;
    const std::int64_t root = root_first ? 0 : nodes - 1;
    // In a perfect tree numbered in order from 1, the height of node k is the number of factors of two in k.
    const std::int64_t top = nodes / 2 - 1 + shift;
    if (index == root) return {none, top, none};
    const std::int64_t k = index - shift + 1;
    const std::int64_t height = k & -k;
    AstraTreePlace place;
    if (height > 1) {
        place.left = index - height / 2;
        place.right = index + height / 2;
    }
    const bool is_left_child = (k / height) % 4 == 1;
    place.parent = 2 * height == nodes ? root : index + (is_left_child ? height : -height);
    return place;
}

AstraTree::AstraTree(const AstraPhase& phase, std::int64_t index, std::int64_t turn)
    : place_{place_in_tree(index, phase.nodes, turn % 2 == 1)}, bytes_{phase.bytes} {}

std::int64_t AstraTree::children() const {
    return (place_.left != AstraTreePlace::none ? 1 : 0) + (place_.right != AstraTreePlace::none ? 1 : 0);
}

void AstraTree::start(Host& host) {
    if (children() == 0) {
        step_ = Step::sending_up;
        host.prepare({.way = AstraBundle::Way::to_network, .bytes = bytes_});
        return;
    }
    host.receive(place_.left, bytes_);
    if (place_.right != AstraTreePlace::none) host.receive(place_.right, bytes_);
}

void AstraTree::received(Host& host) {
    if (step_ == Step::collecting) {
        const bool last = ++collected_ == children();
        if (last) step_ = place_.parent == AstraTreePlace::none ? Step::passing_down : Step::sending_up;
        host.prepare({AstraBundle::Way::from_network, bytes_, true, last});
        return;
    }
    step_ = Step::passing_down;
    // Members with children are charged for adding the result as well; leaves are not.
    const bool has_children = children() > 0;
    host.prepare({AstraBundle::Way::from_network, bytes_, has_children, has_children});
}

void AstraTree::ready(Host& host) {
    if (step_ == Step::passing_down) {
        send_down(host);
        host.finish();
        return;
    }
    // A contribution has been added; after the last one, the sum is sent on.
    if (++added_ < children()) return;
    step_ = Step::waiting_for_result;
    host.send(place_.parent, bytes_);
    host.receive(place_.parent, bytes_);
}

void AstraTree::send_down(Host& host) const {
    if (place_.left != AstraTreePlace::none) host.send(place_.left, bytes_);
    if (place_.right != AstraTreePlace::none) host.send(place_.right, bytes_);
}

}  // namespace dse::netsim
