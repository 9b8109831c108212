// The protocol itself, and nothing else: what no library can be faster than.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Visitor {
  visit(url: string): Promise<string>
  close(): Promise<void>
}

export interface Setting {
  readonly executable: string
  readonly concurrency: number
  /** A folder with a `node_modules` of the programs that we are compared with. */
  readonly peers: string
}

export type Contender = (setting: Setting) => Promise<Visitor>

export const ready = '[data-ready]'
export const flags: readonly string[] = ['--no-sandbox']

type Result = Readonly<Record<string, unknown>>

interface Wire {
  send(method: string, params: object, sessionId?: string): Promise<Result>
  /** Waits for the next event of a name in a session. */
  next(method: string, sessionId: string): Promise<void>
  close(): Promise<void>
}

const expression = `new Promise((resolve) => {
  const look = () => document.querySelector('${ready}') && (watch.disconnect(), resolve(document.documentElement.outerHTML), true)
  const watch = new MutationObserver(look)
  if (!look()) watch.observe(document, { subtree: true, childList: true, attributes: true })
})`

function start(executable: string, more: readonly string[] = []): Wire {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const args = ['--headless', '--remote-debugging-pipe', `--user-data-dir=${folder}`, '--no-first-run', ...flags]
  const child = spawn(executable, [...args, ...more], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const [, , , input, output] = child.stdio as unknown as [
    null,
    null,
    null,
    NodeJS.WritableStream,
    NodeJS.ReadableStream,
  ]
  const waiting = new Map<string, (result: Result) => void>()
  let rest = ''
  output.setEncoding('utf8')
  output.on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0')
    rest = messages.pop()!
    for (const message of messages) {
      const told = JSON.parse(message) as { id?: number; method?: string; sessionId?: string; result?: Result }
      const key = told.id === undefined ? `${told.sessionId} ${told.method}` : String(told.id)
      waiting.get(key)?.(told.result ?? {})
      waiting.delete(key)
    }
  })
  let last = 0
  return {
    send: (method, params, sessionId) =>
      new Promise((resolve) => {
        waiting.set(String((last += 1)), resolve)
        input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
      }),
    next: (method, sessionId) => new Promise((resolve) => waiting.set(`${sessionId} ${method}`, () => resolve())),
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function openTarget({ send }: Wire, browserContextId?: unknown): Promise<string> {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  await send('Network.enable', {}, sessionId as string)
  return sessionId as string
}

async function read({ send }: Wire, sessionId: string): Promise<string> {
  const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId)
  return (result as { readonly value: string }).value
}

/** A new context for every address. */
export const perContext: Contender = async ({ executable }) => {
  const wire = start(executable)
  return {
    visit: async (url) => {
      const { browserContextId } = await wire.send('Target.createBrowserContext', {})
      const sessionId = await openTarget(wire, browserContextId)
      await wire.send('Page.navigate', { url }, sessionId)
      const html = await read(wire, sessionId)
      await wire.send('Target.disposeBrowserContext', { browserContextId })
      return html
    },
    close: wire.close,
  }
}

/** One page after another in the same targets, without pictures and fonts, and each left as soon as it is ready. */
export const reusedTargets: Contender = async ({ executable, concurrency }) => {
  const wire = start(executable, ['--blink-settings=imagesEnabled=false'])
  const free: string[] = []
  for (let index = 0; index < concurrency; index++) {
    const sessionId = await openTarget(wire)
    await wire.send('Page.enable', {}, sessionId)
    await wire.send('Network.setBlockedURLs', { urls: ['*.woff2', '*/tracker.js'] }, sessionId)
    free.push(sessionId)
  }
  return {
    visit: async (url) => {
      const sessionId = free.pop()!
      const shown = wire.next('Page.frameNavigated', sessionId)
      await wire.send('Page.navigate', { url }, sessionId)
      await shown
      const html = await read(wire, sessionId)
      free.push(sessionId)
      return html
    },
    close: wire.close,
  }
}
