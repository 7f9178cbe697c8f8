#include "render/stream/scene_stream.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "base/count_text.h"
#include "base/error.h"
#include "base/log.h"
#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "render/scene/decode.h"
#include "render/scene/gpu_scene.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kMostWishes = 1U << 16U;   // of a frame, in the list
constexpr std::size_t kMostEvicted = 512;          // groups, in a step
constexpr std::size_t kBlocksOfFrame = 6;          // that one brings at most
constexpr std::uint64_t kFramesToTake = 2;         // what is ready, about,
constexpr std::uint64_t kAlwaysTaken = 1U << 18U;  // bytes, and so much at once
constexpr std::uint64_t kLeastPatch = 1U << 18U;   // bytes: frames seldom make a larger one
constexpr std::uint32_t kFramesUnused = 12;        // after these a group may go
constexpr double kFirstPart = 0.02;                // of all, or of the pool: what comes before the first frame
constexpr float kAhead = 0.25F;                    // WishesConstants::ahead
constexpr std::uint32_t kFramesToRetry = 120;      // to read what could not be read

constexpr std::uint32_t kGroupWords = sizeof(shared::LodGroup) / sizeof(std::uint32_t);
constexpr std::uint32_t kErrorWord = offsetof(shared::LodGroup, error) / sizeof(std::uint32_t);
// What says of a group since when it is there, and whether: its level to the end.
constexpr std::uint32_t kThereWord = offsetof(shared::LodGroup, level) / sizeof(std::uint32_t);
constexpr std::uint32_t kRangeWords = sizeof(shared::MeshletRange) / sizeof(std::uint32_t);

// Of the pool, what all that is wanted should take: less and the error that is asked for comes back, more and it grows.
constexpr double kLeastDemand = 0.82, kBestDemand = 0.88, kMostDemand = 0.95;
constexpr float kMostCoarser = 1e6F;

gpu::ComputePipelineDesc patch_desc() {
    return {.name = "stream patch", .shader = {.spirv = shaders::patch_comp}};
}

gpu::ComputePipelineDesc wishes_desc() {
    return {.name = "wishes", .shader = {.spirv = shaders::wishes_comp}};
}

std::string mib(double bytes) {
    return grouped(static_cast<std::uint64_t>(std::ceil(bytes / (1 << 20)))) + " MiB";
}

}  // namespace

SceneStream::SceneStream(gpu::Device& device, const scene::EncodedScene& file, GpuScene& scene, bool waits)
    : device_(device),
      scene_(scene),
      waits_(waits),
      table_(*scene.residency.groups),
      scheduler_(device, file, scene.residency),
      wish_room_(std::min(table_.group_count(), kMostWishes)),
      first_absent_(scene.mesh_count) {
    const std::uint64_t words =
        shared::kStampList + std::uint64_t{wish_room_} + 2 * std::uint64_t{table_.group_count()};
    stamps_ = make_storage_buffer(device, "stamps", words * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < (waits ? 1 : read_back_.size()); ++i) {
        read_back_[i] = gpu::Buffer(
            device, {.size = stamps_.size(), .memory = gpu::Memory::kReadback, .name = "stamps of a frame"});
    }
    figures_.groups = table_.group_count();
    figures_.resident = scheduler_.streamer().resident_groups();
    figures_.pool_bytes = scene.residency.pool.bytes;
}

void SceneStream::add_pipelines(gpu::PipelineList& out) {
    out.add(patch_desc());
    out.add(wishes_desc());
}

std::uint64_t SceneStream::bytes() const {
    return stamps_.size();
}

void SceneStream::load_roots(gpu::Pipelines& pipelines) {
    // Stamps of what no frame has used.
    gpu::submit_and_wait(device_, "clearing stamps", [&](VkCommandBuffer commands, gpu::DescriptorArena& /*arena*/) {
        vkCmdFillBuffer(commands, stamps_.handle(), 0, VK_WHOLE_SIZE, 0);
    });
    begun_ += scheduler_.choose_roots();
    load_now(pipelines, {});
    if (waits_) return;
    // The first frames, and those that turn to something new, begin with a bit more than that.
    StreamScheduler::Task coarse;
    std::uint64_t words = 0;
    for (std::uint32_t g = 0; g < table_.group_count(); ++g) {
        words += table_.block_words(g);
        if (!is_there(g)) coarse.wishes.push_back({g, table_.group(g).error});
    }
    words = std::min<std::uint64_t>(words, scene_.residency.pool.size.payload);
    coarse.options.most_words = static_cast<std::uint64_t>(kFirstPart * static_cast<double>(words));
    load_now(pipelines, std::move(coarse));
}

