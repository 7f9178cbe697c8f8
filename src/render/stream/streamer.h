// Which groups of levels of detail come into the pool and which go, by what frames wish for and use. CPU alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/scene/group_table.h"
#include "render/stream/group_pool.h"

namespace sublet::render {

// A group that frames want and that is not there.
struct GroupWish {
    std::uint32_t group = 0;
    float pixels = 0.0F;  // how many times larger than what is asked for the error seems that it would take away
};

// A group that has a place, and is to be read.
struct GroupArrival {
    std::uint32_t group = 0;
    GroupPlace place;
};

class Streamer {
  public:
    // `table` must live as long.
    Streamer(const GroupTable& table, const GroupSize& pool);

    // What choose() decided on.
    struct Choice {
        std::vector<GroupArrival> arrivals;  // parents before their children
        std::vector<std::uint32_t> evicted;
        bool lacks_room = false;  // a wish found no room
    };
    struct Options {
        std::uint64_t most_words = 0;              // of blocks: once there are as many, nothing more is begun
        std::uint32_t stamp = 0;                   // of the frame at hand
        std::uint32_t unused_since = 0;            // what was used by a frame of this stamp, or later, stays
        std::span<const std::uint32_t> used = {};  // of each group, the last frame that used it, as far as is known
        std::uint32_t arrivals_since = 0;          // what came at this stamp, or later, counts as used by it
        std::size_t most_evicted = SIZE_MAX;       // once as many have gone, nothing more is begun
    };
    // Takes wishes, the largest first, each after the parents that it lacks, and makes room by what was not used for
    // long. What is there for the sake of groups that are stays.
    [[nodiscard]] Choice choose(std::vector<GroupWish> wishes, const Options& options);
    // Those that are always there. Throws nothing: the pool has room for them.
    [[nodiscard]] std::vector<GroupArrival> take_roots();

    // What was read is there from now on. False: a parent of it is not, and it goes.
    [[nodiscard]] bool arrive(const GroupArrival& arrival);
    // What could not be read. It is not chosen again before the frame of this stamp.
    void fail(const GroupArrival& arrival, std::uint32_t not_before);

    [[nodiscard]] bool is_resident(std::uint32_t group) const { return groups_[group].state == State::kResident; }
    [[nodiscard]] std::uint32_t resident_groups() const { return resident_count_; }
    [[nodiscard]] std::uint32_t loading_groups() const { return loading_count_; }

  private:
    static constexpr std::uint32_t kNowhere = ~0U;
    enum class State : std::uint32_t { kAbsent, kLoading, kResident };
    // What is looked at of many groups, side by side.
    struct Group {
        State state = State::kAbsent;
        std::uint32_t children = 0;   // that are there, or are being read
        std::uint32_t since = 0;      // stamp at which it was chosen, or before which it is not to be again
        std::uint32_t at = kNowhere;  // where it stands in leaves_
    };

    // Puts the groups that `group` lacks before it, and it, behind `order`. False: one of them can't be had now.
    bool find_lacking(std::uint32_t group, std::uint32_t stamp, std::vector<std::uint32_t>& order) const;
    [[nodiscard]] bool take(std::uint32_t group, const Options& options, Choice& out);
    // The last stamp that it counts as used by.
    [[nodiscard]] std::uint32_t last_use(std::uint32_t group, const Options& options) const;
    bool evict_one(const Options& options, Choice& out);
    void find_victims(const Options& options);
    void pin_parents(std::uint32_t group, std::int32_t by);
    void list(std::uint32_t number);
    void forget(std::uint32_t group);

    const GroupTable& table_;
    GroupPool pool_;
    std::vector<Group> groups_;
    std::vector<GroupPlace> places_;
    // Groups that may go, in no order: they are there, and none that they were simplified from.
    std::vector<std::uint32_t> leaves_;
    std::size_t hand_ = 0;                // goes around them
    std::vector<std::uint32_t> victims_;  // that are to go next, the last first, if they still may
    std::uint32_t resident_count_ = 0, loading_count_ = 0;
};

}  // namespace sublet::render
