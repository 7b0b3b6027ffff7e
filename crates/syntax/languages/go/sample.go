package main

import (
	"fmt"
	str "strings"
)

// Stack holds values, the last on top.
type Stack[T any] struct {
	values []T `json:"values"`
}

func (s *Stack[T]) Push(value T) { s.values = append(s.values, value) }

func sum(numbers ...int) (total int, err error) {
	defer func() { recover() }()
	for _, number := range numbers {
		total += number
	}
	if total > 1<<16 {
		return 0, fmt.Errorf("too much: %d", total)
	}
	return
}

func main() {
	results := make(chan int, 0x2)
	go func() { results <- len(str.Repeat("x", 3)) }()
	select {
	case n := <-results:
		fmt.Println(n, 'r', map[string]float64{"pi": 3.14})
	default:
	}
}