bool SceneStream::begin(const FrameContext& context) {
    Slot& slot = slots_[context.frame.slot];
    for (LoadedBlock* const block : slot.recorded) scheduler_.give_back(block);
    slot.recorded.clear();
    frame_stamp_ = ++stamp_;
    ++scene_.stream_frame;
    frame_error_ = std::numeric_limits<float>::infinity();
    const std::optional<std::size_t> stamps = std::exchange(slot.stamps, std::nullopt);
    if (stamps) {
        const StreamStamps seen = look_at(read_back_[*stamps]);
        figures_.drawn_error = figures_.seen_error = slot.drawn_error;
        if (figures_.wished != 0) figures_.seen_error *= seen.largest();
    }
    const Streaming streaming = context.hooks.streaming;
    if (!waits_ && streaming != Streaming::kHeld) {
        if (const auto step = scheduler_.finished(streaming == Streaming::kAtOnce)) apply(*step);
        if (!scheduler_.running()) deciding_.reset();
        if (stamps) {
            adapt_error();
            const bool any = (figures_.wished != 0 || begun_ != 0) && scheduler_.free_words() != 0;
            if (any && !scheduler_.running()) decide(*stamps, context.hooks);
            take_blocks(streaming == Streaming::kAtOnce, kBlocksOfFrame);
        }
    }
    const bool changed = !arrived_.empty() || !changed_groups_.empty();
    if (changed) {
        const auto pass = context.pass("stream");
        record_changes({context.frame.commands, *context.frame.descriptors, context.pipelines, context.hooks.fault},
                       slot.patch);
    }
    reset_stamps(context.frame.commands);
    return changed;
}

void SceneStream::decide(std::size_t stamps, const TestHooks& hooks) {
    const bool at_once = hooks.streaming == Streaming::kAtOnce;
    // Whatever frames used may go where stamps are taken for older ones.
    const std::uint32_t unused = hooks.fault == Fault::kStaleStamps ? 0 : kFramesUnused;
    StreamScheduler::Task task{.wishes = {},
                               .options = {.most_words = scheduler_.free_words(),
                                           .stamp = stamp_,
                                           .unused_since = stamp_ + 1 - std::min(stamp_, unused),
                                           .most_evicted = kMostEvicted}};
    const StreamStamps seen = stamps_in(read_back_[stamps]);
    if (!at_once) {
        deciding_ = stamps;
        scheduler_.start(std::move(task), seen);
        return;
    }
    task.wishes = seen.wishes();
    task.options.used = seen.last_use();
    apply(scheduler_.run(std::move(task)));
}

void SceneStream::apply(const StreamScheduler::Step& step) {
    for (const std::uint32_t group : step.evicted) set_absent(group);
    figures_.evicted += step.evicted.size();
    figures_.resident -= static_cast<std::uint32_t>(step.evicted.size());
    begun_ += step.begun;
    lacks_room_ = step.lacks_room;
}

void SceneStream::take_blocks(bool wait, std::size_t most) {
    // Of what is ready a part, and some of it at least: frames take about as long as one another.
    std::uint64_t room = wait ? 0 : std::max(scheduler_.ready_bytes() / kFramesToTake, kAlwaysTaken);
    while (arrived_.size() < most && (wait || arrived_.empty() || room != 0)) {
        LoadedBlock* const block = scheduler_.take(wait);
        if (block == nullptr) return;
        room -= std::min(room, block->read_bytes);
        come(*block);
        arrived_.push_back(block);
    }
}

