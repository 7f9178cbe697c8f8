#include "render/scene/texture_loader.h"

#include <exception>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"

namespace sublet::render {
namespace {

// Copied by a submission: frames wait for one, or a few, that come before them.
constexpr VkDeviceSize kPartBytes = VkDeviceSize{1} << 20U;
constexpr VkDeviceSize kRingBytes = VkDeviceSize{8} << 20U;

std::vector<gpu::ImageLevel> levels_of(const std::vector<scene::TexelLevel>& texels) {
    std::vector<gpu::ImageLevel> levels;
    for (const scene::TexelLevel& level : texels) {
        levels.push_back({.mip = static_cast<std::uint32_t>(levels.size()), .texels = level.bytes()});
    }
    return levels;
}

}  // namespace

TextureLoader::TextureLoader(gpu::Device& device, std::uint64_t decoding, unsigned threads)
    : device_(device), uploader_(device, kRingBytes), decoding_({}, decoding, threads) {
    try {
        thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
        throw Error("renderer", "textures", "the system grants no thread");
    }
}

TextureLoader::~TextureLoader() {
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    decoding_.stop();
    thread_.join();
}

void TextureLoader::begin(TextureRequest request) {
    if (request.from == nullptr) decoding_.add(request.decode);
    {
        const std::scoped_lock lock(mutex_);
        requests_.push_back(std::move(request));
    }
    ++left_;
    changed_.notify_all();
}

LoadedTexture TextureLoader::take_locked() {
    LoadedTexture loaded = std::move(loaded_.front());
    loaded_.pop_front();
    --left_;
    return loaded;
}

std::optional<LoadedTexture> TextureLoader::take() {
    const std::scoped_lock lock(mutex_);
    if (loaded_.empty()) return std::nullopt;
    return take_locked();
}

LoadedTexture TextureLoader::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !loaded_.empty(); });
    return take_locked();
}

void TextureLoader::set_gate(std::function<void()> gate) {
    const std::scoped_lock lock(mutex_);
    gate_ = std::move(gate);
}

void TextureLoader::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || !requests_.empty(); });
        if (stopping_) return;
        const TextureRequest request = std::move(requests_.front());
        requests_.pop_front();
        const std::function<void()> gate = gate_;
        lock.unlock();
        if (gate) gate();
        LoadedTexture loaded = load(request);
        lock.lock();
        loaded_.push_back(std::move(loaded));
        changed_.notify_all();
    }
}

LoadedTexture TextureLoader::load(const TextureRequest& request) {
    LoadedTexture out{.image = request.image, .level = request.level, .texture = {}, .error = {}};
    try {
        if (request.from != nullptr) {
            copy(request, out);
        } else {
            decode(request, out);
        }
        uploader_.flush();
    } catch (const std::exception& error) {
        out.error = error.what();
    }
    if (!out.error.empty() && out.texture) device_.retire(std::exchange(out.texture, {}));
    return out;
}

void TextureLoader::decode(const TextureRequest& request, LoadedTexture& into) {
    std::optional<scene::DecodedImage> decoded = decoding_.wait();
    if (!decoded) throw Error("stopped");
    if (!decoded->error.empty()) throw Error(decoded->error);
    const std::vector<gpu::ImageLevel> levels = levels_of(decoded->levels);
    gpu::ImageDesc desc = request.desc;
    desc.extent = {decoded->levels[0].width, decoded->levels[0].height};
    desc.mips = static_cast<std::uint32_t>(levels.size());
    into.texture = gpu::Image(device_, desc);
    for (gpu::ImagePlace place; !uploader_.image_part(into.texture, levels, place, kPartBytes);) uploader_.flush();
}

void TextureLoader::copy(const TextureRequest& request, LoadedTexture& into) {
    gpu::ImageDesc desc = request.desc;
    desc.extent = request.from->mip_extent(request.fewer);
    desc.mips = request.from->mips() - request.fewer;
    into.texture = gpu::Image(device_, desc);
    uploader_.last_mips(*request.from, into.texture);
}

}  // namespace sublet::render
