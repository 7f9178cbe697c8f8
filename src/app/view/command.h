// What a user asks for by a key, a menu or a button.
#pragma once

#include <cstdint>

namespace sublet::app {

enum class Command : std::uint8_t {
    kResetCamera,
    kCopyCamera,
    kPasteCamera,
    kFrame,  // what is picked, else the scene
    kHide,   // what is picked
    kIsolate,
    kShowAll,
    kFront,  // looks along an axis
    kRight,
    kTop,
    kToggleProjection,
    kToggleFlying,
    kRecordPath,  // starts it, or ends it
    kPlayPath,    // or pauses it
    kPathThroughBookmarks,
    kSavePath,
    kPlayAnimation,  // or pauses it
    kWireframe,      // on or off, as are the next
    kJoints,
    kFloorGrid,
    kFreezeCulling,
    kNextBounds,
    kHelp,
    kEscape,  // takes away what lies over the picture, then drops what is picked
    kHidePanels,
    kSwapOther,
    kOpen,
    kOpenEnvironment,
    kReload,
    kSavePicture,
    kCopyCommandLine,
    kLoadPreset,
    kSavePreset,
    kExportCsv,  // the last frames' times and counters
    kExportJson,
    kResetSettings,
    kSplit,      // the window, between the settings of now and the other ones of A/B; or not any more
    kKeepOther,  // the settings of now are the other ones of A/B
    kQuit,
};

}  // namespace sublet::app
