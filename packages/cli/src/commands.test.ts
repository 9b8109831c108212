import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ListedJob } from '@harvestman/client'
import { createEngine, EngineError, type AnyDocument } from '@harvestman/core'
import { browserPort, llmPort, missingPort, proxiesPort, searchPort, sessionsPort } from '@harvestman/core/plugin'
import { check } from '@harvestman/core/schema'
import { afterAll, describe, expect, test } from 'vitest'

import { run } from './program.ts'
import { toBatch } from './batch.ts'
import { checkTarget, toCrawl } from './crawl.ts'
import { report } from './failures.ts'
import { lineOf } from './jobs.ts'
import { configuredPlugins } from './kinds.ts'
import { summary } from './show-job.ts'
import { toMap } from './map.ts'
import { toSearch } from './search.ts'
import { openOutlet } from './outlet.ts'
import { plain } from './paint.ts'
import { onStore } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'
import { readUrls } from './urls.ts'

const folder = mkdtempSync(join(tmpdir(), 'cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { schemas } = createEngine()

function shell() {
  const said = { out: '', err: '' }
  const made: Shell = {
    env: {},
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    isTerminal: false,
    columns: () => 80,
    paint: { out: plain, err: plain },
    stdin: () => new Uint8Array(),
    isInteractive: false,
    lines: async function* () {},
  }
  return { ...made, said }
}

describe('The command line', () => {
  test.each([
    [['--config', 'no-such-file.json', 'scrape', 'https://a.test/']],
    [['--config=no-such-file.json', 'scrape', 'https://a.test/']],
    [['scrape', 'https://a.test/', '--config', 'no-such-file.json']],
    [['--config', 'no-such-file.json', 'monitors', 'list']],
    [['--config', 'no-such-file.json']],
  ])('takes the configuration before the command and behind it: %j', async (args) => {
    const { said, ...rest } = shell()
    expect(await run(args, rest)).not.toBe(0)
    expect(said.err).toContain('no-such-file.json')
    expect(said.err).not.toContain('unknown')
  })

  test('takes a configuration whose path has an equals sign', async () => {
    const loading = configuredPlugins(['--config=no=such/file.json', 'scrape'], shell())
    await expect(loading).rejects.toThrow('The config file no=such/file.json cannot be read.')
  })

  test('takes URLs for a batch that are piped in without a dash', async () => {
    const piped = { ...shell(), isPiped: true, stdin: () => new TextEncoder().encode('ftp://a.test/\nftp://b.test/\n') }
    expect(await run(['batch'], piped)).toBe(2)
    expect(piped.said.err).toContain('urls')
    const empty = { ...shell(), isPiped: true }
    expect(await run(['batch'], empty)).toBe(2)
    expect(empty.said.err).toContain('Pass a URL')
  })

  test('lists the file formats of its own engine', async () => {
    const asked = shell()
    expect(await run(['file-formats', '--store', 'memory:'], asked)).toBe(0)
    expect(asked.said.out).toMatch(/^doc +\.doc \.dot +application\/msword$/m)
    expect(asked.said.out).toMatch(/^pdf +\.pdf +application\/pdf$/m)
  })

  test('suggests a choice that resembles the given value', async () => {
    const asked = shell()
    expect(await run(['completion', 'zhs'], asked)).toBe(2)
    expect(asked.said.err).toContain('Did you mean zsh? Use one of bash, zsh, fish.')
  })

  test('lists its commands by task', async () => {
    const asked = shell()
    await run(['--help'], asked)
    const groups = asked.said.out.match(/^[A-Z][\w ]+:$/gm)
    expect(groups).toEqual([
      'Options:',
      'Load pages:',
      'Repeat and collect:',
      'Run a server:',
      'This machine:',
      'Commands:',
    ])
  })

  test('begins no message with "error:"', async () => {
    const asked = shell()
    expect(await run(['scrape', '--nonsense'], asked)).toBe(2)
    expect(asked.said.err).toMatch(/^unknown option '--nonsense'/)
  })
})

describe('The words of the command line', () => {
  test('for a crawl are those of the engine', () => {
    const request = toCrawl('https://a.test/', {
      limit: '5',
      includePaths: ['^/docs', 'x'],
      excludePaths: ['y'],
      depth: '2',
      sitemap: 'skip',
      entireDomain: true,
      subdomains: true,
      external: true,
      ignoreRobots: true,
      concurrency: '3',
      delay: '0.5',
      format: ['markdown,links'],
      fullPage: true,
      header: ['X-A: b:c'],
      timeout: '5000',
      insecure: true,
      options: '{"regexOnFullURL": true, "scrapeOptions": {"waitFor": 100}}',
    })
    expect(check(schemas.crawl, request)).toMatchObject({
      url: 'https://a.test/',
      limit: 5,
      includePaths: ['^/docs', 'x'],
      excludePaths: ['y'],
      maxDiscoveryDepth: 2,
      sitemap: 'skip',
      crawlEntireDomain: true,
      allowSubdomains: true,
      allowExternalLinks: true,
      ignoreRobotsTxt: true,
      maxConcurrency: 3,
      delay: 0.5,
      regexOnFullURL: true,
      scrapeOptions: {
        formats: [{ type: 'markdown' }, { type: 'links' }],
        onlyMainContent: false,
        headers: { 'x-a': 'b:c' },
        timeout: 5_000,
        skipTlsVerification: true,
        waitFor: 100,
      },
    })
    expect(toCrawl('a.test', {})).toEqual({ url: 'a.test', scrapeOptions: { formats: ['markdown'] } })
  })

  test('for a batch are those of the engine', () => {
    const flags = { concurrency: '2', ignoreInvalid: true, format: ['html'], options: '{"maxAge": 5}' }
    expect(check(schemas.batch, toBatch(['a.test', 'no url'], flags))).toMatchObject({
      urls: ['a.test', 'no url'],
      maxConcurrency: 2,
      ignoreInvalidURLs: true,
      formats: [{ type: 'html' }],
      maxAge: 5,
    })
  })

  test('for a search are those of the engine', () => {
    const flags = {
      limit: '7',
      source: ['web', 'news'],
      tbs: 'qdr:w',
      country: 'de',
      lang: 'de',
      includeDomain: ['a.test'],
      format: ['markdown'],
      timeout: '900',
      options: '{"safe": true}',
    }
    expect(toSearch('long legs', flags)).toEqual({
      query: 'long legs',
      limit: 7,
      sources: ['web', 'news'],
      tbs: 'qdr:w',
      country: 'de',
      lang: 'de',
      includeDomains: ['a.test'],
      scrapeOptions: { formats: ['markdown'] },
      timeout: 900,
      safe: true,
    })
    expect(toSearch('legs', {})).toEqual({ query: 'legs' })
  })

  test('for a map are those of the engine', () => {
    const flags = {
      search: 'legs',
      limit: '7',
      sitemap: 'only',
      subdomains: false,
      keepQuery: true,
      fresh: true,
      timeout: '900',
    }
    expect(toMap('a.test', flags)).toEqual({
      url: 'a.test',
      search: 'legs',
      limit: 7,
      sitemap: 'only',
      includeSubdomains: false,
      ignoreQueryParameters: false,
      ignoreCache: true,
      timeout: 900,
    })
    expect(toMap('a.test', { subdomains: true })).toEqual({ url: 'a.test' })
  })

  test.each([
    [0, {}, /Pass a URL, or --resume/],
    [1, { resume: 'x' }, /Omit the URL/],
  ])('name what is to be done once: %i addresses with %j are refused', (urls, flags, message) => {
    expect(() => checkTarget('crawl', urls, flags)).toThrow(message)
  })

  test('of a number that is none are refused by the engine, by its name for it', () => {
    expect(() => check(schemas.crawl, toCrawl('a.test', { limit: 'many' }))).toThrow(/limit/)
  })
})

describe('The addresses of a batch', () => {
  test('are words, files with one a line, and what is piped in', () => {
    const file = join(folder, 'urls.txt')
    writeFileSync(file, '# mine\nhttps://a.test/1\r\n\n  https://a.test/2  \n')
    const words = ['https://b.test', file, '-', 'c.test']
    expect(readUrls(words, () => Buffer.from('https://d.test\n'))).toEqual([
      'https://b.test',
      'https://a.test/1',
      'https://a.test/2',
      'https://d.test',
      'c.test',
    ])
  })

  test('are refused where one is a file that does not exist', () => {
    expect(() => readUrls(['nowhere.txt'], () => new Uint8Array())).toThrow('The file nowhere.txt does not exist.')
  })

  test('are not read from a file that has the name of one', () => {
    expect(readUrls(['https://a.test/urls.txt'], () => new Uint8Array())).toEqual(['https://a.test/urls.txt'])
  })
})

describe('The pages of a job', () => {
  const page = (name: string, more: object = {}): AnyDocument => ({
    markdown: `# ${name}`,
    metadata: {
      title: `${name}\n  page`,
      sourceURL: `https://a.test/${name}`,
      url: `https://a.test/${name}`,
      statusCode: 200,
      scrapeId: name,
      proxyUsed: 'basic',
      creditsUsed: 1,
    },
    ...more,
  })

  test('are a line each for people', async () => {
    const { said, ...given } = shell()
    const outlet = await openOutlet({}, ['markdown'], given)
    await outlet.take(page('one'))
    await outlet.take(page('two'))
    expect(said.out).toBe('200  https://a.test/one  one page\n200  https://a.test/two  two page\n')
  })

  test('are documents with --json, one a line', async () => {
    const { said, ...given } = shell()
    const outlet = await openOutlet({ json: true }, ['markdown'], given)
    await outlet.take(page('one'))
    await outlet.take(page('two'))
    expect(
      said.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([page('one'), page('two')])
  })

  test('are lines of a file with -o', async () => {
    const { said, ...given } = shell()
    const file = join(folder, 'pages.ndjson')
    writeFileSync(file, 'old')
    const outlet = await openOutlet({ output: file }, ['markdown'], given)
    await outlet.take(page('one'))
    await outlet.take(page('two'))
    await outlet.close()
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([page('one'), page('two')])
    expect([said.out, outlet.place]).toEqual(['', file])
    await expect(openOutlet({ output: join(folder, 'no', 'file') }, [], given)).rejects.toThrow(/cannot be written/)
  })

  test('are files of their kind with --out, and documents when there is more than text', async () => {
    const out = join(folder, 'out')
    const text = await openOutlet({ out }, ['markdown'], shell())
    await text.take(page('one'))
    await text.take({ metadata: page('bare').metadata })
    const whole = await openOutlet({ out, json: true }, ['markdown'], shell())
    await whole.take(page('two'))
    const many = await openOutlet({ out }, ['markdown', 'html'], shell())
    await many.take(page('three'))
    expect(readdirSync(out).toSorted()).toEqual([
      'a.test_bare.json',
      'a.test_one.md',
      'a.test_three.json',
      'a.test_two.json',
    ])
    expect(readFileSync(join(out, 'a.test_one.md'), 'utf8')).toBe('# one\n')
    expect(JSON.parse(readFileSync(join(out, 'a.test_two.json'), 'utf8'))).toEqual(page('two'))
  })
})

test('The last line says how a job ended and what came of it', () => {
  const status = { status: 'completed', outcome: 'completed', total: 1, completed: 1, failed: 0 } as ListedJob
  const told = { name: 'crawl', took: 1_500, left: 0, place: undefined }
  expect(summary(status, told)).toBe('crawl completed: 1 page, 2 s.\n')
  const partly = { ...status, outcome: 'completed_with_failures', total: 13, completed: 9, failed: 4 } as const
  expect(summary(partly, told)).toBe('crawl completed with failures: 9 of 13 pages, 4 failed, 2 s.\n')
  const failed = {
    ...status,
    status: 'failed',
    outcome: 'failed',
    total: 5,
    completed: 3,
    failed: 2,
    error: 'The store is full.',
  } as const
  expect(summary(failed, { ...told, left: 4, place: 'out' })).toBe(
    'crawl failed: 3 of 5 pages in out, 2 failed, 4 disallowed by robots.txt, 2 s. The store is full.\n',
  )
})

test('The list of jobs says when a job completed with failures', () => {
  const job = { id: 'id', kind: 'batch', status: 'completed', completed: 9, failed: 4, total: 13, creditsUsed: 9 }
  const line = (outcome: string): string =>
    lineOf({ ...job, outcome, createdAt: new Date().toISOString() } as ListedJob, shell())
  expect(line('completed_with_failures')).toMatch(
    /^id {2}batch +! completed with failures +13\/13 +9 credits .* 4 failed/,
  )
  expect(line('completed')).toMatch(/^id {2}batch +✓ completed +13\/13 /)
})

test.each([
  ['conflict', exitCodes.usage],
  ['not_found', exitCodes.usage],
] as const)('An error of the kind %s ends with %i and its sentence', (code, expected) => {
  const { said, ...given } = shell()
  expect(report(new EngineError(code, 'So it is.'), given)).toBe(expected)
  expect(said.err).toBe('So it is.\n')
})

test('A store that cannot be reached ends with 7, and so does a server', () => {
  const { said: _, ...given } = shell()
  const away = new EngineError('connection_failed', 'No server.', { details: { isOfServer: true } })
  expect(report(new EngineError('store_failed', 'No store.'), given)).toBe(exitCodes.unavailable)
  expect(report(away, given)).toBe(exitCodes.unavailable)
  expect(report(new EngineError('connection_failed', 'No page.'), given)).toBe(exitCodes.notLoaded)
})

test('A store that fails is named without its credentials', async () => {
  const { said, ...given } = shell()
  const failed = onStore({ store: 'redis://user:secret@db.test:6379' }, () =>
    Promise.reject(new EngineError('store_failed', 'Redis failed.')),
  )
  report(await failed.catch((error: unknown) => error), given)
  expect(said.err).toContain('redis://db.test:6379')
  expect(said.err).not.toContain('secret')
})

test('A missing port is reported with the setting or program that provides it, not with an option of the library', () => {
  const { said, ...given } = shell()
  for (const port of [browserPort, llmPort, proxiesPort, searchPort, sessionsPort])
    expect(report(missingPort(port, 'This'), given)).toBe(exitCodes.notConfigured)
  expect(said.err).toMatch(/HARVESTMAN_BROWSER[^]*OPENAI_API_KEY[^]*HARVESTMAN_PROXY_ENHANCED[^]*SEARXNG_ENDPOINT/)
  expect(said.err).not.toContain('createEngine')
})
