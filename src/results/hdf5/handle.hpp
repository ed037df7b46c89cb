#pragma once

#include <utility>

#include <hdf5.h>

namespace dse::results::h5 {

/// Owns an HDF5 identifier and closes it with the function for its kind.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);

    Handle() = default;
    Handle(hid_t id, Close close) : id_{id}, close_{close} {}
    Handle(Handle&& other) noexcept
        : id_{std::exchange(other.id_, H5I_INVALID_HID)}, close_{std::exchange(other.close_, nullptr)} {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() {
        if (close_ != nullptr) close_(id_);
    }

    [[nodiscard]] hid_t id() const { return id_; }

  private:
    hid_t id_{H5I_INVALID_HID};
    Close close_{nullptr};
};

}  // namespace dse::results::h5
