// @module-tag long
// A server whose main thread never returns: the watchdog reports and ends it, and its crawl goes on after a restart.
import { createServer } from 'node:http'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { bareEnv, main, startProgram } from './command.ts'

const pages = 40

interface Loop {
  readonly name: string
  /** The body of a function `getStuck`. */
  readonly code: string
  readonly hasStack: boolean
}

const loops: readonly Loop[] = [
  { name: 'an endless loop', code: 'for (;;);', hasStack: true },
  { name: 'a catastrophic pattern', code: '/^(a+)+$/.test("a".repeat(60) + "b")', hasStack: true },
  {
    name: 'a native call',
    code: 'process.getBuiltinModule("crypto").pbkdf2Sync("a", "b", 2 ** 31 - 1, 64, "sha512")',
    hasStack: false,
  },
]

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** A site whose pages all link to each other; it calls `onVisit` with the number of visits so far. */
async function startSite(onVisit: (visits: number) => void) {
  let visits = 0
  const links = Array.from({ length: pages }, (_, page) => `<a href="/${page || ''}">${page}</a>`).join(' ')
  const server = createServer(({ url }, response) => {
    const isPage = /^\/\d*$/.test(url ?? '')
    if (isPage) onVisit((visits += 1))
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
    response.end(isPage ? `<main><h1>Page ${url}</h1><p>Words.</p>${links}</main>` : '')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'stuck-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

interface ServerOptions {
  /** The body of a handler of SIGUSR2. */
  readonly code?: string
  /** Runs before anything else. */
  readonly before?: string
  readonly stuckTimeout?: number
}

async function startServer(home: string, { code = '', before = '', stuckTimeout = 5_000 }: ServerOptions = {}) {
  const breaker = `${before}; process.on('SIGUSR2', function getStuck() { ${code} })`
  const preload = `data:text/javascript,${encodeURIComponent(breaker)}`
  const args = ['--import', preload, main, 'serve', '--port', '0', '--allow-private', '127.0.0.0/8']
  const { child, said, ended } = startProgram(process.execPath, args, {
    env: bareEnv(home, { HARVESTMAN_BROWSER: 'http://127.0.0.1:9', HARVESTMAN_STUCK_TIMEOUT: String(stuckTimeout) }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(() => said.err.includes('listens on'))
  return { child, said, ended, url: /listens on (\S+)/.exec(said.err)?.[1] ?? '' }
}

interface JobPage {
  readonly status: string
  readonly data: readonly { readonly metadata: { readonly url: string } }[]
  readonly next?: string
}

async function readJob(server: string, id: string) {
  const urls: string[] = []
  let status = ''
  for (let next: string | undefined = `${server}/v2/crawl/${id}`; next !== undefined;) {
    // Cast: the shape is that of the public API.
    const body = (await (await fetch(next)).json()) as JobPage
    status = body.status
    urls.push(...body.data.map((page) => page.metadata.url))
    next = body.next
  }
  return { status, urls }
}

for (const { name, code, hasStack } of loops) {
  test(`a server that is stuck in ${name} ends with a report, also after SIGTERM, and its crawl ends after a restart`, async () => {
    const home = makeHome()
    const first = await startServer(home, { code })
    const start = await startSite((visits) => {
      if (visits === 10) first.child.kill('SIGUSR2')
      if (visits === 10) setTimeout(() => first.child.kill('SIGTERM'), 200)
    })
    const response = await fetch(`${first.url}/v2/crawl`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: start, limit: pages, maxConcurrency: 2 }),
    })
    // Cast: the shape is that of the public API.
    const { id } = (await response.json()) as { readonly id: string }
    const { code: exitCode, err } = await first.ended
    expect({ exitCode, signal: first.child.signalCode }).toEqual({ exitCode: null, signal: 'SIGKILL' })
    const line = err.split('\n').find((each) => each.includes('process.stuck')) ?? ''
    expect(readFileSync(join(home, '.harvestman/harvestman.sqlite.stuck.log'), 'utf8')).toBe(`${line}\n`)
    const { message, stack, recent } = JSON.parse(line)
    expect(message).toMatch(/^The main thread has been stuck for \d+ s \(busy\)\./)
    expect(stack.slice(0, 1)).toEqual(hasStack ? [expect.stringMatching(/^at getStuck \(data:/)] : [])
    expect(recent).toContainEqual(expect.stringContaining(new URL(start).origin))

    const second = await startServer(home)
    let job = await readJob(second.url, id)
    for (; job.status === 'scraping'; job = await readJob(second.url, id))
      await new Promise((resolve) => setTimeout(resolve, 100))
    expect({ status: job.status, pages: job.urls.length, different: new Set(job.urls).size }).toEqual({
      status: 'completed',
      pages,
      different: pages,
    })
  })
}

const seconds = (count: number): string => `for (const end = Date.now() + ${count * 1_000}; Date.now() < end;);`
const hour = 3_600_000

for (const { name, code, hasStack } of loops) {
  test(`SIGTERM ends a server that is stuck in ${name} long before the limit of the watchdog`, async () => {
    const start = `process.getBuiltinModule("fs").writeSync(2, "stuck now\\n"); ${code}`
    const server = await startServer(makeHome(), { code: start, stuckTimeout: hour })
    await fetch(server.url)
    server.child.kill('SIGUSR2')
    await until(() => server.said.err.includes('stuck now'))
    // The first ones may come before the thread of the watchdog has started.
    const again = setInterval(() => server.child.kill('SIGTERM'), 500)
    const { err } = await server.ended.finally(() => clearInterval(again))
    expect(server.child.signalCode).toBe('SIGKILL')
    const { message, stack } = JSON.parse(err.split('\n').find((line) => line.includes('process.stuck')) ?? '')
    expect(message).toContain('It did not receive SIGTERM.')
    expect(stack.length > 0).toBe(hasStack)
  })
}

test('a server whose main thread is stuck for 7 seconds after it has received a signal closes by itself', async () => {
  const before = `process.once("SIGINT", () => { ${seconds(7)} })`
  const server = await startServer(makeHome(), { before, stuckTimeout: hour })
  await fetch(server.url)
  server.child.kill('SIGINT')
  expect(await server.ended).toMatchObject({ code: 0, err: expect.stringContaining('Stopping') })
})
