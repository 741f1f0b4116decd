// Lets the search work where the site was opened from a disk: browsers start no worker there and fetch no file, but
// they load scripts. The worker's script runs in a hidden frame; scripts/site writes the index as a script.
if (location.protocol === "file:") {
  const index = new URL("search/search_index.js", document.currentScript.src);
  document.write(`<script src="${index}"><\/script>`);

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = url;
      script.onload = () => {
        this.inside = inside;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      };
      inside.document.head.append(script);
    }

    postMessage(data) {
      if (this.inside) this.inside.dispatchEvent(new MessageEvent("message", { data }));
      else this.waiting.push(data);
    }
  };
}