void SceneStream::come(LoadedBlock& block) {
    if (!block.failed.empty() && !waits_) note_once(block.why + "; what is coarser is drawn in its place");
    figures_.read_bytes += block.read_bytes;
    begun_ -= static_cast<std::int64_t>(block.groups.size());
    figures_.failed += block.failed.size();
    auto failed = block.failed.begin();  // in the order of the groups
    for (const GroupArrival& arrival : block.groups) {
        const std::span<const std::uint32_t> parents = table_.parents(arrival.group);
        if (failed != block.failed.end() && *failed == arrival.group) {
            scheduler_.failed(arrival, waits_ ? stamp_ : stamp_ + kFramesToRetry);
            ++failed;
        } else if (std::ranges::all_of(parents, [&](std::uint32_t parent) { return is_there(parent); })) {
            scheduler_.came(arrival);
            set_there(arrival);
            ++figures_.arrived;
            ++figures_.resident;
        } else {  // one of them failed
            scheduler_.failed(arrival, 0);
        }
    }
}

bool SceneStream::is_there(std::uint32_t group) const {
    return scene_.levels.groups[group].reserved[1] == 0;
}

void SceneStream::want(const ViewContext& context, const FrameContext& frame) {
    frame_error_ = std::min(frame_error_, waits_ ? settle(context) : context.plan.lod_error);
    if (waits_) {
        figures_.drawn_error = figures_.seen_error = frame_error_;
        return;
    }
    const auto pass = frame.pass("wishes");
    record_wishes({frame.frame.commands, *frame.frame.descriptors, frame.pipelines}, context.geometry.scene_set);
    gpu::memory_barrier(frame.frame.commands, gpu::kComputeWrite, gpu::kCompute);
}

void SceneStream::end(const FrameContext& context) {
    Slot& slot = slots_[context.frame.slot];
    slot.recorded = std::exchange(arrived_, {});
    forget_changes();
    if (waits_) return;
    // There is one more than frames in flight, and what is being decided on.
    std::size_t free = 0;
    while (deciding_ == free || std::ranges::any_of(slots_, [&](const Slot& of) { return of.stamps == free; })) ++free;
    const gpu::Commands commands = context.frame.commands;
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kTransferRead);
    const VkBufferCopy all{0, 0, stamps_.size()};
    vkCmdCopyBuffer(commands, stamps_.handle(), read_back_[free].handle(), 1, &all);
    slot.stamps = free;
    slot.drawn_error = frame_error_;
}

float SceneStream::settle(const ViewContext& context) {
    const float& error = context.geometry.levels.lod_error;
    std::uint32_t coarsened = 0;  // the stamp since which its error is what it is; 0: what is asked for
    // What views of this frame used that were settled before; and what this one uses by the error that it came to.
    std::vector<std::uint32_t> before, used;
    const auto last_use = [&] { return stamps_in(read_back_[0]).last_use(); };
    if (context.plan.lod_fits && settled_) before.assign(last_use().begin(), last_use().end());
    settled_ = true;
    for (;;) {
        ++stamp_;
        gpu::submit_and_wait(device_, "finding what a view wants",
                             [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
                                 reset_stamps(commands);
                                 record_wishes({commands, arena, context.pipelines}, context.geometry.scene_set);
                                 gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kTransferRead);
                                 const VkBufferCopy all{0, 0, stamps_.size()};
                                 vkCmdCopyBuffer(commands, stamps_.handle(), read_back_[0].handle(), 1, &all);
                                 gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kHostRead);
                             });
        const StreamStamps stamps = look_at(read_back_[0]);
        if (figures_.wished == 0) return error;
        StreamScheduler::Task task{.wishes = stamps.wishes(),
                                   .options = {.most_words = std::numeric_limits<std::uint64_t>::max(),
                                               .stamp = stamp_,
                                               .unused_since = frame_stamp_,
                                               .used = stamps.last_use(),
                                               .arrivals_since = coarsened}};
        if (coarsened != 0) {
            used.assign(task.options.used.begin(), task.options.used.end());
            for (std::size_t g = 0; g < used.size(); ++g) {
                if (used[g] != stamp_) used[g] = before.empty() ? 0 : before[g];
            }
            task.options.used = used;
        }
        if (load_now(context.pipelines, std::move(task))) continue;
        if (!context.plan.lod_fits || error >= kMostCoarser) {
            const double pool = static_cast<double>(figures_.pool_bytes);
            const double others = static_cast<double>(scene_.residency.bytes) - pool;
            throw Error(
                "scene", "--vram-budget",
                "geometry that is seen takes about " + mib(others + std::max(1.05, figures_.demand) * pool) +
                    ", and there is room for " + mib(others + pool) +
                    " beside textures: give it more, ask for a larger --lod-error, or for what there is room for "
                    "(--lod-error auto)");
        }
        // What is drawn takes the more the smaller the error, about by its square.
        const auto factor = static_cast<float>(std::sqrt(figures_.demand / kMostDemand));
        context.geometry.coarsen(context, std::max(factor, 1.05F));
        coarsened = stamp_ + 1;  // what came before may go, what comes from now on stays: so this ends
    }
}

