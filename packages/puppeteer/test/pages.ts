import { pipeline, Readable } from 'node:stream'

import type { Answer, Pages } from './servers.ts'

const text = (type: string, body: string, more: Record<string, string> = {}): Answer => {
  return (_, response) => void response.writeHead(200, { 'content-type': type, ...more }).end(body)
}

const fill = '<p>Words that take up room on the page.</p>'

/** The pages that the tests of tabs visit. */
export const pages: Pages = {
  '/plain': '<!doctype html><title>Plain</title><h1>Plain</h1>',
  '/scripted': `<div id="root"></div><script>
    fetch('/slow.json').then((answer) => answer.json()).then(({ words }) => {
      root.innerHTML = '<p>first ' + words + '</p>'
      return fetch('/slow.json?2')
    }).then((answer) => answer.json()).then(({ words }) => setTimeout(() => { root.innerHTML += '<p>second ' + words + '</p>' }, 30))
  </script>`,
  '/slow.json': (_, response) => void setTimeout(() => response.end('{"words":"came late"}'), 300),
  '/loads': `<header>Shop</header><div id="out">Wird geladen …</div><script>setTimeout(() => { out.textContent = 'Came after a timer' }, 600)</script>`,
  '/always-loading': '<div class="spinner" role="status">Loading…</div><script>1</script>',
  '/always-busy': `<main><p>${'Many words of an article. '.repeat(40)}</p><div aria-busy="true" style="height: 200px"></div></main>
    <script>new EventSource('/events')</script>`,
  '/late-notice': `<h1>Article</h1><script>setTimeout(() => {
    document.body.insertAdjacentHTML('beforeend', '<div style="position: fixed; inset: 0">Wir verwenden Cookies. <div role="button" onclick="document.body.dataset.choice = 1">Alle akzeptieren</div></div>')
  }, 300)</script>`,
  '/streams': `<h1>Streams</h1><script>
    new EventSource('/events'); fetch('/never'); new Image().src = '/never.png'
  </script>`,
  '/events': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n'),
  '/never': () => undefined,
  '/never.png': () => undefined,
  '/growing': `<h1>Growing</h1><div id="box"></div><script>
    setInterval(() => { for (let i = 0; i < 20; i++) box.append(document.createElement('p')) }, 10)
  </script>`,
  '/spinning': '<h1>Spinning</h1><script>setTimeout(() => { for (;;); }, 10)</script>',
  '/goes-on': '<script>location = "/plain"</script><h1>Before</h1>',
  '/spa': `<nav><button id="next">Next</button></nav><main>Home</main><script>
    next.onclick = () => { history.pushState({}, '', '/spa/next'); setTimeout(() => { document.querySelector('main').textContent = 'Next view' }, 20) }
  </script>`,
  '/frames': (request, response) => {
    const port = request.headers.host?.split(':')[1] ?? ''
    response.setHeader('content-type', 'text/html').end(`<h1>Outer</h1>
      <iframe id="same" src="/inner?same"></iframe>
      <iframe id="other" src="http://other.test:${port}/inner?other"></iframe>
      <iframe srcdoc="<p>written in place</p>"></iframe>`)
  },
  '/inner': (request, response) => {
    const port = request.headers.host?.split(':')[1] ?? ''
    const which = request.url?.split('?')[1] ?? ''
    const deeper = which === 'other' ? `<iframe src="http://third.test:${port}/inner?third"></iframe>` : ''
    response.setHeader('content-type', 'text/html').end(`<h2>Inner "${which}" &amp; more</h2>
      <form onsubmit="event.preventDefault(); out.textContent = 'sent ' + field.value + ' ${which}'">
        <input id="field" class="${which}-field"><button id="send" class="${which}-send">Send</button></form><p id="out"></p>${deeper}`)
  },
  '/verbatim': `<!DOCTYPE html><!-- first --><html lang=en><head><title>A &amp; B</title>
    <noscript><link rel="stylesheet" href="/none.css"><style>p > b { color: red }</style></noscript></head><body class="a 'b'">
    <p style="display:none">hidden</p><!-- a > b & c --><noscript><IMG SRC='/lazy.png' alt="a &amp; b">&lt;</noscript>
    <noscript></noscript><template><p>in a <b>template</b><noscript><img src="/t.png"></noscript></p></template>
    <textarea>
&lt;p> text &amp; more</textarea><pre>

two lines</pre><xmp><b>&amp;</b></xmp><iframe>inner <b>&amp;</b></iframe><noframes><b>&amp;</b></noframes><noembed><b>&amp;</b></noembed>
    <a title="it's" data-a='"<&amp;>' data-noscript=data-0123456789abcdef:0; href="?a=1&b=2">link&nbsp;&lt;</a><svg viewBox="0 0 1 1"><title>a&lt;b</title></svg>
    <script>if (1 < 2 && 3 > 2) document.currentScript.after(' from a script ')</script><p hidden>hidden<div>too</div>
    <plaintext><b>&amp;</b> the rest`,
  '/style.css': text('text/css', 'h1 { color: red }'),
  '/lazy-frame': `${fill.repeat(9)}<p style="display:none">hidden</p><noscript><img src="/outer.png"></noscript><iframe src="/verbatim"></iframe>`,
  '/shadow': `<x-outer><span>light words</span></x-outer><script>
    customElements.define('x-inner', class extends HTMLElement { constructor() { super()
      this.attachShadow({ mode: 'open' }).innerHTML = '<p>deep words</p><button id="deep" onclick="this.textContent = \\'pressed\\'">press</button>' } })
    customElements.define('x-outer', class extends HTMLElement { constructor() { super()
      this.attachShadow({ mode: 'open' }).innerHTML = '<h2>shadow title</h2><slot></slot><slot name="none">fallback words</slot><x-inner></x-inner>' } })
    customElements.define('x-closed', class extends HTMLElement { constructor() { super()
      this.attachShadow({ mode: 'closed' }).innerHTML = '<button id="closed">closed</button>' } })
    document.body.append(document.createElement('x-closed'))
  </script>`,
  '/buttons': `<style>#under { position: relative } #cover { position: absolute; inset: 0; background: #fff }</style>
    <button id="good" onclick="log('good', event)">Good</button>
    <button id="hidden" style="display: none">Hidden</button>
    <button id="unseen" style="visibility: hidden">Unseen</button>
    <button id="disabled" disabled>Disabled</button>
    <fieldset disabled><button id="fieldset">In a disabled set</button></fieldset>
    <div id="under"><button id="covered">Covered</button><div id="cover"></div></div>
    <button id="soon" disabled onclick="log('soon', event)">Soon</button>
    <button id="far" style="margin-top: 5000px" onclick="log('far', event)">Far away</button>
    <button id="dies" onmousedown="this.remove()">Dies</button>
    <label for="tick">Tick</label><input type="checkbox" id="tick">
    <a id="leads" href="/plain">Leads</a>
    <script>
      window.clicks = []
      const log = (name, { isTrusted }) => clicks.push(name + ':' + isTrusted)
      setTimeout(() => { soon.disabled = false }, 200)
      setTimeout(() => { document.body.insertAdjacentHTML('afterbegin', '<button id="later" onclick="log(\\'later\\', event)">Later</button>') }, 300)
    </script>`,
  '/moving': `<button id="good">Good</button><button id="overlay">Overlay</button><script>
      window.clicks = []
      document.addEventListener('click', ({ target }) => clicks.push(target.id || target.localName))
      const moves = new URLSearchParams(location.search).get('on')
      const insert = () => document.body.insertAdjacentHTML('afterbegin', '<button id="other" style="display: block; width: 100%; height: 60px">Other</button>')
      if (moves) document.addEventListener(moves, insert, { once: true })
      const cover = () => { document.body.insertAdjacentHTML('beforeend', '<div id="cover" style="position: fixed; inset: 0"></div>') }
      overlay.addEventListener('mousedown', cover)
    </script>`,
  '/field': `<input id="field"><textarea id="area"></textarea><div id="rich" contenteditable></div><form action="/plain"><input id="search"></form><script>
    window.events = []
    for (const type of ['keydown', 'beforeinput', 'input', 'keyup']) document.addEventListener(type, (event) => { if (event.isTrusted) events.push(type + ':' + (event.key ?? event.data)) }, true)
  </script>`,
  '/tall': `<div style="height: 20000px">Tall</div>`,
  '/app': `<style>body, html { height: 100%; margin: 0; overflow: hidden } main { height: 100%; overflow: auto }</style><main>${fill.repeat(500)}</main>`,
  '/box': `<div id="box" style="height: 100px; overflow: auto">${fill.repeat(50)}</div>${fill.repeat(200)}`,
  '/endless': `<main></main><script>
    const more = () => { for (let i = 0; i < 20; i++) document.querySelector('main').insertAdjacentHTML('beforeend', '<p style="height: 100px">item ' + document.querySelectorAll('p').length + '</p>') }
    more()
    addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 200) setTimeout(more, 20) })
  </script>`,
  '/lazy': `<div style="height: 3000px">Above</div><div id="late">empty</div><script>
    new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) late.textContent = 'seen' }).observe(late)
  </script>`,
  '/gallery': `<main></main><script>
    const more = () => { for (let i = 0; i < 3; i++) document.querySelector('main').insertAdjacentHTML('beforeend', '<img src="/one.svg?' + document.images.length + '">') }
    more()
    addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 200) setTimeout(more, 20) })
  </script>`,
  '/lazy-pictures': `${Array.from({ length: 40 }, (_, i) => `<p>Item ${i}</p><img data-src="/one.svg?${i}"><div style="height: 200px"></div>`).join('')}<script>
    const seen = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting) target.src = target.dataset.src })
    for (const image of document.images) seen.observe(image)
  </script>`,
  '/dialogs': `<h1>Dialogs</h1><script>
    for (let i = 0; i < 50; i++) alert(i)
    window.answers = [confirm('sure?'), prompt('name?', 'x')]
    addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay' })
    print()
    document.body.insertAdjacentHTML('beforeend', '<p>after all dialogs</p>')
  </script>`,
  '/asks': `<h1>Asks</h1><button id="go">Go</button><input type="file" id="file"><script>
    go.onclick = async () => {
      file.click()
      const [notify, video] = await Promise.all([Notification.requestPermission(), navigator.mediaDevices?.getUserMedia({ video: true }).catch((error) => error.name)])
      document.body.insertAdjacentHTML('beforeend', '<p id="asked">' + notify + ' ' + video + '</p>')
    }
  </script>`,
  '/popups': `<h1>Popups</h1><script>
    window.opened = 0
    for (let i = 0; i < 60; i++) if (open('/popup?' + i)) opened++
    for (let i = 0; i < 5; i++) open('/popup?n' + i, '_blank', 'noopener')
  </script>`,
  '/popup': '<h1>Popup</h1>',
  '/locked': (request, response) => {
    const headers = { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' }
    if (request.headers.authorization) response.setHeader('content-type', 'text/html').end('<h1>Inside</h1>')
    else response.writeHead(401, headers).end('<h1>Locked</h1>')
  },
  '/file.pdf': text('application/pdf', '%PDF-1.4 not really', { 'content-disposition': 'inline' }),
  '/attached': text('text/html', '<h1>Saved</h1>', { 'content-disposition': 'attachment; filename="../../x.html"' }),
  '/data.json': text('application/json', '{"a":1}'),
  '/endless.bin': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    const zeros = function* () {
      for (;;) yield Buffer.alloc(65_536)
    }
    pipeline(Readable.from(zeros()), response, () => undefined)
  },
  '/saves': `<h1>Saves</h1><script>for (let i = 0; i < 30; i++) { const a = document.createElement('a'); a.href = '/attached?' + i; a.download = 'x'; document.body.append(a); a.click() }</script>`,
  '/nothing': (_, response) => void response.writeHead(204).end(),
  '/worker.js': text(
    'text/javascript',
    `self.addEventListener('install', () => self.skipWaiting()); self.addEventListener('activate', (e) => e.waitUntil(clients.claim()))
     self.addEventListener('fetch', (event) => event.respondWith(new Response('<h1>From the worker</h1>', { headers: { 'content-type': 'text/html' } })))`,
  ),
  '/registers': `<h1>From the network</h1><script>navigator.serviceWorker?.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => { document.body.dataset.ready = 1 })</script>`,
  '/cookie-wall': `<h1>Article</h1><p id="text">Shown after a choice only.</p>
    <div id="cookie-banner" style="position: fixed; inset: 0; background: #fff" role="dialog">We use cookies.
      <button onclick="choose('yes')">Accept all</button><button onclick="choose('no')">Reject all</button></div>
    <script>document.body.style.overflow = 'hidden'; const choose = (what) => { document.getElementById('text').textContent = 'The whole article, after ' + what }</script>`,
  '/onetrust': `<h1>Shop</h1><div id="onetrust-consent-sdk"><div style="position: fixed; bottom: 0">Cookies! <button id="onetrust-reject-all-handler" onclick="document.body.dataset.choice = 'no'">No</button></div></div>`,
  '/cookie-shop':
    '<h1 class="cookie-title">Cookies</h1><div class="cookie-card">Chocolate cookie <button>Accept this offer</button></div>',
  '/ads': `<h1>Ads</h1><script src="http://securepubads.g.doubleclick.net:1/ad.js" onerror="document.body.dataset.first = 'blocked'"></script>
    <script>
      const port = location.port
      fetch('http://cdn.adnxs.com:' + port + '/plain', { mode: 'no-cors' }).then(() => 'came', () => 'blocked').then((r) => { document.body.dataset.second = r })
      fetch('http://static.zedo.com:' + port + '/plain', { mode: 'no-cors' }).then((a) => 'came', () => 'blocked').then((r) => { document.body.dataset.third = r })
    </script>`,
  '/counted': `<h1>Counted</h1><script>
      document.body.dataset.sent = navigator.sendBeacon('/beacon', 'x')
      fetch('/plain').then(() => fetch('/plain')).then(() => { document.body.dataset.after = 'yes' })
    </script>`,
  '/pictures': '<img id="one" src="/one.svg" onload="document.body.dataset.one = 1" onerror="this.remove()">',
  '/one.svg': text(
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>',
  ),
  '/frames-only': `<h1>Frames</h1><p id="seen"></p><div style="height: 3000px"></div><p id="far">Far</p><script>
    const put = (id) => { document.getElementById(id).textContent = id + ' by an observer' }
    const observer = new IntersectionObserver((all) => all.forEach((one) => one.isIntersecting && put(one.target.id)))
    for (const id of ['seen', 'far']) observer.observe(document.getElementById(id))
    let frames = 0
    requestAnimationFrame(function next() { if (++frames < 5) requestAnimationFrame(next); else document.querySelector('h1').textContent = 'Five frames' })
  </script>`,
  '/red': '<body style="margin: 0; background: #f00"><div style="height: 2000px"></div>',
  '/very-high': '<body style="margin: 0"><div style="height: 300000px; background: linear-gradient(red, blue)"></div>',
  '/tells': (request, response) =>
    void response.setHeader('content-type', 'text/html').end(JSON.stringify(request.headers)),
  '/to-other': (request, response) => {
    const port = request.headers.host?.split(':')[1] ?? ''
    response.writeHead(302, { location: `http://other.test:${port}/tells-other` }).end()
  },
  '/tells-other': text('text/html', '<h1>Other</h1>'),
  '/loads-other': (request, response) => {
    const port = request.headers.host?.split(':')[1] ?? ''
    response
      .setHeader('content-type', 'text/html')
      .end(`<script src="/own.js"></script><script src="http://other.test:${port}/foreign.js"></script>`)
  },
  '/own.js': text('text/javascript', '1'),
  '/foreign.js': text('text/javascript', '1'),
}
