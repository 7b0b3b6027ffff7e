#include <iostream>
#include <string>
#include <utility>

namespace printing {

struct options {
    bool spaces = true;
    const char *end = "\n";
};

template <typename Value>
void print_one(std::ostream &out, const Value &value, const options &how = options()) {
    out << value;
    if (how.spaces) {
        out << ' ';
    }
}

template <typename First, typename... Rest>
inline void print_all(std::ostream &out, First &&first, Rest &&...rest) {
    print_one(out, std::forward<First>(first));
    if constexpr (sizeof...(rest) > 0) {
        print_all(out, std::forward<Rest>(rest)...);
    }
}

template <typename Stream>
class printer {
public:
    explicit printer(Stream &stream) : stream_(stream) {}

    template <typename... Values>
    printer &operator()(const Values &...values) {
        print_all(stream_, values...);
        stream_ << how_.end;
        return *this;
    }

private:
    Stream &stream_;
    options how_;
};

} // namespace printing

int main(int argc, char **argv) {
    printing::printer<std::ostream> print(std::cout);
    std::string name = argc > 1 ? argv[1] : "nobody";
    print("hello,", name, 42, 1.5);
    return 0;
}