bool SceneStream::load_now(gpu::Pipelines& pipelines, StreamScheduler::Task task) {
    std::string why;
    bool any = false;
    do {
        apply(scheduler_.run(std::exchange(task, {})));
        take_blocks(true, std::numeric_limits<std::size_t>::max());
        if (arrived_.empty() && scheduler_.has_more()) throw Error("renderer", "streaming", "no block is free");
        any = any || !arrived_.empty();
        if (arrived_.empty() && changed_groups_.empty()) break;
        for (const LoadedBlock* const block : arrived_) {
            if (!block->failed.empty()) why = block->why;
        }
        gpu::submit_and_wait(device_, "streaming", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
            record_changes({commands, arena, pipelines}, patch_);
        });
        for (LoadedBlock* const block : std::exchange(arrived_, {})) scheduler_.give_back(block);
        forget_changes();
    } while (scheduler_.has_more());
    if (!why.empty()) throw Error(why);
    return any;
}

StreamStamps SceneStream::stamps_in(const gpu::Buffer& buffer) const {
    return {buffer.mapped_as<const std::uint32_t>(), wish_room_};
}

StreamStamps SceneStream::look_at(const gpu::Buffer& stamps) {
    const StreamStamps out = stamps_in(stamps);
    figures_.wished = out.wished();
    figures_.demand = out.demand();
    return out;
}

void SceneStream::adapt_error() {
    // What is drawn takes the more the smaller the error, about by its square. Half as far at a time, since what comes
    // of it is known some frames later.
    const auto factor = static_cast<float>(std::pow(figures_.demand / kBestDemand, 0.25));
    const bool lacks_room = std::exchange(lacks_room_, false);
    if (figures_.demand > kMostDemand) {
        coarser_ = std::min(coarser_ * std::min(factor, 1.1F), kMostCoarser);
    } else if (lacks_room) {  // what is left of it lies in gaps that are too small
        coarser_ = std::min(coarser_ * 1.02F, kMostCoarser);
    } else if (figures_.demand < kLeastDemand && coarser_ > 1.0F) {
        coarser_ = std::max(coarser_ * std::max(factor, 0.97F), 1.0F);
    }
}

void SceneStream::set_there(const GroupArrival& arrival) {
    const PoolPlan& pool = scene_.residency.pool;
    auto sublet = static_cast<std::uint32_t>(pool.first_sublet + arrival.place.sublets.first);
    auto vertex = static_cast<std::uint32_t>(pool.first_vertex + arrival.place.vertices.first);
    const std::uint32_t chunk = vertex;
    for (const GroupTable::Run& run : table_.runs(arrival.group)) {
        const std::uint32_t first = scene_.mesh_headers[run.mesh].first_meshlet + run.first;
        for (std::uint32_t i = first; i < first + run.count; ++i) {
            const GroupTable::Meshlet& of = table_.meshlet(i);
            scene_.ranges[i] = {vertex, of.triangles, sublet, chunk};
            arrived_meshlets_.push_back(i);
            vertex += of.size.vertices;
            sublet += of.size.sublets;
        }
    }
    mark(arrival.group, true);
}

