#include "app/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace sublet::app {

namespace {

std::string print_number(const char* format, int digits, double number) {
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), format, digits, number);
    return {text.data(), static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(text.size()) - 1))};
}

// Characters, not bytes: continuation bytes of UTF-8 take no room on a terminal.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
    return text;
}

std::string fixed(double number, int digits) {
    return std::isfinite(number) ? print_number("%.*f", digits, number) : "-";
}

std::string significant(double number, int digits) {
    return std::isfinite(number) ? print_number("%.*g", digits, number) : "-";
}

std::string byte_text(std::uint64_t bytes) {
    static constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return std::to_string(bytes) + " B";
    double amount = static_cast<double>(bytes) / 1024.0;
    std::size_t unit = 0;
    while (amount >= 1024.0 && unit + 1 < kUnits.size()) {
        amount /= 1024.0;
        ++unit;
    }
    return fixed(amount, 1) + " " + kUnits[unit];
}

void Table::print(std::ostream& out, std::size_t indent) const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    for (const auto& row : rows_) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - width(row[i]), ' ');
            if (i > 0) line += "  ";
            line += i == 0 ? row[i] + space : space + row[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

}  // namespace sublet::app
