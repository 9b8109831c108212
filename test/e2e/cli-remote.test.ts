// @module-tag long
// Commands that ask a server, beside the same commands on this machine.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { sqliteStore } from '@harvestman/keyv'
import { startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { bareEnv, startCommand, type Started } from './command.ts'
import { warmCommand } from './warm-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-cli-remote-'))
const allowed = { HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8' }
const env = bareEnv(join(folder, 'me'), allowed)
const warm = warmCommand({ env })
const key = 'key-of-these-tests'
let site: Site
let server: Started
let url: string

const run = (...args: readonly string[]) => warm.run(args)
const at = (path: string) => site.url + path

beforeAll(async () => {
  site = await startSite()
  const theirs = bareEnv(join(folder, 'server'), { ...allowed, HARVESTMAN_API_KEY: key })
  server = startCommand(['serve', '--port', '0', '--store', 'memory:'], { env: theirs })
  url = await vi.waitFor(
    () => {
      const [said] = /http:\/\/[\d.:]+/.exec(server.said.err + server.said.out) ?? []
      if (said === undefined) throw new Error(`The server says: ${server.said.err}`)
      return said
    },
    { timeout: 60_000 },
  )
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  await warm.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

test('a login without the right key, or to an address that is no server, stores nothing', async () => {
  expect(await run('login', url)).toMatchObject({ code: 4, err: expect.stringContaining('needs a key') })
  expect(await run('login', url, '--key', 'wrong')).toMatchObject({ err: expect.stringContaining('does not know') })
  expect((await run('login', at('/'), '--key', key)).code).not.toBe(0)
  expect((await run('login', 'example.com')).err).toContain('is not the URL of a server')
  expect((await run('servers')).out).toBe('* local  this machine\n')
})

test('commands print the same from a server as on this machine, and its jobs are kept there', async () => {
  const here = await run('scrape', at('/good/article'))
  expect((await run('login', url, '--key', key, '--name', 'work')).code).toBe(0)
  const file = join(folder, 'me', '.config', 'harvestman', 'servers.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain(key)

  expect(await run('scrape', at('/good/article'))).toMatchObject({ code: 0, out: here.out })
  const mapped = await run('map', at('/crawl/'), '--limit', '5')
  expect(mapped.out).toBe((await run('map', at('/crawl/'), '--limit', '5', '--server', 'local')).out)
  expect((await run('scrape', at('/good/article'), '--preview')).out).toMatch(/^1 credit/)

  const crawl = await run('crawl', at('/crawl/'), '--limit', '3', '--json')
  expect(crawl.out.trim().split('\n')).toHaveLength(3)
  expect(crawl.err).toMatch(/crawl completed: 3 pages, /)
  const id = /[\da-f]{8}-[-\da-f]{27}/.exec(crawl.err)?.[0] ?? ''
  expect((await run('jobs')).out).toContain(id)
  expect((await run('jobs', '--server', 'local')).out).not.toContain(id)
  expect((await run('explain', id, at('/crawl/'))).out).toMatch(/^visited/)
  expect((await run('crawl', '--resume', id)).out.trim().split('\n')).toHaveLength(3)
  expect((await run('cancel', id)).err).toContain('already ended')
})

test('what a server refuses, or a server that is away, is one sentence and the exit code that it has on this machine', async () => {
  expect(await run('scrape', at('/good/article'), '-f', 'nonsense')).toMatchObject({ code: 2, out: '' })
  const away = await run('scrape', at('/good/article'), '--server', 'http://127.0.0.1:9')
  expect(away).toMatchObject({ code: 7, err: expect.stringContaining('could not be reached') })
  expect((await run('scrape', at('/good/article'), '--server', 'nowhere')).err).toContain('harvestman login')
  expect(await run('jobs', '--key', 'wrong')).toMatchObject({ code: 4 })
})

test('several pages are scraped one after the other, and one that fails keeps no other back', async () => {
  const pages = [at('/good/article'), at('/good/docs')] as const
  const { code, out, err } = await run('scrape', pages[0], 'http://10.0.0.1/', pages[1])
  const alone = [await run('scrape', pages[0]), await run('scrape', pages[1])]
  expect(out).toBe(alone.map((one) => one.out).join(''))
  expect(err).toContain('10.0.0.1')
  expect(code).toBe(4)
  expect((await run('scrape', at('/good/article'), at('/good/docs'), '-o', join(folder, 'x'))).err).toContain('--out')
})

test('a server that is forgotten is not asked any more', async () => {
  expect((await run('servers')).out).toBe(`* work  ${url}\n  local  this machine\n`)
  expect((await run('servers', 'local')).code).toBe(0)
  expect((await run('servers')).out).toMatch(/^\* local/m)
  expect((await run('logout', 'work')).code).toBe(0)
  expect((await run('scrape', at('/good/article'), '--server', 'work')).code).toBe(2)
})

test(
  'monitors are the same on this machine and on a server: made, run, shown, paused and deleted',
  { tags: ['long'] },
  async () => {
    const own = ['--store', `sqlite:${join(folder, 'monitors.sqlite')}`]
    for (const place of [own, ['--server', url, '--key', key]]) {
      const monitors = (...args: readonly string[]) => run('monitors', ...args, ...place)
      const made = await monitors('create', at('/good/article'), at('/none'), '--name', 'Pages', '--schedule', 'hourly')
      expect(made).toMatchObject({ code: 0, err: expect.stringContaining('harvestman monitors run') })
      const id = made.out.trim()
      expect((await monitors('show', id)).err).toContain('has not been checked')
      const first = await monitors('run', id)
      expect(first).toMatchObject({ code: 0, err: expect.stringContaining('new') })
      expect(first.out).toContain(`new      ${at('/good/article')}`)
      expect((await monitors('run', id)).err).toMatch(/no change on 2 pages|1 failed/)
      expect(
        (await monitors('show', id, '--json')).out
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      ).toContainEqual(expect.objectContaining({ url: at('/good/article'), status: 'same' }))
      expect((await monitors('pause', id)).err).toContain('paused')
      expect((await monitors('list')).out).toMatch(new RegExp(`^${id}  paused .*Pages`))
      expect((await monitors('run', id)).code).not.toBe(0)
      expect((await monitors('delete', id)).err).toContain('deleted')
      expect((await monitors('list')).err).toContain('There are no monitors')
    }
    expect((await run('monitors', 'create', 'nonsense', ...own)).code).not.toBe(0)
    expect((await run('monitors', 'create', at('/'), '--schedule', 'now and then', ...own)).err).toContain(
      'every 30 minutes',
    )
  },
)

test(
  'datasets are the same on this machine and on a server: filled, queried, exported and deleted',
  { tags: ['long'] },
  async () => {
    const own = ['--store', `sqlite:${join(folder, 'datasets.sqlite')}`]
    const lines = join(folder, 'rows.jsonl')
    writeFileSync(lines, '{"url":"a","price":3}\n{"values":{"url":"b","price":2.5},"source":"https://b.test/"}\n')
    for (const place of [own, ['--server', url, '--key', key]]) {
      const datasets = (...args: readonly string[]) => run('datasets', ...args, ...place)
      expect(await datasets('create', 'prices', '--by', 'url')).toMatchObject({ code: 0 })
      expect((await datasets('add', 'prices', lines)).err).toBe('2 added, 0 changed, 0 the same\n')
      expect((await datasets('add', 'prices', lines)).err).toBe('0 added, 0 changed, 2 the same\n')
      expect((await datasets('list')).out).toBe('prices  2 rows  url, price\n')
      const sql = 'SELECT url, price FROM rows ORDER BY price'
      expect((await datasets('query', 'prices', sql)).out).toBe('url\tprice\nb\t2.5\na\t3\n')
      expect((await datasets('query', 'prices', sql, '--json', '--limit', '1')).out).toBe('{"url":"b","price":2.5}\n')
      const file = join(folder, 'prices.csv')
      expect((await datasets('export', 'prices', '-o', file)).code).toBe(0)
      expect(readFileSync(file, 'utf8')).toContain('b,2.5,')
      expect((await datasets('export', 'prices')).out.trim().split('\n')).toHaveLength(2)
      expect((await datasets('export', 'prices', '--format', 'parquet')).err).toContain('--output')
      const job = await run('batch', at('/good/article'), '--json', '-f', 'markdown,links', ...place)
      const id = /[\da-f]{8}-[-\da-f]{27}/.exec(job.err)?.[0] ?? ''
      expect((await datasets('add', 'prices', '--job', id, '--from', 'nothing')).err).toBe(
        '0 added, 0 changed, 0 the same\n',
      )
      expect((await datasets('delete', 'prices')).err).toContain('deleted')
      expect((await datasets('list')).err).toContain('There are no datasets')
    }
    expect((await run('datasets', 'query', 'prices', 'SELECT 1', ...own)).err).toContain('no dataset')
  },
)

const lesson = {
  type: 'lesson',
  schema: { type: 'object', properties: { headline: { type: 'string' } } },
  answer: { headline: 'How harvestmen walk' },
} as const

test('extractors are the same on this machine and on a server: listed, read, edited and deleted', async () => {
  const store = `sqlite:${join(folder, 'extractors.sqlite')}`
  const request = { url: at('/good/article'), formats: [lesson] }
  {
    await using engine = createEngine({
      allowPrivate: ['127.0.0.0/8'],
      store: sqliteStore(store.slice('sqlite:'.length)),
      plugins: [data()],
    })
    await engine.scrape(request)
  }
  const taught = await fetch(`${url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  expect(taught.status).toBe(200)
  for (const place of [
    ['--store', store],
    ['--server', url, '--key', key],
  ]) {
    const extractors = (...args: readonly string[]) => run('extractors', ...args, ...place)
    const [id = ''] = (await extractors('list')).out.split(' ')
    expect((await extractors('list')).out).toBe(`${id}  revision 1  /good/*  /headline\n`)
    const file = join(folder, 'program.json')
    const { program } = JSON.parse((await extractors('get', id, '--json')).out) as { readonly program: object }
    writeFileSync(file, JSON.stringify({ ...program, path: '/articles/*' }))
    expect((await extractors('edit', id, '--program', file)).out).toContain('revision: 2\n')
    const versions = (await extractors('versions', id, '--json')).out
    expect(versions.match(/"revision":\d/g)).toEqual(['"revision":2', '"revision":1'])
    writeFileSync(file, '{"version":1}')
    expect((await extractors('edit', id, '--program', file)).code).not.toBe(0)
    expect(await extractors('delete', id)).toMatchObject({ code: 0, out: '' })
    expect((await extractors('list')).err).toBe('The list is empty.\n')
  }
})
