// SPDX-License-Identifier: BSD-3-Clause
// Go's preemption by signals while counting: loops without a call, which share the CPUs by nothing else, and the garbage
// collector. Prints how many of their sums were wrong.
package main

// #include <stdlib.h>
import "C"
import (
	"fmt"
	"runtime"
	"time"
)

const turns = 400000

func sum() (a uint64, b float64) {
	b = 1
	for i := uint64(0); i < turns; i++ {
		a = a*6364136223846793005 + i ^ a>>7
		b = b*0.999999 + float64(i&3)
	}
	return
}

func main() {
	C.free(C.malloc(8)) // it needs C's loader, which lets it be counted
	a, b := sum()
	results := make(chan bool)
	go func() {
		for {
			runtime.GC()
			time.Sleep(50 * time.Microsecond)
		}
	}()
	const routines = 300
	for i := 0; i < routines; i++ {
		go func() {
			c, d := sum()
			results <- a == c && b == d
		}()
	}
	wrong := 0
	for i := 0; i < routines; i++ {
		if !<-results {
			wrong++
		}
	}
	fmt.Println("wrong sums:", wrong)
}
