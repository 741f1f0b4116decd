// Command colly crawls one site with colly, and tells of each page what it is beside all pages of this crawl and of
// those before it:
//
//	go run . crawl.ndc http://localhost:8000/
//
// It follows no links of near-duplicates. After a crawl that was killed the same command goes on with all pages that
// were answered.
package main

import (
	"context"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"sync"

	"github.com/gocolly/colly/v2"
	"ndc.io/ndc/v2"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: colly STORE URL")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := crawl(ctx, os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func crawl(ctx context.Context, store, start string) (err error) {
	address, err := url.Parse(start)
	if err != nil {
		return err
	}
	engine, err := ndc.Open(store)
	if err != nil {
		return err
	}
	defer func() {
		if closed := engine.Close(); err == nil {
			err = closed
		}
	}()
	collector := colly.NewCollector(colly.AllowedDomains(address.Hostname()), colly.Async(true))
	if err := collector.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 4}); err != nil {
		return err
	}
	collector.OnRequest(func(request *colly.Request) {
		if ctx.Err() != nil {
			request.Abort()
		}
	})
	var duplicates sync.Map // ids of requests, since the pages that a page links to share its context
	collector.OnResponse(func(response *colly.Response) {
		page := ndc.Page{URL: response.Request.URL.String(), Body: response.Body, ContentType: contentType(response)}
		result, err := engine.Check(ctx, page)
		if err != nil {
			log.Print(err) // the verdict is advice: the page is kept
			return
		}
		if result.IsDuplicate() {
			duplicates.Store(response.Request.ID, true)
		}
		fmt.Println(result.Verdict, result.GroupID, page.URL)
	})
	collector.OnHTML("a[href]", func(link *colly.HTMLElement) {
		if _, duplicate := duplicates.Load(link.Request.ID); !duplicate {
			_ = link.Request.Visit(link.Attr("href")) // it says so too when a page was visited before
		}
	})
	collector.OnScraped(func(response *colly.Response) { duplicates.Delete(response.Request.ID) })
	collector.OnError(func(response *colly.Response, err error) { log.Print(response.Request.URL, ": ", err) })
	if err := collector.Visit(start); err != nil {
		return err
	}
	collector.Wait()
	return ctx.Err()
}

// contentType is the header, except that colly has decoded a body whose charset is named there.
func contentType(response *colly.Response) string {
	header := response.Headers.Get("Content-Type")
	if strings.Contains(strings.ToLower(header), "charset") {
		media, _, _ := strings.Cut(header, ";")
		return media + "; charset=utf-8"
	}
	return header
}
