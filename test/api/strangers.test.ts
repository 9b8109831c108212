// @module-tag browser
// What strangers say to a whole server over its sockets: nothing of it ends the server, another session, or what is owed for one.
import { createEngine } from '@harvestman/core'
import { live, type LiveSession } from '@harvestman/live'
import { createApi, serve, type Server } from '@harvestman/http'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { hostileTexts, spoiledByChance } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const faults: unknown[] = []
const engine = createEngine({ browser: puppeteerBrowser(), plugins: [live({ sessions: puppeteerSessions() })] })
let api: Server
beforeAll(async () => {
  api = await serve(createApi(engine, { onFault: (fault) => faults.push(fault) }), { port: 0 })
})
afterAll(async () => {
  await api.close()
  await engine.close()
})

const commands = [
  { id: 1, method: 'Target.getTargets', params: { filter: [{ type: 'page', exclude: false }] } },
  { id: 2, method: 'Target.setAutoAttach', params: { autoAttach: true, waitForDebuggerOnStart: false, filter: [{}] } },
  { id: 3, method: 'Target.setDiscoverTargets', params: { discover: true, filter: [{ type: 'page' }] } },
  { id: 4, method: 'Target.createTarget', params: { url: 'about:blank', width: 800, height: 600 } },
  { id: 5, method: 'Page.captureScreenshot', params: { clip: { x: 0, y: 0, width: 9, height: 9, scale: 1 } } },
  { id: 6, method: 'Page.navigate', params: { url: 'data:text/html,x' }, sessionId: 'PAGE' },
  { id: 7, method: 'Runtime.evaluate', params: { expression: '1', returnByValue: true }, sessionId: 'PAGE' },
]
const inputs = [
  { type: 'wheel', x: 1, y: 1, dx: 0, dy: 5 },
  { type: 'key', key: 'a' },
  { type: 'paste', text: 'words' },
  { type: 'tab', id: 'TAB' },
  { type: 'go', to: 'reload' },
]

type Right = keyof LiveSession['tokens']
const doors: readonly (readonly [name: string, path: string, right: Right, messages: readonly object[]])[] = [
  ['the protocol of the browser', 'cdp', 'cdp', commands],
  ['the live view', 'live', 'control', inputs],
]

const addressOf = ({ id, tokens }: LiveSession, door: string, right: Right): string =>
  `${api.url.replace('http', 'ws')}/${door}/${id}${door === 'live' ? '/screen' : ''}?token=${tokens[right]}`

interface Heard {
  readonly id?: number
  readonly result?: {
    readonly targetInfos?: readonly { readonly targetId: string }[]
    readonly sessionId?: string
    readonly result?: { readonly value?: unknown }
  }
}

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  return socket
}

/** Asks the browser and waits for the answer; there is none when the connection ends. */
async function ask(socket: WebSocket, command: { readonly id: number; readonly [name: string]: unknown }) {
  const { promise, resolve } = Promise.withResolvers<Heard>()
  const hear = ({ data }: { readonly data: string }): void => {
    const message = JSON.parse(data) as Heard
    if (message.id === command.id) resolve(message)
  }
  socket.addEventListener('message', hear)
  socket.addEventListener('close', () => resolve({}))
  socket.send(JSON.stringify(command))
  const answer = await promise
  socket.removeEventListener('message', hear)
  return answer.result ?? {}
}

/** The session of a page as this connection has it: another connection knows nothing of it. */
async function attach(socket: WebSocket): Promise<string> {
  const { targetInfos } = await ask(socket, { id: 100_001, method: 'Target.getTargets', params: {} })
  const params = { targetId: targetInfos?.[0]?.targetId, flatten: true }
  return (await ask(socket, { id: 100_002, method: 'Target.attachToTarget', params })).sessionId ?? ''
}

/** Says something over connections that are opened again as often as the server ends them. */
async function say(door: string, url: string, texts: Iterable<string | Uint8Array>): Promise<number> {
  let said = 0
  let socket: WebSocket | undefined
  let page = ''
  for (const text of texts) {
    if (socket?.readyState !== WebSocket.OPEN) {
      socket = await connect(url)
      if (door === 'cdp') page = await attach(socket)
    }
    socket.send(typeof text === 'string' ? text.replaceAll('PAGE', page) : text)
    said += 1
    if (said % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  // All that was said before has been taken then.
  if (door === 'cdp' && socket?.readyState === WebSocket.OPEN)
    await ask(socket, { id: 100_003, method: 'Browser.getVersion', params: {} })
  socket?.close()
  return said
}

function* flood(messages: readonly object[]): Generator<string | Uint8Array> {
  yield* hostileTexts
  yield new Uint8Array([0, 255, 254])
  yield* spoiledByChance(messages, 2_000, 7)
}

const isWell = async (session: LiveSession): Promise<unknown> => {
  expect((await fetch(`${api.url}/health`)).status).toBe(200)
  return session.snapshot()
}

test.each(doors)(
  'thousands of hostile messages to %s end no session of others, and none goes unpaid',
  { tags: ['long'] },
  async (_name, door, right, messages) => {
    const [mine, theirs] = [await engine.live.open(), await engine.live.open()]
    expect(await say(door, addressOf(theirs, door, right), flood(messages))).toBeGreaterThan(2_000)
    await isWell(mine)
    const next = await engine.live.open()
    const socket = await connect(addressOf(next, 'cdp', 'cdp'))
    const evaluate = {
      id: 1,
      method: 'Runtime.evaluate',
      params: { expression: '1 + 1' },
      sessionId: await attach(socket),
    }
    expect((await ask(socket, evaluate)).result?.value).toBe(2)
    socket.close()
    for (const session of [mine, theirs, next]) expect((await session.stop()).credits).toBeGreaterThan(0)
    expect(faults).toEqual([])
  },
)

test(
  'messages of 38 MB are refused by their size, and the server answers others meanwhile',
  { tags: ['long'] },
  async () => {
    const session = await engine.live.open()
    const large = `{"id":1,"method":"Runtime.evaluate","params":{"expression":"${'x'.repeat(38_000_000)}"}}`
    const closed = Array.from({ length: 4 }, async () => {
      const socket = new WebSocket(addressOf(session, 'cdp', 'cdp'))
      await new Promise((resolve) => socket.addEventListener('open', resolve))
      socket.send(large)
      const { code } = await new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))
      return code
    })
    expect((await fetch(`${api.url}/health`)).status).toBe(200)
    expect(await Promise.all(closed)).toEqual([1009, 1009, 1009, 1009])
    await isWell(session)
    await session.stop()
  },
)
