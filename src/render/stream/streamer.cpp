#include "render/stream/streamer.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sublet::render {
namespace {

// Groups that are compared before one of them goes, and looked at for one in vain.
constexpr std::size_t kCandidates = 8;
constexpr std::size_t kMostLooked = 4096;
constexpr std::ptrdiff_t kMostSorted = 4096;  // that are looked at, the largest

}  // namespace

Streamer::Streamer(const GroupTable& table, const GroupSize& pool)
    : table_(table),
      pool_(pool),
      states_(table.group_count()),
      places_(table.group_count()),
      children_there_(table.group_count()),
      since_(table.group_count()),
      at_(table.group_count()) {
    for (std::uint32_t g = 0; g < table.group_count(); ++g) {
        if (table.group(g).run_count != 0) continue;
        states_[g] = State::kResident;  // nothing of it is streamed
        ++resident_count_;
    }
}

void Streamer::pin_parents(std::uint32_t group, std::int32_t by) {
    for (const std::uint32_t parent : table_.parents(group)) children_there_[parent] += static_cast<std::uint32_t>(by);
}

std::vector<GroupArrival> Streamer::take_roots() {
    std::vector<GroupArrival> out;
    for (std::uint32_t g = 0; g < table_.group_count(); ++g) {
        if (!std::isinf(table_.group(g).error) || states_[g] != State::kAbsent) continue;
        const std::optional<GroupPlace> place = pool_.take(table_.group(g).size);
        if (!place) continue;
        states_[g] = State::kLoading;
        ++loading_count_;
        places_[g] = *place;
        pin_parents(g, 1);
        out.push_back({g, *place});
    }
    return out;
}

bool Streamer::find_lacking(std::uint32_t group, std::uint32_t stamp, std::vector<std::uint32_t>& order) const {
    std::vector<std::uint32_t> open{group};
    while (!open.empty()) {
        const std::uint32_t g = open.back();
        if (states_[g] != State::kAbsent || std::ranges::find(order, g) != order.end()) {
            open.pop_back();
            continue;
        }
        if (since_[g] > stamp) return false;
        const std::size_t before = open.size();
        for (const std::uint32_t parent : table_.parents(g)) {
            if (states_[parent] == State::kAbsent && std::ranges::find(order, parent) == order.end()) {
                open.push_back(parent);
            }
        }
        if (open.size() != before) continue;
        open.pop_back();
        order.push_back(g);
    }
    return true;
}

Streamer::Choice Streamer::choose(std::vector<GroupWish> wishes, const Options& options) {
    const auto larger = [&](const GroupWish& a, const GroupWish& b) {
        if (a.pixels != b.pixels) return a.pixels > b.pixels;
        const std::uint32_t levels[] = {table_.group(a.group).level, table_.group(b.group).level};
        return levels[0] != levels[1] ? levels[0] > levels[1] : a.group < b.group;
    };
    if (std::ssize(wishes) > kMostSorted) {
        std::nth_element(wishes.begin(), wishes.begin() + kMostSorted, wishes.end(), larger);
        wishes.resize(kMostSorted);
    }
    std::ranges::sort(wishes, larger);
    Choice out;
    std::uint64_t read = 0;
    std::vector<std::uint32_t> order;
    for (const GroupWish& wish : wishes) {
        order.clear();
        if (!find_lacking(wish.group, options.stamp, order)) continue;
        for (const std::uint32_t group : order) {
            if (read >= options.most_words) return out;
            if (!take(group, options, out)) {
                out.lacks_room = true;
                return out;
            }
            read += table_.block_words(group);
        }
    }
    return out;
}

bool Streamer::take(std::uint32_t group, const Options& options, Choice& out) {
    pin_parents(group, 1);  // they stay
    std::optional<GroupPlace> place = pool_.take(table_.group(group).size);
    while (!place && evict_one(options, out)) place = pool_.take(table_.group(group).size);
    if (!place) {
        pin_parents(group, -1);
        return false;
    }
    states_[group] = State::kLoading;
    ++loading_count_;
    places_[group] = *place;
    since_[group] = options.stamp;
    out.arrivals.push_back({group, *place});
    return true;
}

// A clock, of a few at a time: the one that was not used for longest goes, of these the finest.
bool Streamer::evict_one(const Options& options, Choice& out) {
    std::optional<std::uint32_t> found;
    std::uint32_t found_stamp = 0;
    std::size_t candidates = 0;
    for (std::size_t looked = 0; looked < std::min(there_.size(), kMostLooked) && candidates < kCandidates; ++looked) {
        const std::uint32_t g = there_[hand_++ % there_.size()];
        const std::uint32_t stamp =
            std::max(since_[g] >= options.arrivals_since ? since_[g] : 0, options.used.empty() ? 0 : options.used[g]);
        if (children_there_[g] != 0 || stamp >= options.unused_since) continue;
        ++candidates;
        const bool first = !found || stamp < found_stamp ||
                           (stamp == found_stamp && table_.group(g).error < table_.group(*found).error);
        if (!first) continue;
        found = g;
        found_stamp = stamp;
    }
    if (!found) return false;
    forget(*found);
    out.evicted.push_back(*found);
    return true;
}

void Streamer::forget(std::uint32_t group) {
    if (states_[group] == State::kResident) {
        there_[at_[group]] = there_.back();
        at_[there_.back()] = at_[group];
        there_.pop_back();
        --resident_count_;
    } else {
        --loading_count_;
    }
    states_[group] = State::kAbsent;
    pool_.give_back(places_[group]);
    pin_parents(group, -1);
}

bool Streamer::arrive(const GroupArrival& arrival) {
    const std::uint32_t group = arrival.group;
    const bool whole = std::ranges::all_of(table_.parents(group), [&](std::uint32_t g) { return is_resident(g); });
    if (!whole) {
        forget(group);
        return false;
    }
    --loading_count_;
    ++resident_count_;
    states_[group] = State::kResident;
    if (std::isinf(table_.group(group).error)) return true;
    at_[group] = static_cast<std::uint32_t>(there_.size());
    there_.push_back(group);
    return true;
}

void Streamer::fail(const GroupArrival& arrival, std::uint32_t not_before) {
    forget(arrival.group);
    since_[arrival.group] = not_before;
}

}  // namespace sublet::render
