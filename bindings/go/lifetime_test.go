// Closing, threads, other processes, panics and the input of the devil: an error at worst.

package ndc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var _ = []io.Closer{(*Engine)(nil), (*Reader)(nil), (*SiteModel)(nil)}

// everyCall is each method of an engine, by its name.
func everyCall(engine *Engine) map[string]func(context.Context) error {
	page := Page{URL: "http://a.example/", Body: []byte("<p>The ferry leaves at noon.</p>")}
	ignore := func(_ any, err error) error { return err }
	return map[string]func(context.Context) error{
		"Check":          func(ctx context.Context) error { return ignore(engine.Check(ctx, page)) },
		"Query":          func(ctx context.Context) error { return ignore(engine.Query(ctx, page)) },
		"CheckWithText":  func(ctx context.Context) error { _, _, err := engine.CheckWithText(ctx, page); return err },
		"OwnText":        func(ctx context.Context) error { return ignore(engine.OwnText(ctx, page)) },
		"CheckFeatures":  func(ctx context.Context) error { return ignore(engine.CheckFeatures(ctx, nil)) },
		"Remove":         func(ctx context.Context) error { return ignore(engine.Remove(ctx, "x")) },
		"RemoveMatching": func(ctx context.Context) error { return ignore(engine.RemoveMatching(ctx, Filter{Site: "x"})) },
		"Settle":         func(ctx context.Context) error { return ignore(engine.Settle(ctx)) },
		"Find":           func(ctx context.Context) error { return ignore(engine.Find(ctx, "x")) },
		"Page":           func(ctx context.Context) error { return ignore(engine.Page(ctx, 1)) },
		"Kept":           func(ctx context.Context) error { return ignore(engine.Kept(ctx, 1, KeepFirst)) },
		"Members":        func(ctx context.Context) error { return ignore(engine.Members(ctx, 1)) },
		"Groups":         func(ctx context.Context) error { return ignore(engine.Groups(ctx)) },
		"Events":         func(ctx context.Context) error { return ignore(engine.Events(ctx, 0)) },
		"Similar":        func(ctx context.Context) error { return ignore(engine.Similar(ctx, 1, 1)) },
		"Compare":        func(ctx context.Context) error { return ignore(engine.Compare(ctx, 1, 2)) },
		"Explain":        func(ctx context.Context) error { return ignore(engine.Explain(ctx, 1, 2)) },
		"Stats":          func(ctx context.Context) error { return ignore(engine.Stats(ctx)) },
		"Metrics":        func(ctx context.Context) error { return ignore(engine.Metrics(ctx)) },
		"Snapshot":       engine.Snapshot,
		"Compact":        engine.Compact,
		"Refresh":        engine.Refresh,
		"SetBookmark":    func(ctx context.Context) error { return engine.SetBookmark(ctx, "x", nil) },
		"Bookmark":       func(ctx context.Context) error { return ignore(engine.Bookmark(ctx, "x")) },
	}
}

func TestAClosedEngineSaysSo(t *testing.T) {
	closed := must(Open(""))
	must(0, closed.Close())
	must(0, closed.Close())
	for kind, engine := range map[string]*Engine{"closed": closed, "zero": {}, "nil": nil} {
		must(0, engine.Close())
		for name, call := range everyCall(engine) {
			wantStatus(t, kind+" "+name, call(background), ErrClosed)
		}
	}
	reader, model := must(NewReader()), must(NewSiteModel())
	must(0, reader.Close())
	must(0, model.Close())
	must(0, model.Close())
	for _, reader := range []*Reader{reader, {}, nil} {
		must(0, reader.Close())
		_, err := reader.Features(background, Page{})
		wantStatus(t, "Features", err, ErrClosed)
		_, err = reader.Signature(background, Page{})
		wantStatus(t, "Signature", err, ErrClosed)
	}
	for _, model := range []*SiteModel{model, {}, nil} {
		must(0, model.Close())
		_, err := model.Save()
		wantStatus(t, "Save", err, ErrClosed)
		wantStatus(t, "Learn", model.Learn([]uint64{1}), ErrClosed)
	}
}