void SceneStream::set_absent(std::uint32_t group) {
    for (const GroupTable::Run& run : table_.runs(group)) {
        const std::uint32_t first = scene_.mesh_headers[run.mesh].first_meshlet + run.first;
        for (std::uint32_t i = first; i < first + run.count; ++i) scene_.ranges[i] = {0, 0, shared::kAbsent, 0};
    }
    mark(group, false);
}

void SceneStream::mark(std::uint32_t group, bool there) {
    std::vector<shared::LodGroup>& groups = scene_.levels.groups;
    groups[group].reserved[1] = there ? 0 : std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
    groups[group].level &= shared::kMostLodLevel;
    groups[group].level |= scene_.stream_frame << shared::kLodLevelBits;
    changed_groups_.push_back(group);
    for (const std::uint32_t mesh : table_.meshes(group)) {
        const std::span<const std::uint32_t> of_mesh = table_.groups_of_mesh(mesh);
        std::uint32_t& first = first_absent_[mesh];
        if (!there) {
            const auto error = [&](std::uint32_t g) { return table_.group(g).error; };
            const auto place = std::ranges::lower_bound(of_mesh, error(group), std::greater{}, error);
            first = std::min(first, static_cast<std::uint32_t>(place - of_mesh.begin()));
        }
        while (first < of_mesh.size() && is_there(of_mesh[first])) ++first;
        const float largest = first < of_mesh.size() ? table_.group(of_mesh[first]).error : 0.0F;
        float& error = groups[scene_.levels.mesh_groups + mesh].error;
        if (error == largest) continue;
        error = largest;
        changed_meshes_.push_back(mesh);
    }
}

void SceneStream::forget_changes() {
    changed_groups_.clear();
    changed_meshes_.clear();
    arrived_meshlets_.clear();
}

SceneStream::Patch SceneStream::make_patch(gpu::Buffer& patch) const {
    const auto sorted = [](std::vector<std::uint32_t> numbers) {
        std::ranges::sort(numbers);
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        return numbers;
    };
    const std::vector<std::uint32_t> of_groups = sorted(changed_groups_), of_meshes = sorted(changed_meshes_);
    std::vector<shared::BlockCopy> copies;
    std::vector<std::uint32_t> words;
    const auto add = [&](std::uint32_t target, std::uint64_t to, const void* data, std::uint32_t count) {
        const std::size_t from = words.size();
        copies.push_back({target, static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(from), count});
        words.resize(from + count);
        std::memcpy(words.data() + from, data, count * sizeof(std::uint32_t));
    };
    const std::vector<shared::LodGroup>& groups = scene_.levels.groups;
    for (const std::uint32_t group : of_groups) {
        add(shared::kPatchLodGroups, std::uint64_t{group} * kGroupWords + kThereWord, &groups[group].level,
            kGroupWords - kThereWord);
        for (const GroupTable::Run& run : table_.runs(group)) {
            const std::size_t first = scene_.mesh_headers[run.mesh].first_meshlet + run.first;
            add(shared::kPatchMeshletRanges, first * kRangeWords, &scene_.ranges[first], run.count * kRangeWords);
        }
    }
    for (const std::uint32_t mesh : of_meshes) {
        const std::uint64_t number = scene_.levels.mesh_groups + mesh;
        add(shared::kPatchLodGroups, number * kGroupWords + kErrorWord, &groups[number].error, 1);
    }
    const std::uint64_t head = copies.size() * sizeof(shared::BlockCopy);
    for (shared::BlockCopy& copy : copies) copy.from += static_cast<std::uint32_t>(head / sizeof(std::uint32_t));
    const auto first_meshlet = static_cast<std::uint32_t>(head / sizeof(std::uint32_t) + words.size());
    words.insert(words.end(), arrived_meshlets_.begin(), arrived_meshlets_.end());
    const std::uint64_t bytes = head + words.size() * sizeof(std::uint32_t);
    if (!patch || patch.size() < bytes) {
        device_.retire(std::exchange(patch, {}));
        patch = gpu::Buffer(device_, {.size = std::max(std::bit_ceil(bytes), kLeastPatch),
                                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                      .memory = gpu::Memory::kUpload,
                                      .name = "what came and went"});
    }
    auto* const to = static_cast<std::byte*>(patch.mapped());
    if (!copies.empty()) std::memcpy(to, copies.data(), head);
    if (!words.empty()) std::memcpy(to + head, words.data(), words.size() * sizeof(std::uint32_t));
    return {static_cast<std::uint32_t>(copies.size()), first_meshlet};
}

