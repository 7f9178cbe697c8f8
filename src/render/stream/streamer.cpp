#include "render/stream/streamer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sublet::render {
namespace {

constexpr std::ptrdiff_t kSorted = 256;  // wishes at a time, the largest of those that are left
constexpr std::size_t kCandidates = 64;  // groups that are compared before half of them go,
constexpr std::size_t kLookedAt = 4096;  // and those that are looked at for them

}  // namespace

Streamer::Streamer(const GroupTable& table, const GroupSize& pool)
    : table_(table), pool_(pool), groups_(table.group_count()), places_(table.group_count()) {
    for (std::uint32_t g = 0; g < table.group_count(); ++g) {
        if (table.group(g).run_count != 0) continue;
        groups_[g].state = State::kResident;  // nothing of it is streamed
        ++resident_count_;
    }
}

void Streamer::pin_parents(std::uint32_t group, std::int32_t by) {
    for (const std::uint32_t parent : table_.parents(group)) {
        groups_[parent].children += static_cast<std::uint32_t>(by);
        list(parent);
    }
}

// Among those that may go, or no more.
void Streamer::list(std::uint32_t number) {
    Group& group = groups_[number];
    const bool may_go = group.state == State::kResident && group.children == 0 && table_.group(number).run_count != 0 &&
                        !std::isinf(table_.group(number).error);
    if (may_go == (group.at != kNowhere)) return;
    if (may_go) {
        group.at = static_cast<std::uint32_t>(leaves_.size());
        leaves_.push_back(number);
    } else {
        groups_[leaves_.back()].at = group.at;
        leaves_[group.at] = leaves_.back();
        leaves_.pop_back();
        group.at = kNowhere;
    }
}

std::vector<GroupArrival> Streamer::take_roots() {
    std::vector<GroupArrival> out;
    for (std::uint32_t g = 0; g < table_.group_count(); ++g) {
        if (!std::isinf(table_.group(g).error) || groups_[g].state != State::kAbsent) continue;
        const std::optional<GroupPlace> place = pool_.take(table_.group(g).size);
        if (!place) continue;
        groups_[g].state = State::kLoading;
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
        if (groups_[g].state != State::kAbsent || std::ranges::find(order, g) != order.end()) {
            open.pop_back();
            continue;
        }
        if (groups_[g].since > stamp) return false;
        const std::size_t before = open.size();
        for (const std::uint32_t parent : table_.parents(g)) {
            if (groups_[parent].state == State::kAbsent && std::ranges::find(order, parent) == order.end()) {
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
    const auto larger = [](const GroupWish& a, const GroupWish& b) {
        return a.pixels != b.pixels ? a.pixels > b.pixels : a.group < b.group;
    };
    Choice out;
    std::uint64_t read = 0;
    std::vector<std::uint32_t> order;
    auto sorted = wishes.begin();  // so far: there may be many, and few of them find room at once
    for (auto wish = wishes.begin(); wish != wishes.end(); ++wish) {
        if (wish == sorted) {
            sorted += std::min(kSorted, wishes.end() - sorted);
            std::nth_element(wish, sorted - 1, wishes.end(), larger);
            std::sort(wish, sorted, larger);
        }
        order.clear();
        if (!find_lacking(wish->group, options.stamp, order)) continue;
        for (const std::uint32_t group : order) {
            if (read >= options.most_words) return out;
            if (!take(group, options, out)) {
                out.lacks_room = out.evicted.size() < options.most_evicted;
                return out;
            }
            read += table_.block_words(group);
        }
    }
    return out;
}

bool Streamer::take(std::uint32_t group, const Options& options, Choice& out) {
    pin_parents(group, 1);  // they stay
    const GroupSize& size = table_.group(group).size;
    std::optional<GroupPlace> place = pool_.take(size);
    // A search for a gap takes long where there is none: first as much goes as it takes.
    for (GroupSize gone; !place && evict_one(options, out);) {
        gone += table_.group(out.evicted.back()).size;
        if (gone.sublets < size.sublets || gone.vertices < size.vertices || gone.payload < size.payload) continue;
        place = pool_.take(size);
    }
    // What may go has gone.
    if (!place) place = pool_.take(size);
    if (!place) {
        pin_parents(group, -1);
        return false;
    }
    groups_[group].state = State::kLoading;
    ++loading_count_;
    places_[group] = *place;
    groups_[group].since = options.stamp;
    out.arrivals.push_back({group, *place});
    return true;
}

std::uint32_t Streamer::last_use(std::uint32_t group, const Options& options) const {
    const std::uint32_t came = groups_[group].since >= options.arrivals_since ? groups_[group].since : 0;
    return std::max(came, options.used.empty() ? 0 : options.used[group]);
}

// A clock: of some that it comes by those go that were not used for longest, of these the finest.
void Streamer::find_victims(const Options& options) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;  // the last use, the group
    for (std::size_t looked = 0; looked < std::min(leaves_.size(), kLookedAt) && found.size() < kCandidates; ++looked) {
        const std::uint32_t group = leaves_[hand_++ % leaves_.size()];
        const std::uint32_t use = last_use(group, options);
        if (use < options.unused_since) found.emplace_back(use, group);
    }
    std::ranges::sort(found, [&](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first > b.first;
        return table_.group(a.second).error > table_.group(b.second).error;
    });
    for (std::size_t i = found.size() / 2; i < found.size(); ++i) victims_.push_back(found[i].second);
}

bool Streamer::evict_one(const Options& options, Choice& out) {
    if (out.evicted.size() >= options.most_evicted) return false;
    for (;;) {
        if (victims_.empty()) find_victims(options);
        if (victims_.empty()) return false;
        const std::uint32_t group = victims_.back();
        victims_.pop_back();
        if (groups_[group].at == kNowhere || last_use(group, options) >= options.unused_since) continue;
        forget(group);
        out.evicted.push_back(group);
        return true;
    }
}

void Streamer::forget(std::uint32_t group) {
    --(is_resident(group) ? resident_count_ : loading_count_);
    groups_[group].state = State::kAbsent;
    list(group);
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
    groups_[group].state = State::kResident;
    list(group);
    return true;
}

void Streamer::fail(const GroupArrival& arrival, std::uint32_t not_before) {
    forget(arrival.group);
    groups_[arrival.group].since = not_before;
}

}  // namespace sublet::render
