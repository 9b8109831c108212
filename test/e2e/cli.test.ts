import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

import { startSite } from '@harvestman/testing'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test, vi } from 'vitest'

import { bareEnv, startCommand, type Ended } from './command.ts'
import { warmCommand } from './warm-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-cli-'))
let site: Awaited<ReturnType<typeof startSite>>

beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await warm.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

const environment = () => bareEnv(folder, { HARVESTMAN_ALLOW_PRIVATE: `127.0.0.0/8:${new URL(site.url).port}` })

const children = new Set<ChildProcess>()

// No test leaves a process, also when it has failed.
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  children.clear()
})

const start = (args: readonly string[], env: Readonly<Record<string, string>> = environment()) => {
  const started = startCommand(args, { env })
  children.add(started.child)
  return started
}

const warm = warmCommand({ env: bareEnv(folder) })

const harvestman = (args: readonly string[], env = environment()): Promise<Ended> => warm.run(args, { env })

describe('harvestman scrape', () => {
  test('prints Markdown on stdout and nothing else', async () => {
    const { code, out, err } = await start(['scrape', `${site.url}/good/article`]).ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^# /m)
  })

  test('prints one list a line each, several formats and --json as JSON', { tags: ['long'] }, async () => {
    const links = await harvestman(['scrape', `${site.url}/good/article`, '--format', 'links', '--full-page'])
    expect(
      links.out
        .trim()
        .split('\n')
        .every((line) => URL.canParse(line)),
    ).toBe(true)
    const both = await harvestman(['scrape', `${site.url}/good/article`, '-f', 'markdown,links'])
    expect(JSON.parse(both.out)).toMatchObject({
      metadata: { statusCode: 200 },
      links: expect.any(Array) as unknown,
    })
    const document = await harvestman(['scrape', `${site.url}/good/article`, '--json'])
    expect(JSON.parse(document.out)).toHaveProperty('markdown')
  })

  test('takes its formats before or after the address', async () => {
    const { code, out } = await harvestman(['scrape', '-f', 'links', `${site.url}/good/article`])
    expect(code).toBe(0)
    expect(out).toMatch(/^https?:/)
  })

  test(
    'reads files of this machine, and what is piped in, with all that a page may be',
    { tags: ['long'] },
    async () => {
      const file = join(folder, 'own.html')
      writeFileSync(
        file,
        '<title>Own</title><main><h1>Own page</h1><p>Written here. <a href="next">Next</a></p></main>',
      )
      const { code, out } = await harvestman(['scrape', file])
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^# Own page/) as unknown })
      const piped = start(['scrape', '-'])
      piped.feed('<title>Piped</title><main><h1>Piped page</h1><p>Given by a pipe.</p></main>')
      expect((await piped.ended).out).toMatch(/^# Piped page/)
    },
  )

  test('does not follow a page to a file of this machine', async () => {
    const { code, out } = await harvestman(['scrape', `${site.url}/redirect/odd/file`])
    expect({ code, out }).toEqual({ code: 4, out: '' })
  })

  test('ends with 130 and one line when it is stopped', { tags: ['long'] }, async () => {
    const silent = createServer()
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const { port } = silent.address() as AddressInfo
    const asked = once(silent, 'request')
    const open = ['--allow-private', `127.0.0.1/32:${port}`]
    const scrape = start(['scrape', `http://127.0.0.1:${port}/`, ...open])
    await asked
    scrape.child.kill('SIGINT')
    expect(await scrape.ended).toEqual({ code: 130, out: '', err: 'Stopped.\n' })
    silent.closeAllConnections()
    silent.close()
  })

  test('writes to a file with -o, and says so on stderr', async () => {
    const file = join(folder, 'page.md')
    const { code, out, err } = await harvestman(['scrape', `${site.url}/good/article`, '-o', file])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain(file)
    expect(readFileSync(file, 'utf8')).toMatch(/^# /m)
  })

  test('ends with a code for each kind of failure, one sentence, and the next step where there is one', async () => {
    const at = async (...args: string[]) => {
      const { code, out, err } = await harvestman(['scrape', ...args])
      const isStep = (line: string): boolean => line.startsWith('  → ')
      const lines = err.trimEnd().split('\n')
      expect(lines.filter(isStep)).toEqual(lines.slice(1))
      return { code, out, lines: lines.filter((line) => !isStep(line)).length }
    }
    expect(await at('not a url')).toEqual({ code: 2, out: '', lines: 1 })
    expect(await at(site.url, '--format', 'markdwon')).toEqual({ code: 2, out: '', lines: 1 })
    expect(await at(site.url, '--prompt', 'the price')).toEqual({ code: 3, out: '', lines: 1 })
    expect(await at('http://127.0.0.1:1/')).toEqual({ code: 4, out: '', lines: 1 })
    expect(await at(`${site.url}/good/picture.png`)).toEqual({ code: 5, out: '', lines: 1 })
  })

  test('a bad status is still printed, and is a failure only with --fail', async () => {
    const plain = await harvestman(['scrape', `${site.url}/status/404`])
    expect(plain).toMatchObject({ code: 0, err: 'The page responded with status 404 (Not Found).\n' })
    expect((await harvestman(['scrape', `${site.url}/status/404`, '--fail'])).code).toBe(22)
  })

  test('a private address is refused until it is opened by name', async () => {
    const env = bareEnv(folder)
    expect((await harvestman(['scrape', `${site.url}/good/article`], env)).code).toBe(4)
    const open = ['--allow-private', `127.0.0.1/32:${new URL(site.url).port}`]
    expect((await harvestman(['scrape', `${site.url}/good/article`, ...open], env)).code).toBe(0)
  })
})

test('--version prints the version of the package', async () => {
  const manifest = fileURLToPath(new URL('../../packages/cli/package.json', import.meta.url))
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  expect(await start(['--version']).ended).toEqual({ code: 0, out: `${version}\n`, err: '' })
})

test('an unknown option is told with the way to the help', async () => {
  const { code, err } = await start(['scrape', site.url, '--colour']).ended
  expect(code).toBe(2)
  expect(err).toContain('--help')
})

test('a setting that is wrong is told by the name it was set under', async () => {
  const { code, err } = await harvestman(['scrape', site.url], { ...environment(), PORT: 'many' })
  expect(code).toBe(2)
  expect(err).toContain('PORT')
})

test(
  'harvestman doctor tells what this machine can do, and fails only when nothing works',
  { tags: ['long'] },
  async () => {
    const good = await harvestman(['doctor', '--json'], { ...environment(), PORT: '0' })
    const findings = JSON.parse(good.out) as readonly {
      readonly name: string
      readonly state: string
      readonly message: string
    }[]
    expect({ code: good.code, broken: findings.filter(({ state }) => state === 'broken') }).toEqual({
      code: 0,
      broken: [],
    })
    expect(findings.find(({ name }) => name === 'scraping')?.state).toBe('good')
    expect(findings.find(({ name }) => name === 'browser')?.message).toMatch(
      /; the kernel (?:limits|does not limit) it|without its limits$/,
    )
    const bad = await harvestman(['doctor'], { ...environment(), HARVESTMAN_STORE: 'sqlite:/proc/no/file' })
    expect(bad.code).toBe(1)
    expect(bad.out).toContain('→ Set HARVESTMAN_STORE')
  },
)

test(
  'harvestman doctor names the store that commands and the server use where none is set',
  { tags: ['long'] },
  async () => {
    const { out } = await harvestman(['doctor'], { ...environment(), PORT: '0' })
    expect(out).toContain(`SQLite file ${join(folder, '.harvestman', 'harvestman.sqlite')}`)
  },
)

test(
  'harvestman search ends when it has said what it found, also without a server that searches the web',
  { tags: ['long'] },
  async () => {
    await harvestman(['crawl', `${site.url}/good/article`, '--limit', '1'])
    const { code, out } = await start(['search', 'harvestman']).ended
    expect(code).toBe(0)
    expect(out).toContain(`${site.url}/good/article\n`)
    expect(await harvestman(['search', 'zyzzyva'])).toMatchObject({ code: 0, out: '' })
  },
)

/** Starts a server as an operator would, and gives its address when it listens. */
function startServer(store: string, more: Readonly<Record<string, string>> = {}) {
  const { child, said, ended } = start(['serve', '--port', '0', '--store', store], { ...environment(), ...more })
  const listens = new Promise<string>((resolve, reject) => {
    child.stderr.on('data', () => {
      const found = /listens on (http:\S+)/.exec(said.err)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`It ended before it listened: ${said.err}`)))
  })
  return { child, listens, ended, said: () => said.err }
}

describe('harvestman serve', () => {
  test('answers, keeps what it answered over a restart, and stops when told', { tags: ['long'] }, async () => {
    const store = `sqlite:${join(folder, 'data.sqlite')}`
    const run = async <T>(use: (url: string) => Promise<T>): Promise<T> => {
      const { child, listens, ended } = startServer(store)
      try {
        return await use(await listens)
      } finally {
        child.kill('SIGTERM')
        expect(await ended).toMatchObject({ code: 0 })
      }
    }
    const id = await run(async (url) => {
      expect((await fetch(`${url}/health`)).status).toBe(200)
      const body = JSON.stringify({ url: `${site.url}/good/article` })
      const answer = await fetch(`${url}/v2/scrape`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const { success, data } = (await answer.json()) as { success: boolean; data: { metadata: { scrapeId: string } } }
      expect(success).toBe(true)
      return data.metadata.scrapeId
    })
    const again = await run(async (url) => (await fetch(`${url}/v2/scrape/${id}`)).json())
    expect(again).toMatchObject({ success: true, data: { metadata: { scrapeId: id } } })
  })

  test('runs with its memory settings', { tags: ['long'] }, async () => {
    const { child, listens, ended } = startServer('memory:')
    await listens
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', `${child.pid}`], { encoding: 'utf8' })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
    expect(stdout).toMatch(/ --max-semi-space-size=8 --v8-pool-size=\d .*serve/)
  })

  test(
    'waits for a store that another process has locked when it starts, and says so',
    { tags: ['long'] },
    async () => {
      const file = join(folder, 'locked.sqlite')
      const other = new DatabaseSync(file)
      other.exec('CREATE TABLE own (x); BEGIN EXCLUSIVE')
      const { child, said, listens } = startServer(`sqlite:${file}`)
      await vi.waitUntil(() => said().includes('Waiting up to'), { timeout: 40_000 })
      expect(said()).toMatch(/HARVESTMAN_STORE_WAIT.*keeps the file locked/)
      other.exec('COMMIT')
      other.close()
      expect((await fetch(`${await listens}/health`)).status).toBe(200)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    },
  )

  test('answers what its end cuts off with 503 and when to try again', { tags: ['long'] }, async () => {
    const { child, listens } = startServer('memory:', {
      HARVESTMAN_GRACE: '200',
      HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
    })
    const asked = Promise.withResolvers<void>()
    const slow = createServer(() => asked.resolve())
    await new Promise<void>((ready) => slow.listen(0, '127.0.0.1', ready))
    const { port } = slow.address() as AddressInfo
    const answering = fetch(`${await listens}/v2/scrape`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/`, timeout: 60_000 }),
    })
    await asked.promise
    child.kill('SIGTERM')
    const answer = await answering
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({ success: false, code: 'SERVER_CLOSING' })
    expect(await once(child, 'exit')).toEqual([0, null])
    slow.close()
    slow.closeAllConnections()
  })

  test('ends with the program that started it, however that ends', { tags: ['long'] }, async () => {
    const runner = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url))
    const args = [runner, 'start', 'serve', '--port', '0', '--store', 'memory:']
    // A group of its own, because what it starts must not outlive a failed test either.
    const child = spawn(process.execPath, args, { env: environment(), detached: true })
    onTestFailed(() => void process.kill(-Number(child.pid), 'SIGKILL'))
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said += String(text)))
    await expect.poll(() => said, { interval: 200 }).toContain('listens on')
    const [, url = ''] = /listens on (http:\S+)/.exec(said) ?? []
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    child.kill('SIGKILL')
    const answers = () =>
      fetch(`${url}/health/live`).then(
        () => true,
        () => false,
      )
    await expect.poll(answers, { interval: 200 }).toBe(false)
  })

  test('continues when nobody reads its log any more', { tags: ['long'] }, async () => {
    const { child, listens, ended } = startServer('memory:')
    const url = await listens
    child.stderr.destroy()
    // Each failed scrape writes a line to the log.
    for (let scrape = 0; scrape < 3; scrape += 1) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ url: 'http://127.0.0.1:1/' })
      expect((await fetch(`${url}/v2/scrape`, { method: 'POST', headers, body })).status).toBe(403)
    }
    expect((await fetch(`${url}/health`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  })

  test('does not listen beyond this machine without a key', async () => {
    const { code, err } = await harvestman(['serve', '--port', '0', '--host', '0.0.0.0'])
    expect(code).toBe(3)
    expect(err).toContain('HARVESTMAN_API_KEY')
  })
})
