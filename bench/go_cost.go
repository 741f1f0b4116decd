// The Go side of bench/go_cost: checks one page again and again, as jni_cost.c does.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"syscall"
	"time"

	"ndc.io/ndc/v2"
)

func main() {
	body, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	engine, err := ndc.Open("")
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	ctx := context.Background()
	page := ndc.Page{URL: "http://a.example/", Body: body, ContentType: "text/html; charset=utf-8"}
	for {
		var command string
		var count int
		if _, err := fmt.Scan(&command, &count); err != nil {
			return
		}
		cpu, begin := processTime(), time.Now()
		for i := 0; i < count; i++ {
			if result, err := engine.Check(ctx, page); err != nil || result.Verdict == ndc.NoText {
				log.Fatal(result, err)
			}
		}
		fmt.Println((processTime() - cpu).Nanoseconds(), time.Since(begin).Nanoseconds())
	}
}

func processTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
