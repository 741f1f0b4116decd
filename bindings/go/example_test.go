// The examples of the documentation, whose output the tests compare.

package ndc_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ndc.io/ndc/v2"
)

const story = "<p>The council will rebuild the lighthouse in spring. The keeper's house becomes a museum of the " +
	"coast, and the lamp, which was lit for the first time in 1871, will burn again on its birthday.</p>"

func Example() {
	engine, err := ndc.Open("") // in memory
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	for _, page := range []ndc.Page{
		{URL: "http://one.example/lighthouse", Body: []byte(story)},
		{URL: "http://two.example/news/17", Body: []byte("<h1>Local news</h1>" + story)},
		{URL: "http://one.example/lighthouse", Body: []byte(story)},
		{URL: "http://one.example/ferry", Body: []byte("<p>The ferry leaves at noon and at six.</p>")},
	} {
		result, err := engine.Check(context.Background(), page)
		if err != nil {
			log.Print(err) // the verdict is advice: keep the page and go on
			continue
		}
		fmt.Println(page.URL, result.Verdict, result.GroupID, result.IsDuplicate())
	}
	// Output:
	// http://one.example/lighthouse new 1 false
	// http://two.example/news/17 near 1 true
	// http://one.example/lighthouse unchanged 1 false
	// http://one.example/ferry new 3 false
}

// A store keeps the pages from run to run.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "ndc")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	store, ctx := filepath.Join(folder, "crawl.ndc"), context.Background()
	for _, url := range []string{"http://one.example/", "http://two.example/"} {
		engine, err := ndc.Open(store, ndc.WithMemoryBudgetBytes(256<<20), ndc.WithDurability(ndc.DurabilitySync))
		if err != nil {
			log.Fatal(err)
		}
		result, err := engine.Check(ctx, ndc.Page{URL: url, Body: []byte(story)})
		fmt.Println(result.Verdict, err)
		if err := engine.Close(); err != nil {
			log.Fatal(err)
		}
	}
	_, err = ndc.Open(store, ndc.WithTokensLimit(100))
	fmt.Println(errors.Is(err, ndc.ErrInvalidArgument))
	// Output:
	// new <nil>
	// exact <nil>
	// true
}

func ExampleEngine_Members() {
	engine, err := ndc.Open("")
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	ctx := context.Background()
	for _, url := range []string{"http://one.example/", "http://two.example/"} {
		if _, err := engine.Check(ctx, ndc.Page{URL: url, Body: []byte(story)}); err != nil {
			log.Fatal(err)
		}
	}
	members, err := engine.Members(ctx, 1)
	for _, page := range members {
		fmt.Println(page.URL, page.Verdict)
	}
	_, unknown := engine.Members(ctx, 4711)
	fmt.Println(err, errors.Is(unknown, ndc.ErrNotFound))
	// Output:
	// http://one.example/ new
	// http://two.example/ exact
	// <nil> true
}

// Without an engine, as a distributed program compares pages.
func ExampleFeatures_Decide() {
	reader, err := ndc.NewReader()
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Close()
	var features []ndc.Features
	for _, body := range []string{story, "<h1>Local news</h1>" + story} {
		of, err := reader.Features(context.Background(), ndc.Page{Body: []byte(body)})
		if err != nil {
			log.Fatal(err)
		}
		features = append(features, of)
	}
	result, err := features[0].Decide(features[1])
	fmt.Println(result.Verdict, err)
	// Output: near <nil>
}
