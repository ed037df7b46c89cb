#include "base/descriptor_buffer.hpp"

#include <cerrno>

#include <unistd.h>

namespace dse {

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_{descriptor} {
    setp(pending_.data(), pending_.data() + pending_.size());
}

DescriptorBuffer::~DescriptorBuffer() {
    close();
}

int DescriptorBuffer::close() {
    if (descriptor_ < 0) return error_;
    drain();
    if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
    descriptor_ = -1;
    return error_;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type next) {
    if (!drain()) return traits_type::eof();
    if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
    return sputc(traits_type::to_char_type(next));
}

int DescriptorBuffer::sync() {
    return drain() ? 0 : -1;
}

bool DescriptorBuffer::drain() {
    if (descriptor_ < 0 || error_ != 0) return false;
    for (const char* from = pbase(); from < pptr();) {
        const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            error_ = errno;
            return false;
        }
        from += written;
    }
    setp(pending_.data(), pending_.data() + pending_.size());
    return true;
}

}  // namespace dse
