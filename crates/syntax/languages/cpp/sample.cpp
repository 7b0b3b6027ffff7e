#include <string>
#include <vector>

namespace shapes {

// What has an area.
template <typename T>
class Shape {
public:
    explicit Shape(T side) : side_{side} {}
    virtual ~Shape() = default;
    virtual T area() const { return side_ * side_; }

private:
    T side_;
};

auto total(const std::vector<Shape<double>> &all) -> double {
    double sum = 0.0;
    for (const auto &one : all) sum += one.area();
    return [sum](int scale) { return sum * scale; }(2);
}

} // namespace shapes

int main() {
    std::string text = R"(raw "text")";
    try {
        return static_cast<int>(shapes::total({shapes::Shape<double>(1.5)}));
    } catch (const std::exception &) {
        return text.size() ? 1 : 0;
    }
}
