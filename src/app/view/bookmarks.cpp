#include "app/view/bookmarks.h"

#include <utility>

#include "app/camera_path.h"
#include "app/output.h"
#include "base/error.h"

namespace sublet::app {

namespace {

std::string projection_name(render::Projection projection) {
    render::Settings settings;
    settings.frame.projection = projection;
    return render::find_setting("projection")->get(settings);
}

Bookmark parse_bookmark(const Json& json, const std::string& name, const std::string& at) {
    Bookmark bookmark;
    bookmark.pose = parse_pose(json, name, at);
    if (json.contains("name")) {
        if (!json.at("name").is_string()) throw Error(name, at + ".name", "is not a text");
        bookmark.name = json.at("name").get<std::string>();
    }
    if (json.contains("projection")) {
        const Json& projection = json.at("projection");
        if (projection != "perspective" && projection != "orthographic") {
            throw Error(name, at + ".projection", "is neither perspective nor orthographic");
        }
        bookmark.projection =
            projection == "orthographic" ? render::Projection::kOrthographic : render::Projection::kPerspective;
    }
    return bookmark;
}

}  // namespace

void Bookmarks::set(int slot, std::optional<Bookmark> bookmark) {
    if (slot < kFirstSlot || slot > kLastSlot) return;
    slots_[static_cast<std::size_t>(slot - kFirstSlot)] = std::move(bookmark);
}

const std::optional<Bookmark>& Bookmarks::at(int slot) const {
    static const std::optional<Bookmark> none;
    return slot < kFirstSlot || slot > kLastSlot ? none : slots_[static_cast<std::size_t>(slot - kFirstSlot)];
}

std::vector<render::CameraPose> Bookmarks::poses() const {
    std::vector<render::CameraPose> poses;
    for (const std::optional<Bookmark>& bookmark : slots_) {
        if (bookmark) poses.push_back(bookmark->pose);
    }
    return poses;
}

std::string Bookmarks::text() const {
    Json list = Json::array();
    for (int slot = kFirstSlot; slot <= kLastSlot; ++slot) {
        const std::optional<Bookmark>& bookmark = at(slot);
        if (!bookmark) continue;
        Json json{{"slot", slot}, {"name", bookmark->name}, {"projection", projection_name(bookmark->projection)}};
        json.update(pose_json(bookmark->pose));
        list.push_back(std::move(json));
    }
    const Json all{{"bookmarks", std::move(list)}};
    // A name may come from a file, with bytes that are no text.
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Bookmarks Bookmarks::parse(const std::string& text, const std::string& name) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) throw Error(name, "", "is not valid JSON");
    if (!json.is_object() || !json.contains("bookmarks") || !json.at("bookmarks").is_array()) {
        throw Error(name, "bookmarks", "must be a list");
    }
    Bookmarks bookmarks;
    const Json& list = json.at("bookmarks");
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string at = "bookmarks[" + std::to_string(i) + "]";
        const Bookmark bookmark = parse_bookmark(list[i], name, at);
        const auto slot = list[i].find("slot");
        if (slot == list[i].end() || !slot->is_number_integer() || *slot < kFirstSlot || *slot > kLastSlot) {
            throw Error(name, at + ".slot", "must be a number from 1 to 9");
        }
        bookmarks.set(slot->get<int>(), bookmark);
    }
    return bookmarks;
}

}  // namespace sublet::app
