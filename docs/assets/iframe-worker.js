/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Browsers start no worker from a file. The search is one, so here it runs in a hidden frame. */
"use strict";
if (location.protocol === "file:") {
  // By this name the search knows that it runs in a frame, and where its scripts are.
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      this.inside = frame.contentWindow;
      const page = frame.contentDocument;
      const load = (address) =>
        new Promise((loaded, failed) => {
          const script = page.createElement("script");
          script.src = address;
          script.onload = loaded;
          script.onerror = failed;
          page.body.appendChild(script);
        });
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inside.importScripts = (...addresses) =>
        addresses.reduce((before, address) => before.then(() => load(new URL(address, new URL(url, location.href)).href)), Promise.resolve());
      this.ready = load(url);
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    set onmessage(listener) {
      this.addEventListener("message", listener);
    }
  };
}
