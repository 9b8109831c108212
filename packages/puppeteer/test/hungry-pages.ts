// Pages that take all they can get, each another kind of memory. For hungry.long.test.ts, and for the table of
// test/bench/browser/hungry.ts.
import type { Answer, Pages } from './servers.ts'

export interface HungryKind {
  /** What the page is answered with, below `/hungry/<name>/`. */
  readonly files: Readonly<Record<string, string | Answer>>
}

/** Takes 50 MB at a time, ever faster than it can be let go of. */
const buffers = 'const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(1)), 10)'

/** One step, again and again, keeping what it gives; not in sight of an end. */
const script = (step: string, start = ''): HungryKind => ({
  files: {
    '': `<p>Hungry</p><script type="module">const all = []; ${start}
      for (;;) { try { all.push(await (async () => { ${step} })()) } catch { }
        await new Promise((resolve) => setTimeout(resolve, 5)) }</script>`,
  },
})

const as =
  (type: string, body: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(body)

const javascript = (body: string): Answer => as('text/javascript', body)
const noise =
  'const noise = (size) => { const b = new Uint8Array(size); for (let i = 0; i < size; i += 65536) crypto.getRandomValues(b.subarray(i, Math.min(size, i + 65536))); return b }; const some = noise(4e6);'
const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
const audio = 'const context = new OfflineAudioContext(2, 44100, 44100);'

function bomb(width: number, height: number, color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${color}"/></svg>`
}

/** The browser has none to give while its graphics begin anew after another page, and takes one away then: it is asked for again. */
const context = (kind: 'webgl' | 'webgl2'): string =>
  `if (window.gl?.isContextLost()) window.gl = null; const gl = (window.gl ??= document.createElement("canvas").getContext("${kind}"));`

export const hungryKinds: Readonly<Record<string, HungryKind>> = {
  'array buffers': script('return new Uint8Array(5e7).fill(1)'),
  'typed arrays of numbers': script('return new Float64Array(6e6).fill(Math.PI)'),
  'shared array buffers': {
    files: {
      '': as(
        'text/html',
        '<p>Hungry</p><script>const all = []; setInterval(() => all.push(new Uint8Array(new SharedArrayBuffer(5e7)).fill(1)), 10)</script>',
        isolated,
      ),
    },
  },
  'one canvas, very large': script(
    'const c = document.createElement("canvas"); c.width = c.height = 16000; document.body.append(c); const p = c.getContext("2d"); p.fillRect(0, 0, 16000, 16000); p.getImageData(0, 0, 1, 1); return c',
  ),
  'many canvases': script(
    'const c = document.createElement("canvas"); c.width = c.height = 3000; const p = c.getContext("2d", { willReadFrequently: true }); p.fillRect(0, 0, 3000, 3000); return c',
  ),
  'many canvases in sight': script(
    'const c = document.createElement("canvas"); c.width = c.height = 2000; document.body.append(c); const p = c.getContext("2d"); p.fillStyle = `rgb(${all.length % 255},9,9)`; p.fillRect(0, 0, 2000, 2000); return c',
  ),
  'canvases off screen': script(
    'const c = new OffscreenCanvas(3000, 3000); const p = c.getContext("2d"); p.fillRect(0, 0, 3000, 3000); p.getImageData(0, 0, 9, 9); return c',
  ),
  'pictures of pixels': script('return new ImageData(new Uint8ClampedArray(4 * 3e6).fill(9), 1500, 2000)'),
  'picture bitmaps': script(
    'const c = new OffscreenCanvas(3000, 3000); c.getContext("2d").fillRect(0, 0, 2999, 3000); return createImageBitmap(c)',
  ),
  'textures of WebGL': script(
    `${context('webgl')} gl.bindTexture(gl.TEXTURE_2D, gl.createTexture()); gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2048, 2048, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels); gl.finish()`,
    'const pixels = new Uint8Array(4 * 2048 * 2048).fill(7);',
  ),
  'buffers of WebGL 2': script(
    `${context('webgl2')} const b = gl.createBuffer(); gl.bindBuffer(gl.ARRAY_BUFFER, b); gl.bufferData(gl.ARRAY_BUFFER, pixels, gl.STATIC_DRAW); gl.finish(); return b`,
    'const pixels = new Uint8Array(3e7).fill(7);',
  ),
  'images as data URLs': script(
    'const c = document.createElement("canvas"); c.width = c.height = 1500; const p = c.getContext("2d"); for (let i = 0; i < 3000; i++) { p.fillStyle = `hsl(${Math.random() * 360} 90% 50%)`; p.fillRect(Math.random() * 1500, Math.random() * 1500, 90, 90) } const i = new Image(); i.src = c.toDataURL(); document.body.append(i); await i.decode(); return [i, i.src]',
  ),
  'huge images': {
    files: {
      '': `<p>Hungry</p>${Array.from({ length: 60 }, (_, index) => `<img src="${index}.svg" width="100" height="100">`).join('')}
        <script>
          const take = (image) => image.decode().then(() => createImageBitmap(image, 0, 0, 8000, 8000)).then((one) => (window.all ??= []).push(one), () => setTimeout(take, 100, image));
          for (const image of document.images) take(image)</script>`,
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `${index}.svg`,
          as('image/svg+xml', bomb(8_000, 8_000, `rgb(${index},90,90)`)),
        ]),
      ),
    },
  },
  'a worker': {
    files: { '': '<p>Hungry</p><script>new Worker("worker.js")</script>', 'worker.js': javascript(buffers) },
  },
  'many workers': {
    files: {
      '': '<p>Hungry</p><script>setInterval(() => new Worker("worker.js"), 5)</script>',
      'worker.js': javascript('const all = new Uint8Array(5e6).fill(1)'),
    },
  },
  'a shared worker': {
    files: {
      '': '<p>Hungry</p><script>window.w = new SharedWorker("worker.js")</script>',
      'worker.js': javascript(buffers),
    },
  },
  'a service worker': {
    files: {
      '': '<p>Hungry</p><script>navigator.serviceWorker.register("worker.js")</script>',
      'worker.js': javascript(`${buffers}; oninstall = (event) => event.waitUntil(new Promise(() => {}))`),
    },
  },
  'memory of wasm': script(
    'const m = new WebAssembly.Memory({ initial: 800 }); new Uint8Array(m.buffer).fill(1); return m',
  ),
  blobs: script('return new Blob([noise(2e7)])', noise),
  'object URLs': script('return URL.createObjectURL(new Blob([some, String(all.length), some, some]))', noise),
  'huge style sheets': {
    files: {
      '': '<p class="a1">Hungry</p><script>let n = 0; setInterval(() => { const s = document.createElement("style"); let t = ""; for (let i = 0; i < 50000; i++) t += `.a${n}x${i} > b:not(.c${i}) { width: ${i}px; --x${i}: ${n} }`; n++; s.textContent = t; document.head.append(s) }, 5)</script>',
    },
  },
  elements: script(
    'for (let i = 0; i < 20000; i++) { const d = document.createElement("div"); d.textContent = "x".repeat(500) + i; document.body.append(d) }',
  ),
  'elements within elements': script(
    'let at = window.at ?? document.body; for (let i = 0; i < 400; i++) { const d = document.createElement("div"); d.title = "x".repeat(90000) + i; at.append(d); at = d } window.at = at',
  ),
  texts: script(
    'const t = []; for (let i = 0; i < 300; i++) t.push("äŁ".repeat(50000) + i + all.length); return t.map((one) => one.split("").reverse().join("").slice(1))',
  ),
  'lines on the console': script('for (let i = 0; i < 200; i++) console.log("x".repeat(100000) + i)'),
  'a database': script(
    'const t = db.transaction("all", "readwrite"); t.objectStore("all").add(noise(1e7)); await new Promise((resolve, reject) => { t.oncomplete = resolve; t.onabort = t.onerror = reject })',
    `${noise} const db = await new Promise((resolve) => { const o = indexedDB.open("x"); o.onupgradeneeded = () => o.result.createObjectStore("all", { autoIncrement: true }); o.onsuccess = () => resolve(o.result) });`,
  ),
  'the cache of requests': script(
    'await cache.put("/x" + Math.random(), new Response(noise(1e7)))',
    `${noise} const cache = await caches.open("x");`,
  ),
  'frames of one site': script(
    'const f = document.createElement("iframe"); f.srcdoc = "<script>window.all = new Uint8Array(2e7).fill(1)<" + "/script>"; document.body.append(f)',
  ),
  'frames of many sites': {
    files: {
      '': `<p>Hungry</p><script>for (let i = 0; i < 12; i++) { const f = document.createElement("iframe"); f.src = "http://site" + i + ".test:" + location.port + location.pathname + "frame"; document.body.append(f) }</script>`,
      // Each of them stays below the bound.
      frame: '<script>window.all = []; for (let i = 0; i < 7; i++) all.push(new Uint8Array(5e7).fill(1))</script>',
    },
  },
  sounds: script(`${audio} return context.createBuffer(2, 44100 * 60, 44100).getChannelData(0).fill(0.5)`),
  'media that is fed': script(
    'const r = new MediaRecorder(document.createElement("canvas").captureStream(), { mimeType: "video/webm" }); r.start(); const f = new VideoFrame(new Uint8Array(4 * 2000 * 2000).fill(3), { format: "RGBA", codedWidth: 2000, codedHeight: 2000, timestamp: all.length }); return [r, f]',
  ),
  'messages that no tab reads': script(
    'for (let i = 0; i < 10; i++) { b.postMessage(new Uint8Array(5e6).fill(i)); c.port1.postMessage(new Uint8Array(5e6).fill(i)) }',
    'const b = new BroadcastChannel("x"), other = new BroadcastChannel("x"), c = new MessageChannel(); other.onmessage = () => { for (const t = Date.now(); Date.now() - t < 500;); };',
  ),
  'requests that wait': script(
    'fetch("/nothing?" + Math.random(), { method: "POST", body: some.slice() }).then((r) => all.push(r), () => 0); fetch(location.pathname + "large").then((r) => all.push(r))',
    noise,
  ),
  'a page of a million by thirty thousand pixels': {
    files: { '': '<div style="width:1000000px;height:30000px;background:red">Hungry' },
  },
  'a page of layers': {
    files: {
      '': `<p>Hungry</p><script>for (let i = 0; i < 3000; i++) { const d = document.createElement("div"); d.style.cssText = "will-change:transform;position:absolute;width:4000px;height:4000px;background:linear-gradient(red,blue);filter:blur(" + (i % 9) + "px)"; document.body.append(d) }</script>`,
    },
  },
  'timers without end': {
    files: {
      '': '<p>Hungry</p><script>const again = () => { for (let i = 0; i < 1000; i++) setTimeout(again, 0, "x".repeat(1000) + i) }; again()</script>',
    },
  },
  'a heap of objects': script('const o = []; for (let i = 0; i < 200000; i++) o.push({ i, next: { i } }); return o'),
  'a file as the page, without an end': {
    files: {
      '': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        const piece = `<p>${'Hungry '.repeat(20_000)}`
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
        }
        response.on('drain', more)
        more()
      },
    },
  },
}

const slug = (kind: string): string => kind.replaceAll(/[ ,]+/g, '-')

export function hungryPath(kind: string): string {
  return `/hungry/${slug(kind)}/`
}

/** What a server of all of them answers. */
export const hungryPages: Pages = Object.fromEntries(
  Object.entries(hungryKinds).flatMap(([kind, { files }]) =>
    Object.entries(files).map(([name, file]) => [hungryPath(kind) + name, file]),
  ),
)
