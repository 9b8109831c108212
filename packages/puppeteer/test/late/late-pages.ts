import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'

import type { Answer } from '../servers.ts'
import { article, fill, pageCase, type RenderCase } from './cases.ts'

const json =
  (ms: number, status = 200): Answer =>
  (_, response) =>
    void setTimeout(
      () =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ html: `<p>${article}</p>` })),
      ms,
    )
const page =
  (html: string, ms = 0): Answer =>
  (_, response) =>
    void setTimeout(
      () => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${html}`),
      ms,
    )
const script =
  (source: string, ms = 0): Answer =>
  (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': 'text/javascript' }).end(source), ms)
const whole = `<h1>Harbour log</h1><p>${article}</p>`
const take = (path: string): string =>
  `fetch('${path}').then((answer) => answer.json()).then(({ html }) => { out.innerHTML = html })`

/** Accepts a WebSocket and sends one text after a while. */
function socket(ms: number, text: string): (socket: Socket, key: string) => void {
  return (connection, key) => {
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    connection.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    const body = Buffer.from(text)
    const head =
      body.length < 126
        ? Buffer.from([0x81, body.length])
        : Buffer.from([0x81, 126, body.length >> 8, body.length & 255])
    setTimeout(() => connection.write(Buffer.concat([head, body])), ms)
  }
}

/** Answers of WebSockets by path. */
export const sockets: Readonly<Record<string, (socket: Socket, key: string) => void>> = {
  '/late-socket': socket(700, `<h1>Harbour log</h1><p>${article}</p>`),
}

const introduction =
  'The harbour office publishes its log every evening. The list below has the ships of the day, with the hour of their ' +
  'arrival, the port that they came from, and the goods that they carried. Ships that stay for the night are in bold type.'

/** Pages that show their words some time after they have loaded. */
export const latePages: readonly RenderCase[] = [
  pageCase(
    'a timer of 200 ms fills an empty body',
    `<body><div id="out"></div><script>setTimeout(() => { ${fill} }, 200)</script></body>`,
    { shows: article },
  ),
  pageCase(
    'a timer of 2 s replaces "Loading…"',
    `<body><div id="out">Loading…</div><script>setTimeout(() => { ${fill} }, 2000)</script></body>`,
    { shows: article, hides: /Loading/ },
  ),
  pageCase(
    'a timer of 900 ms replaces "Wird geladen …" below a header',
    `<body><header><a href="/">Hafen</a></header><main id="out">Wird geladen …</main><script>setTimeout(() => { ${fill} }, 900)</script></body>`,
    { shows: article },
  ),
  pageCase(
    'a fetch of 3.5 s replaces "Loading…"',
    `<body><div id="out">Loading…</div><script>${take('/late-35.json')}</script></body>`,
    { shows: article },
    { '/late-35.json': json(3_500) },
  ),
  pageCase(
    'a fetch of 7 s replaces a spinner',
    `<body><div id="out"><div class="spinner" role="status"></div></div><script>${take('/late-70.json')}</script></body>`,
    { shows: article },
    { '/late-70.json': json(7_000) },
  ),
  pageCase(
    'two fetches in a row with a timer between',
    `<body><div id="out"></div><script>fetch('/late-a.json').then(() => setTimeout(() => ${take('/late-b.json')}, 400))</script></body>`,
    { shows: article },
    { '/late-a.json': json(300), '/late-b.json': json(500) },
  ),
  pageCase(
    'a skeleton under a full navigation',
    `<body><nav><a href="/a">Products and services</a> <a href="/b">About our company</a> <a href="/c">Careers in the harbour</a> <a href="/d">Press and public relations</a> <a href="/e">Contact and directions</a> <a href="/f">Terms of service and imprint</a> <a href="/g">Privacy notice of this site</a></nav><main><div id="out" aria-busy="true"><div class="skeleton skeleton-text"></div><div class="skeleton skeleton-text"></div></div></main><script>setTimeout(() => { ${fill}; out.removeAttribute('aria-busy') }, 1200)</script></body>`,
    { shows: article },
  ),
  pageCase(
    'a busy list below an introduction',
    `<body><main><p>${introduction}</p><div id="out" aria-busy="true" style="height: 200px"></div></main><script>setTimeout(() => { ${fill}; out.removeAttribute('aria-busy') }, 1800)</script></body>`,
    { shows: article, options: { waitFor: 1 } },
  ),
  pageCase(
    'an empty app root that a late module fills',
    `<body><nav><a href="/a">Home</a></nav><div id="root"></div><script type="module">import('/late-app.js').then(({ start }) => setTimeout(start, 600))</script></body>`,
    { shows: article },
    {
      '/late-app.js': script(
        `export const start = () => { document.querySelector('#root').innerHTML = ${JSON.stringify(whole)} }`,
        400,
      ),
    },
  ),
  pageCase(
    'a WebSocket sends the page after 700 ms',
    `<body><div id="out"></div><script>new WebSocket('ws://' + location.host + '/late-socket').onmessage = ({ data }) => { out.innerHTML = data }</script></body>`,
    { shows: article },
  ),
  pageCase(
    'an event stream sends the page after 800 ms',
    `<body><div id="out">Connecting…</div><script>new EventSource('/late-events').onmessage = ({ data }) => { out.innerHTML = data }</script></body>`,
    { shows: article },
    {
      '/late-events': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        setTimeout(() => response.write(`data: <p>${article}</p>\n\n`), 800)
      },
    },
  ),
  pageCase(
    'a frame of the same origin holds the page',
    `<body><iframe src="/late-frame" width="800" height="600"></iframe></body>`,
    { shows: article },
    { '/late-frame': page(whole, 200) },
  ),
  pageCase(
    'a frame of another origin is filled by its own script',
    `<body><h1>Portal</h1><iframe width="800" height="600"></iframe><script>document.querySelector('iframe').src = 'http://localhost:' + location.port + '/late-foreign'</script></body>`,
    { shows: article },
    {
      '/late-foreign': page(
        `<body><div id="out">Loading…</div><script>setTimeout(() => { ${fill} }, 900)</script></body>`,
      ),
    },
  ),
  pageCase(
    'a frameset',
    `<frameset cols="20%,80%"><frame src="/late-menu"><frame src="/late-content"></frameset>`,
    { shows: article },
    { '/late-menu': page('<a href="/late-content">Log</a>'), '/late-content': page(whole) },
  ),
  pageCase(
    'a refresh tag of 0 s',
    `<head><meta http-equiv="refresh" content="0; url=/late-refreshed"></head><body></body>`,
    { shows: article },
    { '/late-refreshed': page(whole) },
  ),
  pageCase(
    'a refresh tag of 3 s under a notice',
    `<head><meta http-equiv="Refresh" content="3;URL='/late-refreshed-3'"></head><body><p>You are being redirected.</p></body>`,
    { shows: article },
    { '/late-refreshed-3': page(whole) },
  ),
  pageCase(
    'a script that redirects after 1.5 s',
    `<body><p>Redirecting…</p><script>setTimeout(() => { location = '/late-redirected' }, 1500)</script></body>`,
    { shows: article },
    { '/late-redirected': page(whole) },
  ),
  pageCase(
    'a page behind a service worker',
    `<body><div id="out">Loading…</div><script>
    navigator.serviceWorker.register('/late-worker.js').then(() => navigator.serviceWorker.ready).then(() => new Promise((go) => navigator.serviceWorker.controller ? go() : navigator.serviceWorker.addEventListener('controllerchange', go))).then(() => fetch('/late-virtual.json')).then((answer) => answer.json()).then(({ html }) => { out.innerHTML = html })
  </script></body>`,
    { warns: /still loading/ },
    {
      '/late-worker.js': script(
        `addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim())); addEventListener('fetch', (event) => { if (event.request.url.includes('virtual')) event.respondWith(new Response(JSON.stringify({ html: 'x' }))) })`,
      ),
    },
  ),
  pageCase(
    'a spinner that never ends',
    `<body><div class="loader"></div><script>fetch('/late-fails.json')</script></body>`,
    { warns: /still loading|no text/ },
    { '/late-fails.json': json(100, 500) },
  ),
  pageCase('"Cargando…" that never ends', `<body><p>Cargando…</p><script>void 0</script></body>`, {
    warns: /still loading/,
  }),
  pageCase('a body that stays empty', `<body><div id="out"></div><script>void 0</script></body>`, { warns: /no text/ }),
  pageCase(
    'a drawing on a canvas',
    `<body><canvas id="c" width="800" height="600"></canvas><script>c.getContext('2d').fillText('${article}', 10, 10)</script></body>`,
    { warns: /canvas/ },
  ),
]

const tiny = 'Build 4711 passed on all three machines; nothing to do until Monday.'

/** Pages that are small, and complete. */
export const tinyPages: readonly RenderCase[] = [
  pageCase('a sentence', `<body><p>${tiny}</p></body>`, { shows: tiny }),
  pageCase('a word', '<body>OK</body>', { shows: 'OK' }),
  pageCase('a sentence with a script', `<body><p>${tiny}</p><script>window.x = 1</script></body>`, { shows: tiny }),
  pageCase('a number', '<body><pre>200.4</pre></body>', { shows: '200.4' }),
  pageCase('a heading and a link', '<body><h1>It works!</h1><a href="/next">Next</a></body>', { shows: 'It works!' }),
  pageCase(
    'a sentence about loading',
    '<body><p>Loading and unloading of ships is allowed from 6 to 22 h.</p><script>1</script></body>',
    { shows: 'Loading and unloading' },
  ),
  pageCase(
    'a picture',
    '<body><img src="/tiny.svg" alt="A red square"></body>',
    { shows: 'A red square' },
    {
      '/tiny.svg': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'image/svg+xml' })
          .end(
            '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>',
          ),
    },
  ),
  pageCase(
    'a table of two rows with counting script',
    '<body><table><tr><th>Day</th><th>Ships</th></tr><tr><td>Mon</td><td>12</td></tr></table><script src="/tiny-count.js"></script></body>',
    { shows: 'Mon' },
    { '/tiny-count.js': script('navigator.sendBeacon && navigator.sendBeacon("/count")') },
  ),
  pageCase('a sentence in Japanese', '<body><p>本日は休業です。</p></body>', { shows: '本日は休業です' }),
  pageCase('a list of two', '<body><ul><li>north pier</li><li>south pier</li></ul><script>1</script></body>', {
    shows: 'north pier',
  }),
]

const long = `${article} `.repeat(6)

/** Ordinary pages, which are complete when they have loaded. */
export const quickPages: readonly RenderCase[] = [
  pageCase('an article', `<body><main><h1>Log</h1><p>${long}</p></main></body>`, { shows: article }),
  pageCase(
    'an article with scripts',
    `<body><main><h1>Log</h1><p>${long}</p></main><script>document.body.dataset.x = 1</script></body>`,
    { shows: article },
  ),
  pageCase(
    'an article with an empty root beside it',
    `<body><main><p>${long}</p></main><div id="root"></div><script>1</script></body>`,
    { shows: article },
  ),
  pageCase(
    'an article with a hidden spinner',
    `<body><div class="spinner" style="display: none"></div><main><p>${long}</p></main><script>1</script></body>`,
    { shows: article },
  ),
  pageCase(
    'an article with a visible spinner for comments',
    `<body><main><p>${long}</p></main><section aria-busy="true"><div class="spinner">Loading comments…</div></section><script>1</script></body>`,
    { shows: article },
  ),
  pageCase(
    'an article with a busy list far below',
    `<body><main><p>${long}</p><div style="height: 3000px"></div><div aria-busy="true" style="height: 200px"></div></main><script>1</script></body>`,
    { shows: article },
  ),
  pageCase(
    'an article with an advertisement frame',
    `<body><main><p>${long}</p></main><iframe src="http://localhost:1/ad" width="300" height="250"></iframe><script>1</script></body>`,
    { shows: article },
  ),
  pageCase(
    'an article that refreshes itself every 5 minutes',
    `<head><meta http-equiv="refresh" content="300"></head><body><main><p>${long}</p></main></body>`,
    { shows: article },
  ),
  pageCase(
    'a drawn list',
    `<body><ul id="list"></ul><script>for (let i = 0; i < 30; i += 1) list.insertAdjacentHTML('beforeend', '<li>Ship number ' + i + ' of the day</li>')</script></body>`,
    { shows: 'Ship number 29' },
  ),
  pageCase(
    'a shop',
    `<body><header><nav><a href="/a">Lamps</a></nav></header><main><h1>Lamp</h1><p>${long}</p><button>Add to basket</button></main><script>1</script></body>`,
    { shows: article },
  ),
  pageCase(
    'an article on cookies',
    `<body><main><h1>Cookies</h1><p>All cookies: accept them warm. ${long}</p><button>Accept this recipe</button></main><script>1</script></body>`,
    { shows: article },
  ),
]