void SceneStream::record_changes(const Recording& into, gpu::Buffer& patch) const {
    shared::PatchConstants blocks{};
    std::uint32_t count = 0;
    for (const LoadedBlock* const block : arrived_) {
        const bool half = into.fault == Fault::kGroupHalfThere;
        blocks.first[count] = block->first;
        blocks.copies[count] = half ? block->copies / 2 : block->copies;
        if (++count == shared::kPatchBlocks) record_patch(into, scheduler_.memory(), blocks, std::exchange(count, 0));
    }
    record_patch(into, scheduler_.memory(), blocks, count);
    const Patch made = make_patch(patch);
    record_patch(into, patch, {.first = {}, .copies = {made.copies}}, 1);
    record_decode_of(into.commands, into.descriptors, into.pipelines, scene_, patch, made.first_meshlet,
                     static_cast<std::uint32_t>(arrived_meshlets_.size()));
}

void SceneStream::record_patch(const Recording& into, const gpu::Buffer& of, const shared::PatchConstants& blocks,
                               std::uint32_t count) const {
    const std::uint32_t copies = count == 0 ? 0 : *std::max_element(blocks.copies, blocks.copies + count);
    if (copies == 0) return;
    const gpu::Pipeline& pipeline = into.pipelines.get(patch_desc());
    into.descriptors.bind(
        into.commands, pipeline,
        {gpu::buffer_at(shared::kBindBlock, of), gpu::buffer_at(shared::kBindPatchPayload, scene_.payload),
         gpu::buffer_at(shared::kBindPatchBounds, scene_.sublet_bounds),
         gpu::buffer_at(shared::kBindPatchRanges, scene_.meshlet_ranges),
         gpu::buffer_at(shared::kBindPatchGroups, scene_.lod_groups)},
        shared::kPassSet);
    pipeline.push(into.commands, blocks);
    into.commands(vkCmdDispatch, std::min(copies, shared::kDispatchRow),
                  (copies + shared::kDispatchRow - 1) / shared::kDispatchRow, count * shared::kPatchParts);
    gpu::memory_barrier(into.commands, gpu::kComputeWrite, gpu::kConsume);
}

void SceneStream::reset_stamps(gpu::Commands commands) const {
    const VkDeviceSize word = sizeof(std::uint32_t);
    vkCmdFillBuffer(commands, stamps_.handle(), 0, shared::kStampList * word, 0);
    vkCmdFillBuffer(commands, stamps_.handle(), (shared::kStampList + wish_room_) * word, table_.group_count() * word,
                    0);
    gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
}

void SceneStream::record_wishes(const Recording& into, const std::vector<gpu::Descriptor>& scene_set) const {
    const gpu::Pipeline& pipeline = into.pipelines.get(wishes_desc());
    into.descriptors.bind(into.commands, pipeline, scene_set, shared::kSceneSet);
    into.descriptors.bind(
        into.commands, pipeline,
        {gpu::buffer_at(shared::kBindStamps, stamps_), gpu::buffer_at(shared::kBindTaskSources, scene_.task_sources)},
        shared::kPassSet);
    const float ahead = waits_ ? 0.0F : kAhead;
    pipeline.push(into.commands, shared::WishesConstants{table_.group_count(), wish_room_, stamp_, ahead});
    const auto tasks = static_cast<std::uint32_t>(scene_.facts.meshlets.chunks);
    dispatch_rows(into.commands, (tasks + shared::kWishTasks - 1) / shared::kWishTasks);
}

StreamFigures SceneStream::figures() const {
    StreamFigures out = figures_;
    out.loading = static_cast<std::uint32_t>(std::max<std::int64_t>(begun_, 0));
    out.deciding = scheduler_.running();
    return out;
}

}  // namespace sublet::render
