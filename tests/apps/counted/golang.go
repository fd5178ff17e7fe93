// SPDX-License-Identifier: BSD-3-Clause
// Threads and a heap of a run-time of its own, without libc: prints sums that do not depend on how it is scheduled.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

func sum(count int) float64 {
	total := 0.0
	for i := 0; i < count; i++ {
		total += float64(i % 8)
	}
	return total
}

func main() {
	var group sync.WaitGroup
	sums := make([]float64, 8)
	for i := range sums {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			sums[i] = sum(200000 + 8*i)
		}(i)
	}
	group.Wait()
	var kept []*[64]byte
	for i := 0; i < 100000; i++ {
		kept = append(kept[:i%1000], new([64]byte))
	}
	runtime.GC()
	name, _ := os.Executable()
	fmt.Println(sums, len(kept), name)
}
