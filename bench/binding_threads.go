// The Go side of bench/binding_threads, as BindingThreads.java.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"ndc.io/ndc/v2"
)

func main() {
	files, err := os.ReadDir(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	bodies := make([][]byte, len(files))
	for i := range bodies {
		if bodies[i], err = os.ReadFile(filepath.Join(os.Args[1], fmt.Sprint(i))); err != nil {
			log.Fatal(err)
		}
	}
	for {
		var goroutines, engines int
		if _, err := fmt.Scan(&goroutines, &engines); err != nil {
			return
		}
		fmt.Println(run(bodies, goroutines, engines))
	}
}

func run(bodies [][]byte, goroutines, engineCount int) string {
	engines := make([]*ndc.Engine, engineCount)
	for i := range engines {
		engine, err := ndc.Open("")
		if err != nil {
			log.Fatal(err)
		}
		defer engine.Close()
		engines[i] = engine
	}
	groups := make([]uint64, len(bodies))
	var working sync.WaitGroup
	cpu, begin := processTime(), time.Now()
	for first := 0; first < goroutines; first++ {
		working.Add(1)
		go func(first int) {
			defer working.Done()
			for i := first; i < len(bodies); i += goroutines {
				page := ndc.Page{URL: fmt.Sprintf("http://a%d.example/%d", i%7, i), Body: bodies[i], ContentType: "text/html"}
				result, err := engines[first%engineCount].Check(context.Background(), page)
				if err != nil {
					log.Fatal(err)
				}
				groups[i] = result.GroupID
			}
		}(first)
	}
	working.Wait()
	wall, used := time.Since(begin), processTime()-cpu
	first := map[uint64]int{}
	var founders []string
	for i, group := range groups {
		if _, there := first[group]; !there {
			first[group] = i
		}
		founders = append(founders, fmt.Sprint(first[group]))
	}
	return fmt.Sprintf("%d %d %s", wall.Nanoseconds(), used.Nanoseconds(), strings.Join(founders, ","))
}

func processTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
