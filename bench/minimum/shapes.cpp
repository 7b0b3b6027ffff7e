class Point {
public:
    Point(double x, double y) : x_(x), y_(y) {}
    double x() const { return x_; }
    double y() const { return y_; }

private:
    double x_;
    double y_;
};

class Shape {
public:
    virtual ~Shape() {}
    virtual double area() const = 0;
    virtual int corners() const { return 0; }
};

class Polygon : public Shape {
public:
    explicit Polygon(int count) : count_(count) {}
    double area() const override { return 0; }

protected:
    int count_;
};

class Rectangle : public Polygon {
public:
    Rectangle(Point low, Point high) : Polygon(4), low_(low), high_(high) {}
    double area() const override {
        return (high_.x() - low_.x()) * (high_.y() - low_.y());
    }

private:
    Point low_;
    Point high_;
};

class Square : public Rectangle {
public:
    Square(Point low, double side)
        : Rectangle(low, Point(low.x() + side, low.y() + side)), side_(side) {}
    int corners() const override { return 4; }
    double side() const { return side_; }

private:
    double side_;
};

double total(const Square *squares, int count) {
    double sum = 0;
    for (int place = 0; place < count; ++place) {
        sum += squares[place].area() + squares[place].corners();
    }
    return sum;
}

int main() {
    Square squares[2] = {Square(Point(0, 0), 2), Square(Point(1, 1), 3)};
    return total(squares, 2) > 13 ? 0 : 1;
}
