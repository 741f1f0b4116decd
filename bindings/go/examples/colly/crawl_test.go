// Crawls of a site on the loopback whose copies are known, in processes of their own that are killed.

package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ndc.io/ndc/v2"
)

const (
	articles = 24
	copies   = 8 // of the first articles
	program  = "NDC_TEST_CRAWL"
)

func TestMain(m *testing.M) {
	if os.Getenv(program) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func text(number int) string {
	words := strings.Fields("council lighthouse harbour spring repair lamp keeper museum coast ferry island boat road")
	source := rand.New(rand.NewSource(int64(number)))
	var out strings.Builder
	for i := 0; i < 150; i++ {
		fmt.Fprintf(&out, "%s%d ", words[source.Intn(len(words))], source.Intn(60))
	}
	return out.String()
}

// site is the pages by their paths. The last article and its copy are in Cyrillic, by two charsets.
func site() map[string]string {
	frame := "<html><title>%s</title><body><nav><a href=/>Home</a></nav><p>%s</p></body></html>"
	pages, links := map[string]string{}, ""
	for i := 0; i < articles; i++ {
		path := fmt.Sprintf("/article/%d", i)
		pages[path] = fmt.Sprintf(frame, path, text(i))
		links += fmt.Sprintf("<p><a href=%s>%d</a>", path, i)
		if i < copies {
			path = fmt.Sprintf("/copy/%d", i)
			pages[path] = fmt.Sprintf(frame, path, text(i)+"Read more on Monday.")
			links += fmt.Sprintf("<p><a href=%s>%d</a>", path, i)
		}
	}
	var russian, windows strings.Builder
	for i := 0; i < 150; i++ {
		for _, letter := range fmt.Sprintf("%d", i*i*7919) {
			russian.WriteRune('а' + letter - '0')
			windows.WriteByte(byte(0xe0 + letter - '0'))
		}
		russian.WriteByte(' ')
		windows.WriteByte(' ')
	}
	pages["/article/utf-8"] = fmt.Sprintf(frame, "", russian.String())
	pages["/copy/windows-1251"] = fmt.Sprintf(frame, "", windows.String())
	pages["/"] = fmt.Sprintf(frame, "Home", links+"<a href=/article/utf-8>u</a><a href=/copy/windows-1251>w</a>")
	return pages
}

// A served site answers no more pages than its limit, so that a crawl that is to be killed is still running then,
// however busy the machine is.
type servedSite struct {
	address string
	limit   atomic.Int64
}

func serve(t *testing.T) *servedSite {
	pages, served := site(), &servedSite{}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, there := pages[request.URL.Path]
		if !there {
			response.WriteHeader(http.StatusNotFound)
			return
		}
		if served.limit.Add(-1) < 0 {
			<-request.Context().Done()
			return
		}
		charset := "utf-8"
		if strings.HasSuffix(request.URL.Path, "1251") {
			charset = "windows-1251"
		}
		response.Header().Set("Content-Type", "text/html; charset="+charset)
		_, _ = response.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	served.address = server.URL
	return served
}

type answer struct {
	verdict string
	group   uint64
}

// run crawls, and kills the crawl after as many pages, unless that is 0; the answers by their paths.
func run(t *testing.T, store string, from *servedSite, killAfter int) map[string]answer {
	t.Helper()
	from.limit.Store(math.MaxInt64)
	if killAfter != 0 {
		// Two pages more, so that the kill may come while one is checked.
		from.limit.Store(int64(killAfter) + 2)
	}
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(executable, store, from.address+"/")
	command.Env = append(os.Environ(), program+"=1")
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	found := map[string]answer{}
	for lines := bufio.NewScanner(output); lines.Scan(); {
		var one answer
		var page string
		if _, err := fmt.Sscan(lines.Text(), &one.verdict, &one.group, &page); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		found[strings.TrimPrefix(page, from.address)] = one
		if len(found) == killAfter {
			if err := command.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if err := command.Wait(); (err != nil) != (killAfter != 0) {
		t.Fatal(err)
	}
	return found
}

func checkGroups(t *testing.T, found map[string]answer) {
	t.Helper()
	if len(found) != len(site()) {
		t.Errorf("%d pages of %d: %v", len(found), len(site()), found)
	}
	groups := map[uint64]bool{}
	for _, one := range found {
		groups[one.group] = true
	}
	if want := len(site()) - copies - 1; len(groups) != want {
		t.Errorf("%d groups, not %d: %v", len(groups), want, found)
	}
	same := map[string]string{"/article/utf-8": "/copy/windows-1251"}
	for i := 0; i < copies; i++ {
		same[fmt.Sprintf("/article/%d", i)] = fmt.Sprintf("/copy/%d", i)
	}
	for original, copied := range same {
		if found[original].group != found[copied].group {
			t.Errorf("%s %v, %s %v", original, found[original], copied, found[copied])
		}
	}
}

func TestEveryCopyIsFound(t *testing.T) {
	served, store := serve(t), filepath.Join(t.TempDir(), "store")
	found := run(t, store, served, 0)
	checkGroups(t, found)
	duplicates := 0
	for _, one := range found {
		if one.verdict == "near" || one.verdict == "exact" {
			duplicates++
		}
	}
	if duplicates != copies+1 {
		t.Errorf("%d duplicates: %v", duplicates, found)
	}
	again := run(t, store, served, 0)
	checkGroups(t, again)
	for path, one := range again {
		if one.verdict != "unchanged" || one.group != found[path].group {
			t.Errorf("%s: %v, then %v", path, found[path], one)
		}
	}
}

func TestAKilledCrawlLosesNothing(t *testing.T) {
	served := serve(t)
	for _, killAfter := range []int{1, 7, 20} {
		store := filepath.Join(t.TempDir(), "store")
		before := run(t, store, served, killAfter)
		after := run(t, store, served, 0)
		checkGroups(t, after)
		for path, one := range before {
			if after[path].verdict != "unchanged" || after[path].group != one.group {
				t.Errorf("killed after %d: %s: %v, then %v", killAfter, path, one, after[path])
			}
		}
		if faults, err := ndc.Verify(store); err != nil {
			t.Errorf("%v: %v", err, faults)
		}
	}
}
