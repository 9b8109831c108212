// @module-tag long
// The commands about many pages, as programs of their own that find each other's jobs in one file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { bareEnv, startCommand } from './command.ts'
import { warmCommand } from './warm-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-cli-jobs-'))
let site: Site

beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await warm.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

const env = bareEnv(folder, { HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8' })
const warm = warmCommand({ env })
const start = (...args: readonly string[]) => startCommand(args, { env })
const run = (...args: readonly string[]) => warm.run(args)
const at = (path: string) => site.url + path
const lines = (text: string) => text.trimEnd().split('\n')
const idIn = (text: string) => /[\da-f]{8}-[-\da-f]{27}/.exec(text)?.[0] ?? ''

describe('harvestman batch', () => {
  test('gives a line a page, names what failed, and says how it ended', async () => {
    const { code, out, err } = await start('batch', at('/good/article'), at('/status/404'), at('/bomb/gzip')).ended
    expect(lines(out).toSorted()).toEqual([
      expect.stringMatching(/^200 {2}\S+\/good\/article {2}\w/),
      expect.stringMatching(/^404 {2}\S+\/status\/404/),
    ])
    expect(err).toMatch(/^✗ \S+\/bomb\/gzip {2}\w/m)
    expect(err).toMatch(/^! batch completed with failures: 2 of 3 pages, 1 failed, /m)
    expect(err).not.toContain('\u001B')
    expect(code).toBe(6)
    expect((await run('jobs', '--kind', 'batch')).out).toMatch(/ ! completed with failures .* 1 failed {2}3 pages of /)
    expect((await run('batch', 'http://10.0.0.1/', at('/good/docs'), '--fail')).code).toBe(22)
    expect((await run('batch', 'http://10.0.0.1/')).code).toBe(4)
  })

  test(
    'reads addresses from a file and from what is piped in, and writes a file a page',
    { tags: ['long'] },
    async () => {
      const list = join(folder, 'urls.txt')
      const out = join(folder, 'pages')
      writeFileSync(list, `# two\n${at('/good/article')}\n${at('/good/docs')}\n`)
      const batch = start('batch', list, '-', '--out', out)
      batch.feed(`${at('/good/table')}\n`)
      expect(await batch.ended).toMatchObject({ code: 0, out: '' })
      const files = readdirSync(out).toSorted()
      expect(files.map((file) => file.replace(/^.*_good_(\w+)-[\da-f]{8}/, '$1'))).toEqual([
        'article.md',
        'docs.md',
        'table.md',
      ])
      expect(readFileSync(join(out, files[0]!), 'utf8')).toMatch(/^# How harvestmen walk/)
    },
  )

  test('is refused before it begins when it asks for nothing or for too much', async () => {
    expect(await run('batch')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--resume') as unknown })
    expect((await run('batch', 'no url')).code).toBe(2)
    expect((await run('batch', '--resume', '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11')).code).toBe(2)
  })
})

describe('harvestman crawl', () => {
  test('gives documents with --json, one a line', async () => {
    const { code, out } = await run('crawl', at('/crawl/'), '--limit', '4', '--json', '-f', 'links')
    const documents = lines(out).map((line) => JSON.parse(line) as { links: unknown; metadata: { sourceURL: string } })
    expect(new Set(documents.map(({ metadata }) => metadata.sourceURL)).size).toBe(4)
    expect(Object.keys(documents[0]!).toSorted()).toEqual(['links', 'metadata'])
    expect(code).toBe(0)
  })

  test(
    'that is stopped with Ctrl-C says how to go on, and goes on without losing or doubling a page',
    { tags: ['long'] },
    async () => {
      const crawl = start('crawl', at('/crawl/'), '--limit', '6', '--delay', '0.7')
      await expect.poll(() => crawl.said.out).toMatch(/^200 /)
      crawl.child.kill('SIGINT')
      const stopped = await crawl.ended
      expect(stopped.code).toBe(130)
      const id = idIn(stopped.err)
      expect(stopped.err).toContain(`harvestman crawl --resume ${id}`)
      expect(lines(stopped.out).length).toBeLessThan(6)
      const listed = await run('jobs')
      expect(listed.out).toMatch(
        new RegExp(
          `^${id} {2}crawl +● unfinished +\\d/\\d +\\d credits? +(?:just now|1 min ago) {2}${site.url}/crawl/$`,
          'm',
        ),
      )
      const { code, out, err } = await start('crawl', '--resume', id).ended
      expect(code).toBe(0)
      expect(err).toContain('crawl completed: 6 pages')
      const urls = lines(out).map((line) => line.split('  ')[1])
      expect(urls).toHaveLength(6)
      expect(new Set(urls).size).toBe(6)
      expect((await run('jobs', '--running')).out).toBe('')
      expect((await run('jobs', '--kind', 'crawl')).out).toMatch(
        new RegExp(`^${id} {2}crawl +✓ completed +6/6 +6 credits`, 'm'),
      )
      const [newest = ''] = lines((await run('jobs', '--json', '--limit', '1')).out)
      expect(JSON.parse(newest)).toMatchObject({ id, kind: 'crawl', status: 'completed', about: at('/crawl/') })
    },
  )

  test('is ended from another terminal', async () => {
    const crawl = start('crawl', at('/crawl/'), '--limit', '50', '--delay', '2')
    await expect.poll(() => idIn(crawl.said.err)).not.toBe('')
    const id = idIn(crawl.said.err)
    expect(await run('cancel', id)).toMatchObject({
      code: 0,
      err: expect.stringContaining('crawl cancelled') as unknown,
    })
    const ended = await crawl.ended
    expect(ended.err).toContain('crawl cancelled: ')
    expect(await run('cancel', id)).toMatchObject({ code: 2, err: expect.stringContaining('already ended') as unknown })
  })
})

test('harvestman explain says of the addresses of a crawl what became of them, and of one alone', async () => {
  const { err } = await run('crawl', at('/crawl/'), '--limit', '3', '--exclude-paths', '/crawl/page/2$')
  const id = idIn(err)
  const all = await run('explain', id)
  expect(all.code).toBe(0)
  expect(lines(all.out).filter((line) => line.startsWith('visited  '))).toHaveLength(3)
  expect(all.out).toContain(`left     ${at('/crawl/page/2')}  `)
  const one = await run('explain', id, at('/crawl/page/2'), '--json')
  expect(JSON.parse(one.out)).toMatchObject({ url: at('/crawl/page/2'), reason: 'EXCLUDE_PATTERN' })
  expect(await run('explain', id, 'https://elsewhere.example/')).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('The crawl has not found this URL.') as unknown,
  })
  expect((await run('explain', '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11')).code).toBe(2)
})

test('harvestman map lists addresses, one a line', async () => {
  const plain = await run('map', at('/crawl/'), '--limit', '5')
  expect(plain.code).toBe(0)
  expect(lines(plain.out)).toHaveLength(5)
  for (const line of lines(plain.out)) expect(line.startsWith(site.url)).toBe(true)
  const json = await run('map', at('/crawl/'), '--limit', '2', '--json')
  expect(lines(json.out).map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ url: expect.any(String) as unknown }),
    expect.objectContaining({ url: expect.any(String) as unknown }),
  ])
})
