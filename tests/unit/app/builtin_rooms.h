// The built-in scene, encoded once for all tests of the program: that takes seconds with sanitizers.
#pragma once

#include "base/thread_pool.h"
#include "scene/import.h"

namespace sublet::app {

inline const scene::EncodedScene& builtin_rooms() {
    static const scene::EncodedScene rooms = [] {
        ThreadPool pool;
        return scene::encode_scene(scene::make_builtin_scene(1), {}, pool);
    }();
    return rooms;
}

}  // namespace sublet::app
