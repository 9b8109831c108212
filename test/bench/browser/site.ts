// The page that the browsers of the bench visit, served by a process of its own: a shell of HTML, 44 KB of style, 138 KB
// of script, a font, 27 KB of answers from which the script makes the page, eight pictures of 136 KB, and a tracker.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const rules = Array.from({ length: 900 }, (_, index) => {
  return `.c${index} > .x${index % 37} { color: #${((index * 7919) % 4096).toString(16).padStart(3, '0')}; margin: ${index % 9}px }`
})
const style = rules.join('\n').padEnd(44_000, ' ')

const functions = Array.from({ length: 1_500 }, (_, index) => {
  return `function f${index}(a, b) { let sum = ${index}; for (let i = 0; i < a; i++) sum += i * b; return sum }`
})
const script = `${functions.join('\n').padEnd(137_000, ' ')}
fetch('/api').then((answer) => answer.json()).then((items) => {
  const root = document.getElementById('root')
  let total = 0
  for (const { number, title, text } of items) {
    total += f3(10, number) + f900(20, number)
    const article = document.createElement('article')
    article.className = 'c' + (number % 900)
    article.innerHTML = '<h2 class="x' + (number % 37) + '">' + title + '</h2><p>' + text + '</p><a href="/item/' + number + '">more</a>'
    root.append(article)
  }
  for (let index = 0; index < 8; index++) {
    const picture = new Image()
    picture.width = 300
    picture.src = '/picture/' + index
    root.append(picture)
  }
  root.dataset.ready = '1'
  const tracker = document.createElement('script')
  tracker.src = '/tracker.js'
  document.body.append(tracker)
})`

const text = 'Some words about the item, long enough to be text. '.repeat(3)
const items = JSON.stringify(
  Array.from({ length: 120 }, (_, number) => ({ number, title: `Item number ${number}`, text })),
)

/** A bitmap of 136 KB that no decoder can make light work of. */
function picture(): Buffer {
  const [width, height] = [213, 213]
  const row = Math.ceil((width * 3) / 4) * 4
  const bytes = Buffer.alloc(54 + row * height)
  bytes.write('BM')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  let state = 7
  for (let at = 54; at < bytes.length; at++) bytes[at] = (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16
  return bytes
}

const bitmap = picture()
const page = `<!doctype html><title>Bench</title><link rel="stylesheet" href="/style.css">
<style>@font-face { font-family: F; src: url(/font.woff2) } body { font-family: F, serif }</style><div id="root"></div><script src="/app.js"></script>`
const kept = { 'cache-control': 'max-age=600' }

const routes: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  '/style.css': (response) => response.writeHead(200, { 'content-type': 'text/css', ...kept }).end(style),
  '/app.js': (response) => response.writeHead(200, { 'content-type': 'text/javascript', ...kept }).end(script),
  '/font.woff2': (response) =>
    response.writeHead(200, { 'content-type': 'font/woff2', ...kept }).end(Buffer.alloc(20_000)),
  '/api': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(items),
  '/tracker.js': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end('for (let i = 0; i < 5; i++) navigator.sendBeacon("/beacon?" + i, "x")'),
  '/beacon': (response) => response.writeHead(204).end(),
}

const server = createServer((request, response) => {
  const [path = '/'] = (request.url ?? '/').split('?')
  request.resume()
  if (path.startsWith('/picture/')) response.writeHead(200, { 'content-type': 'image/bmp', ...kept }).end(bitmap)
  else if (routes[path]) routes[path](response)
  else response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
