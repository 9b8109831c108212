// The live view over loopback, as its page asks for it: frames a second of a page that moves all the time, the time from a
// click until the picture shows it, and what a viewer that reads nothing costs the others.
// `node test/bench/browser/live-view.ts [seconds] [clicks]`
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { createApi, serve } from '@harvestman/http'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'

import { movingBox, servePages } from './pages.ts'

const seconds = Number(process.argv[2] ?? 10)
const clicks = Number(process.argv[3] ?? 100)
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const pages: Readonly<Record<string, string>> = {
  '/moving': movingBox,
  '/still': `<body style="height: 100vh; margin: 0"><script>let n = 0; addEventListener('mousedown', () => { document.body.style.background = ['#fff', '#246', '#a42'][++n % 3] })</script>`,
}
const { origin, close: closeSite } = await servePages(pages)
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions() })],
})
const api = await serve(createApi(engine), { port: 0 })
const session = await engine.live.open()
const viewAt = `${api.url.replace(/^http/, 'ws')}/live/${session.id}/screen?token=${session.tokens.control}`

/** A viewer as the page is one. */
async function watch(frame: (bytes: number) => void): Promise<WebSocket> {
  const socket = new WebSocket(viewAt)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    socket.send('seen')
    frame(data.byteLength)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  return socket
}

/** A viewer that asks for frames and reads none. Gives the bytes that came when it is let go. */
async function idler(): Promise<{ readonly socket: Socket; readonly drain: () => Promise<number> }> {
  const url = new URL(viewAt)
  const socket = connect(Number(url.port), url.hostname)
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  const drain = async (): Promise<number> => {
    let bytes = 0
    socket.on('data', (piece) => (bytes += piece.length))
    socket.resume()
    await sleep(200)
    return bytes
  }
  return { socket, drain }
}

const memory = (): number => Math.round(process.memoryUsage().rss / 1e6)

interface Rate {
  readonly 'frames a second': number
  readonly 'KB a frame': number
}

async function rate(): Promise<Rate> {
  let [frames, bytes] = [0, 0]
  const viewer = await watch((size) => {
    frames += 1
    bytes += size
  })
  await sleep(500)
  ;[frames, bytes] = [0, 0]
  await sleep(seconds * 1_000)
  viewer.close()
  return {
    'frames a second': Math.round((frames / seconds) * 10) / 10,
    'KB a frame': Math.round(bytes / 1_000 / Math.max(frames, 1)),
  }
}

await session.act({ type: 'goto', url: `${origin}/moving` })
const alone = await rate()
const slow = await Promise.all([1, 2, 3].map(() => idler()))
const before = memory()
const beside = await rate()
const grown = memory() - before
const drained = await Promise.all(slow.map(({ drain }) => drain()))
for (const { socket } of slow) socket.destroy()
console.table({ 'one viewer': alone, 'beside 3 that read nothing': beside })
const left = drained.map((bytes) => Math.round(bytes / 1_000 / Math.max(1, beside['KB a frame'])))
console.log(
  `Those that read nothing had about ${left.join(', ')} frames waiting of ${Math.round(beside['frames a second'] * seconds)}; memory grew by ${grown} MB meanwhile`,
)

await session.act({ type: 'goto', url: `${origin}/still` })
let seen: (() => void) | undefined
const viewer = await watch(() => seen?.())
await sleep(1_000)
const delays: number[] = []
for (let turn = 0; turn < clicks; turn++) {
  const shown = new Promise<boolean>((resolve) => {
    seen = () => resolve(true)
    setTimeout(() => resolve(false), 3_000)
  })
  const began = performance.now()
  for (const kind of ['down', 'up']) viewer.send(JSON.stringify({ type: 'mouse', kind, x: 300, y: 300 }))
  if (await shown) delays.push(performance.now() - began)
  seen = undefined
  await sleep(100)
}
delays.sort((one, other) => one - other)
const at = (part: number): number =>
  Math.round(delays[Math.min(delays.length - 1, Math.floor(delays.length * part))] ?? NaN)
console.table({
  'click to picture (ms)': {
    p50: at(0.5),
    p95: at(0.95),
    most: at(1),
    clicks: delays.length,
    'not seen': clicks - delays.length,
  },
})
viewer.close()
await api.close()
await engine.close()
closeSite()