func TestEveryCallRefusesAnEndedContext(t *testing.T) {
	ended, cancel := context.WithCancel(background)
	cancel()
	for name, call := range everyCall(open(t, "")) {
		if err := call(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClosingWaitsForTheCallsOfOthers(t *testing.T) {
	for round := 0; round < 10; round++ {
		engine := must(Open(filepath.Join(t.TempDir(), "store")))
		reader := must(NewReader())
		var working sync.WaitGroup
		var begun int32
		for worker := 0; worker < 100; worker++ {
			working.Add(1)
			go func(worker int) {
				defer working.Done()
				for i := 0; ; i++ {
					page := Page{URL: fmt.Sprintf("http://a.example/%d", worker), Body: html(worker%7, "")}
					_, err := engine.Check(background, page)
					atomic.AddInt32(&begun, 1)
					if err == nil {
						_, err = engine.Groups(background)
					}
					if _, readError := reader.Features(background, page); err == nil {
						err = readError
					}
					if err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			}(worker)
		}
		for atomic.LoadInt32(&begun) < 20 {
			time.Sleep(time.Millisecond)
		}
		for closer := 0; closer < 3; closer++ {
			working.Add(1)
			go func() {
				defer working.Done()
				if err := engine.Close(); err != nil {
					t.Error(err)
				}
				_ = reader.Close()
			}()
		}
		working.Wait()
	}
}

func TestGoroutinesShareAnEngine(t *testing.T) {
	engine := open(t, "")
	var working sync.WaitGroup
	var exact int32
	for _, name := range []string{"a", "b", "c", "d"} {
		working.Add(1)
		go func(name string) {
			defer working.Done()
			for i := 0; i < 40; i++ {
				result, err := engine.Check(background, Page{URL: fmt.Sprintf("http://%s.example/%d", name, i), Body: html(i, "")})
				if err != nil {
					t.Error(err)
				}
				if result.Verdict == Exact {
					atomic.AddInt32(&exact, 1)
				}
				for _, call := range []string{"Members", "Stats", "Metrics", "Events", "Similar"} {
					if err := everyCall(engine)[call](background); err != nil {
						t.Error(call, err)
					}
				}
			}
		}(name)
	}
	working.Wait()
	groups := must(engine.Groups(background))
	for _, group := range groups {
		if group.PageCount != 4 {
			t.Errorf("%+v", group)
		}
	}
	if len(groups) != 40 || exact != 120 {
		t.Errorf("%d groups, %d exact copies", len(groups), exact)
	}
}

// sharingAFrame is an engine that decided its first pages when it did not know what their site repeats.
func sharingAFrame(t *testing.T) *Engine {
	engine, frame := open(t, ""), article(1000, 200)
	for i := 0; i < 12; i++ {
		check(t, engine, fmt.Sprintf("http://a.example/%d", i), []byte("<p>"+frame+"</p><p>"+article(i, 20)+"</p>"))
	}
	return engine
}

func TestTheContextOfSettleEndsNoWork(t *testing.T) {
	for i := 0; i < 200; i++ {
		engine := sharingAFrame(t)
		before := must(engine.Groups(background))
		ctx, cancel := context.WithCancel(background)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for len(engine.calls.running) == 0 && ctx.Err() == nil {
				runtime.Gosched()
			}
			cancel()
		}()
		settled, err := engine.Settle(ctx)
		cancel()
		<-done
		after := must(engine.Groups(background))
		changed := len(after) != len(before)
		if err == nil && (len(settled) != 12 || !changed) || err != nil && (!errors.Is(err, context.Canceled) || changed) {
			t.Errorf("%d settled, %d groups where there were %d: %v", len(settled), len(after), len(before), err)
		}
		must(0, engine.Close())
	}
}

func TestSettleRunsAlone(t *testing.T) {
	engine := sharingAFrame(t)
	must(0, engine.begin(background)) // the call of another
	soon, cancel := context.WithTimeout(background, 20*time.Millisecond)
	defer cancel()
	if _, err := engine.Settle(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if running := len(engine.calls.running); running != 1 {
		t.Errorf("%d calls still hold a place", running)
	}
	engine.calls.end()

	var working sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		working.Add(1)
		go func(worker int) {
			defer working.Done()
			for i := 0; i < 8; i++ {
				if _, err := engine.Settle(background); err != nil {
					t.Error(err)
				}
				check(t, engine, fmt.Sprintf("http://b.example/%d-%d", worker, i), html(worker, ""))
			}
		}(worker)
	}
	working.Wait()
	if settled := must(engine.Settle(background)); len(settled) != 12+8*8 {
		t.Errorf("%d settled", len(settled))
	}

	must(0, engine.calls.beginAlone(background))
	waiting, closed := make(chan error), make(chan error)
	go func() { _, err := engine.Settle(background); waiting <- err }()
	go func() { closed <- engine.Close() }()
	wantStatus(t, "a closed engine", <-waiting, ErrClosed)
	engine.calls.endAlone()
	must(0, <-closed)
}

func TestAnEngineThatIsForgottenIsClosed(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	func() {
		check(t, must(Open(store, WithLog(func(LogLevel, string) {}))), "http://a.example/", html(1, ""))
	}()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		runtime.GC()
		engine, err := Open(store)
		if err == nil {
			must(0, engine.Close())
			return
		}
		if !errors.Is(err, ErrLocked) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestALogThatDoesNotReturnHarmsNothing(t *testing.T) {
	for how, leave := range map[string]func(){"panic": func() { panic("out of cheese") }, "Goexit": runtime.Goexit} {
		store := filepath.Join(t.TempDir(), "store")
		var lines int32
		leaving := WithLog(func(LogLevel, string) {
			atomic.AddInt32(&lines, 1)
			leave()
		})
		// Warns that this option has no effect.
		options := []Option{Set("journal_bytes", "100000"), WithDurability(DurabilityNone), WithLog(nil), leaving}
		engine := must(Open(store, options...))
		if atomic.SwapInt32(&lines, 0) == 0 {
			t.Errorf("%s: nothing was logged by Open", how)
		}
		check(t, engine, "http://a.example/", html(1, ""))
		must(0, engine.Close())
		// Nothing was left locked.
		check(t, open(t, store, leaving), "http://b.example/", html(1, ""))
		_, err := Open("", leaving, Set("no such option", ""))
		wantStatus(t, "an unknown option", err, ErrInvalidArgument)

		small := open(t, "", leaving, WithMemoryBudgetBytes(1<<20))
		for i := 0; i < 3000 && atomic.LoadInt32(&lines) == 0; i++ {
			check(t, small, fmt.Sprintf("http://a.example/%d", i), html(i, ""))
		}
		if atomic.LoadInt32(&lines) == 0 {
			t.Errorf("%s: nothing was logged by Check", how)
		}
		check(t, small, "http://b.example/", html(1, ""))
	}
}

func TestHostileInput(t *testing.T) {
	engine := open(t, "")
	reader := must(NewReader())
	defer reader.Close()
	huge := strings.Repeat("<p>a \xff\x00 b", 3<<20)
	for _, page := range []Page{
		{},
		{URL: "\x00", Body: []byte{0}, ContentType: "\x00"},
		{URL: "\xff\xfe", Body: []byte("\xff\xfe\x00<p>\xc3\x28"), ContentType: "\xff/\xff; charset=\xff"},
		{URL: "http://a.example/", Body: []byte(huge), ContentType: huge},
		{URL: "http://b.example/", FetchedAt: time.Unix(1<<40, 0)},
		{URL: "http://b.example/", FetchedAt: time.Unix(-1<<40, 0), Truncated: true},
		{URL: "http://c.example/", Body: html(1, "\x00\xed\xa0\x80")},
	} {
		for name, call := range map[string]func() error{
			"check": func() error { _, err := engine.Check(background, page); return err },
			"query": func() error { _, err := engine.Query(background, page); return err },
			"text":  func() error { _, _, err := engine.CheckWithText(background, page); return err },
			"read":  func() error { _, err := reader.Features(background, page); return err },
			"see":   func() error { _, err := reader.Extract(background, page); return err },
			"sign":  func() error { _, err := reader.Signature(background, page); return err },
			"forget": func() error {
				_, err := engine.RemoveMatching(background, Filter{URLPrefix: page.URL, Site: page.ContentType})
				return err
			},
		} {
			var failure *Error
			if err := call(); err != nil && (!errors.As(err, &failure) || errors.Is(err, ErrInternal)) {
				t.Errorf("%s of %.60q: %v", name, page.URL, err)
			}
		}
	}
	_, err := engine.Check(background, Page{URL: huge})
	wantStatus(t, "a URL of 27 MB", err, ErrInvalidArgument)
	_, err = engine.Find(background, huge)
	wantStatus(t, "a URL of 27 MB", err, ErrNotFound)
	_, err = Open("store\x00")
	wantStatus(t, "a NUL in the path", err, ErrInvalidArgument)
	_, err = Open(t.TempDir() + "/\xff/store")
	wantStatus(t, "a parent that is not there", err, ErrIO)
	_, err = Verify("\x00")
	wantStatus(t, "a NUL in the path", err, ErrInvalidArgument)
	store := open(t, filepath.Join(t.TempDir(), "\xff store"))
	wantStatus(t, "a NUL in the name", store.SetBookmark(background, "a\x00b", nil), ErrInvalidArgument)
	wantStatus(t, "a long name", store.SetBookmark(background, strings.Repeat("\xff", 1<<20), []byte("a")), ErrLimit)
	wantStatus(t, "long data", store.SetBookmark(background, "a", []byte(huge)), ErrLimit)
	for _, id := range []uint64{0, 4711, 1 << 63, 1<<64 - 1} {
		_, err = engine.Page(background, id)
		wantStatus(t, "no page", err, ErrNotFound)
		_, err = engine.Explain(background, id, id)
		wantStatus(t, "no page", err, ErrNotFound)
	}
	for _, limit := range []int{-1, 0, 1001, 1 << 40} {
		_, err = engine.Similar(background, 1, limit)
		wantStatus(t, "the limit", err, ErrInvalidArgument)
	}
	_, err = engine.Kept(background, 1, Keep(99))
	wantStatus(t, "the rule", err, ErrInvalidArgument)
	_, err = engine.RemoveMatching(background, Filter{})
	wantStatus(t, "no condition", err, ErrInvalidArgument)
	for _, garbage := range [][]byte{nil, {0}, []byte(huge)} {
		_, err = engine.CheckFeatures(background, garbage)
		wantStatus(t, "no features", err, ErrCorrupt)
		_, err = Features(garbage).Decide(garbage)
		wantStatus(t, "no features", err, ErrCorrupt)
		_, err = Features(garbage).WithSite(garbage)
		wantStatus(t, "no features", err, ErrCorrupt)
	}
	_, err = Signature(huge).Keys()
	wantStatus(t, "no signature", err, ErrCorrupt)
	_, err = Signature(huge).Similarity(Signature(huge))
	wantStatus(t, "no signature", err, ErrCorrupt)
}

// A body may lie inside of memory that also has pointers.
func TestABodyInsideOfAStructure(t *testing.T) {
	var held struct {
		body [64]byte
		next *int
	}
	held.next = new(int)
	copy(held.body[:], "<p>The ferry leaves at noon.</p>")
	engine := open(t, "")
	if result := check(t, engine, "http://a.example/", held.body[:32]); result.Verdict != New {
		t.Errorf("%+v", result)
	}
}

const (
	childStore   = "NDC_TEST_STORE"
	childExit    = "NDC_TEST_EXIT"
	childVersion = "NDC_TEST_VERSION"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(childStore) != "":
		useStore(os.Getenv(childStore))
	case os.Getenv(childExit) != "":
		exitAtWork(os.Getenv(childExit))
	case os.Getenv(childVersion) != "":
		useOtherLibrary()
	default:
		os.Exit(endOf(m.Run()))
	}
}

// useStore is the program of a child: it finds the store locked, and has an engine of its own.
func useStore(store string) {
	engine, err := Open(store)
	fmt.Println(errors.Is(err, ErrLocked), engine == nil)
	fmt.Println(must(must(Open("")).Check(background, Page{Body: html(1, "")})).Verdict)
	fmt.Scanln() // until its parent closes the pipe
}

func TestAChildHarmsNothing(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	engine := must(Open(store))
	check(t, engine, "http://a.example/", html(1, ""))
	child := exec.Command(must(os.Executable()))
	child.Env = append(os.Environ(), childStore+"="+store)
	child.Stderr = os.Stderr
	input, output := must(child.StdinPipe()), must(child.StdoutPipe())
	must(0, child.Start())
	var locked, none bool
	var verdict string
	must(fmt.Fscan(output, &locked, &none, &verdict))
	if !locked || !none || verdict != "new" {
		t.Errorf("%v %v %s", locked, none, verdict)
	}
	check(t, engine, "http://b.example/", html(1, "!"))
	// The child is alive, and holds no lock of the parent's.
	must(0, engine.Close())
	again := open(t, store)
	if stats := must(again.Stats(background)); stats.Pages != 2 {
		t.Errorf("%+v", stats)
	}
	must(0, input.Close())
	must(0, child.Wait())
}

// exitAtWork is the program of a child that ends while some calls run and others wait.
func exitAtWork(store string) {
	engine := must(Open(store))
	var checked int32
	for worker := 0; worker < 2*callsAtOnce; worker++ {
		go func(worker int) {
			for i := 0; ; i++ {
				page := Page{URL: fmt.Sprintf("http://a.example/%d/%d", worker, i), Body: html(i, "")}
				must(engine.Check(background, page))
				atomic.AddInt32(&checked, 1)
			}
		}(worker)
	}
	for atomic.LoadInt32(&checked) < 300 {
		runtime.Gosched()
	}
	os.Exit(7)
}

func TestAProcessEndsWithGoroutinesAtWork(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	child := exec.Command(must(os.Executable()))
	child.Env = append(os.Environ(), childExit+"="+store)
	said, err := child.CombinedOutput()
	if child.ProcessState.ExitCode() != 7 {
		t.Fatalf("%v: %s", err, said)
	}
	if stats := must(open(t, store).Stats(background)); stats.Pages < 300 {
		t.Errorf("%+v", stats)
	}
}

// A goroutine that ends with its thread locked takes the thread along, and what the library keeps for that.
func TestThreadsThatEnd(t *testing.T) {
	engine := open(t, "")
	var working sync.WaitGroup
	for i := 0; i < 50; i++ {
		working.Add(1)
		go func(i int) {
			defer working.Done()
			runtime.LockOSThread()
			check(t, engine, fmt.Sprintf("http://a.example/%d", i), html(i%5, ""))
			_, err := engine.Page(background, 1<<40)
			wantStatus(t, "no page", err, ErrNotFound)
		}(i)
	}
	working.Wait()
	if stats := must(engine.Stats(background)); stats.Groups != 5 {
		t.Errorf("%+v", stats)
	}
}

// useOtherLibrary is the program of a child to which a library was given that has hardly any function.
func useOtherLibrary() {
	_, opened := Open("")
	_, read := NewReader()
	_, modelled := NewSiteModel()
	_, listed := Options()
	_, verified := Verify("store")
	_, keys := Features{1}.Keys()
	_, compared := Signature{1}.Similarity(Signature{1})
	for _, err := range []error{opened, read, modelled, listed, verified, keys, compared} {
		fmt.Println(errors.Is(err, ErrUnsupportedVersion), err)
	}
}

func TestALibraryOfAnotherVersionIsRefused(t *testing.T) {
	for _, version := range []string{"9.7.0", "0.9.12"} {
		folder, numbers := t.TempDir(), strings.Split(version, ".")
		source := fmt.Sprintf("unsigned nd_version(void) { return %s << 16 | %s << 8 | %s; }\n"+
			"const char *nd_version_string(void) { return \"%s\"; }\n", numbers[0], numbers[1], numbers[2], version)
		file := filepath.Join(folder, "other.c")
		must(0, os.WriteFile(file, []byte(source), 0o644))
		build := exec.Command("cc", "-shared", "-fPIC", "-Wl,-soname,libndc.so.2", "-o", folder+"/libndc.so.2", file,
			"-Wl,--version-script=../../src/capi/nd.map")
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		child := exec.Command(must(os.Executable()))
		child.Env = append(os.Environ(), childVersion+"=1", "LD_LIBRARY_PATH="+folder)
		said, err := child.CombinedOutput()
		wanted := fmt.Sprintf("true ndc: the library that was loaded is version %s; this program was built with %s\n",
			version, Version())
		if err != nil || string(said) != strings.Repeat(wanted, 7) {
			t.Errorf("%v: %s", err, said)
		}
	}
}

// What is freed is seen by the process's memory, which has to stay flat.
func TestNoMemoryStaysBehind(t *testing.T) {
	if sanitized {
		t.Skip("AddressSanitizer keeps what was freed for a while")
	}
	resident := func() int {
		runtime.GC()
		var total, resident int
		must(fmt.Sscan(string(must(os.ReadFile("/proc/self/statm"))), &total, &resident))
		return resident * os.Getpagesize()
	}
	engine := open(t, "")
	before := 0
	for round := 0; round < 2; round++ {
		before = resident()
		for i := 0; i < 3000; i++ {
			check(t, engine, "http://a.example/", html(1, ""))
			for _, call := range []string{"CheckWithText", "Groups", "Members", "Metrics", "Bookmark", "CheckFeatures", "Page"} {
				_ = everyCall(engine)[call](background)
			}
			if i%50 == 0 {
				reader, other := must(NewReader(WithTokensLimit(100))), must(Open("", WithLog(func(LogLevel, string) {})))
				must(reader.Features(background, Page{Body: html(1, "")}))
				must(0, reader.Close())
				must(0, other.Close())
				_, err := Open("", WithLog(func(LogLevel, string) {}), Set("no such option", "1"))
				wantStatus(t, "an unknown option", err, ErrInvalidArgument)
			}
		}
	}
	if grown := resident() - before; grown > 4<<20 {
		t.Errorf("%d bytes more", grown)
	}
}
