// @module-tag long
import { execFile, fork } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { createEngine, type EngineOptions } from '@harvestman/core'
import { handClock, queryFor, searchContract, withoutCases } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { pageIndex, type PageIndex, type PageIndexOptions } from '../src/index.ts'
import { serveSite } from './site.ts'
import { openTeamIndex } from '../src/pages/database.ts'
import type { IndexedPage } from '../src/pages/rows.ts'

const site = serveSite()
const { bodies, cleanups } = site

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'page-index-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A page at a path of the server. */
function page(path: string, text: string, title = path): string {
  bodies.set(path, `<title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`)
  return site.origin + path
}

function open(options: PageIndexOptions = {}, more: EngineOptions = {}) {
  const index = pageIndex(options)
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], search: index, ...more, plugins: [index.plugin] })
  cleanups.push(() => engine.close())
  const paths = async (query: string, team?: string): Promise<readonly string[]> =>
    ((await engine.search({ query, limit: 100 }, { team })).web ?? []).map(({ url }) => url.replace(site.origin, ''))
  return { index, engine, paths }
}

/** Puts a page in as an engine does that has scraped it. */
async function put(
  index: PageIndex,
  { url, title, markdown }: Pick<IndexedPage, 'url' | 'title' | 'markdown'>,
  team = 'a',
): Promise<void> {
  const clock = { now: () => Date.now() }
  await index.plugin.keepers[0]?.keep({ markdown, metadata: { title } }, {
    team,
    page: { url, status: 200 },
    clock,
  } as never)
}

describe('pageIndex keeps the contract of the port', () => {
  const silent = 'a search that is silent rejects with the reason of the signal as soon as it is aborted'
  for (const { name, run } of withoutCases(searchContract, { [silent]: 'the thread of the index answers at once' }))
    test(name, () =>
      run(async ({ pages }) => {
        const index = pageIndex()
        cleanups.push(() => index.plugin.close?.())
        if (pages === 'silence') throw new Error('not asked for')
        for (const { url, title, description = '' } of pages) await put(index, { url, title, markdown: description })
        return index
      }),
    )
})

describe('what was scraped', () => {
  test('is found at once, with the words around those that are looked for', async () => {
    const { engine } = open()
    const text = `${'Nothing to see. '.repeat(100)}An orb weaver spins a web of silk. ${'Nothing more. '.repeat(100)}`
    await engine.scrape({ url: page('/orb', text, 'Weavers') })
    const { web, creditsUsed, warning } = await engine.search({ query: 'silk web' })
    expect(web).toMatchObject([{ url: `${site.origin}/orb`, title: 'Weavers', position: 1 }])
    expect(web?.[0]?.description).toMatch(/^… .*orb weaver spins a web of silk.* …$/)
    expect(web?.[0]?.description.length).toBeLessThan(320)
    expect([creditsUsed, warning]).toEqual([2, undefined])
  })

  test('is what it was when it was scraped last, and there once', async () => {
    const { engine, paths } = open()
    await engine.scrape({ url: page('/again', 'It is about beetles.') })
    await engine.scrape({ url: `${page('/again', 'It is about crickets.')}#part` })
    expect([await paths('beetles'), await paths('crickets')]).toEqual([[], ['/again']])
  })

  test('is found when a crawl or a batch did it', async () => {
    const { engine, paths } = open()
    const job = await engine.batch({ urls: [page('/b1', 'A batch of moths.'), page('/b2', 'More moths.')] })
    await job.end()
    expect((await paths('moths')).toSorted()).toEqual(['/b1', '/b2'])
  })

  test('is found whatever format was asked for', async () => {
    const { engine, paths } = open()
    await engine.scrape({ url: page('/links', 'Only links of mantises.'), formats: ['links'] })
    expect(await paths('mantises')).toEqual(['/links'])
  })

  test('is never found by another team', async () => {
    const { engine, paths } = open()
    await engine.scrape({ url: page('/secret', 'A secret of ants.') }, { team: 'a' })
    for (const team of ['b', 'A', 'a ', 'a\0', '../a', "a' OR 1=1"])
      expect(await paths('secret ants', team)).toEqual([])
    expect(await paths('secret ants', 'a')).toEqual(['/secret'])
  })

  test('is left out where nothing may be kept, the page is personal, or there is none', async () => {
    const { engine, paths } = open()
    const urls = ['/zdr', '/copy', '/headers'].map((path) => page(path, 'A wasp.'))
    await engine.scrape({ url: urls[0]!, zeroDataRetention: true })
    await engine.scrape({ url: urls[1]!, storeInCache: false })
    await engine.scrape({ url: urls[2]!, headers: { cookie: 'session=1' } })
    await engine.scrape({ url: `${site.origin}/none-spider` })
    expect([await paths('wasp'), await paths('spider')]).toEqual([[], []])
  })

  test('costs nothing that a request pays for, and does not change the document', async () => {
    const { engine } = open()
    const plain = createEngine({ allowPrivate: ['127.0.0.0/8'] })
    cleanups.push(() => plain.close())
    const request = { url: page('/same', 'The same.'), formats: ['links'] } as const
    const [one, other] = [await engine.scrape(request), await plain.scrape(request)]
    const id = { scrapeId: '' }
    expect({ ...one, metadata: { ...one.metadata, ...id } }).toEqual({
      ...other,
      metadata: { ...other.metadata, ...id },
    })
  })
})

describe('what is forgotten', () => {
  test('is what is older than its life, and comes back when it is scraped again', async () => {
    const clock = handClock()
    const { engine, paths } = open({ life: 1_000 }, { clock })
    await engine.scrape({ url: page('/old', 'A cicada.') })
    expect(await paths('cicada')).toEqual(['/old'])
    await clock.pass(1_001)
    expect(await paths('cicada')).toEqual([])
    await engine.scrape({ url: page('/old', 'A cicada.') })
    expect(await paths('cicada')).toEqual(['/old'])
  })

  test('is the oldest when there are more pages, or more text, than are kept', async () => {
    const { engine, paths } = open({ pages: 3 })
    for (const name of ['1', '2', '3', '4', '5']) await engine.scrape({ url: page(`/many/${name}`, 'A locust.') })
    expect((await paths('locust')).toSorted()).toEqual(['/many/3', '/many/4', '/many/5'])
    const small = open({ bytes: 3_000 })
    for (const name of ['1', '2', '3'])
      await small.engine.scrape({ url: page(`/large/${name}`, `A gnat. ${'x '.repeat(600)}`) })
    expect((await small.paths('gnat')).toSorted()).toEqual(['/large/2', '/large/3'])
  })

  test('is a page, or all of a team, on request', async () => {
    const folder = newFolder()
    const { engine, index, paths } = open({ folder })
    for (const team of ['a', 'b'])
      for (const name of ['1', '2']) await engine.scrape({ url: page(`/fly/${name}`, 'A fly.') }, { team })
    await index.forget({ team: 'a', url: `${site.origin}/fly/1#x` })
    expect([await paths('fly', 'a'), (await paths('fly', 'b')).length]).toEqual([['/fly/2'], 2])
    await index.forget({ team: 'a' })
    expect([await paths('fly', 'a'), (await paths('fly', 'b')).length]).toEqual([[], 2])
    expect(readdirSync(folder).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1)
  })

  test('is the team that used its own the longest ago, where there are too many', async () => {
    const { engine, paths } = open({ folder: newFolder(), teams: 2 })
    for (const team of ['a', 'b', 'c']) {
      await engine.scrape({ url: page(`/team/${team}`, 'A louse.') }, { team })
      await paths('louse', team)
    }
    expect([await paths('louse', 'a'), await paths('louse', 'c')]).toEqual([[], ['/team/c']])
  })
})

describe('on disk', () => {
  test('an index is there for the next engine', async () => {
    const folder = newFolder()
    const first = open({ folder })
    await first.engine.scrape({ url: page('/kept', 'A kept cockroach.') })
    await first.engine.close()
    expect(await open({ folder }).paths('cockroach')).toEqual(['/kept'])
  })

  test('an index that cannot be read is made anew', async () => {
    const folder = newFolder()
    const first = open({ folder })
    await first.engine.scrape({ url: page('/lost', 'A lost bug.') })
    await first.engine.close()
    const [file = ''] = readdirSync(folder)
    for (const part of ['-wal', '-shm']) rmSync(join(folder, file + part), { force: true })
    writeFileSync(join(folder, file), 'This is no database, however long it is. '.repeat(1_000))
    const second = open({ folder })
    await second.engine.scrape({ url: page('/found', 'A found bug.') })
    expect(await second.paths('bug')).toEqual(['/found'])
  })

  test('many scrapes of one page at the same time leave it there once, with two engines on one folder', async () => {
    const folder = newFolder()
    const [one, other] = [open({ folder }), open({ folder })]
    const url = page('/busy', 'A busy bee.')
    await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 ? one : other).engine.scrape({ url })))
    expect([await one.paths('busy bee'), await other.paths('busy bee')]).toEqual([['/busy'], ['/busy']])
  })

  test('a process that has searched ends by itself, though it does not close the index', async () => {
    const source = `
      import { pageIndex } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
      console.log(await pageIndex().find(${JSON.stringify(queryFor())}, AbortSignal.timeout(60_000)))`
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', source]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
    expect(stdout).toBe('[]\n')
  })

  test('a process that is killed in the middle of writes leaves a whole index', { tags: ['long'] }, async () => {
    const folder = newFolder()
    for (let round = 0; round < 3; round += 1) {
      const child = fork(join(import.meta.dirname, 'writer.ts'), [folder, String(round)], { execArgv: [] })
      await new Promise<void>((ready) => child.once('message', () => ready()))
      child.kill('SIGKILL')
      await new Promise((gone) => child.once('exit', gone))
    }
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.sqlite'))
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    const database = new DatabaseSync(join(folder, file))
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    database.exec("INSERT INTO words (words) VALUES ('integrity-check')")
    const count = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']
    const pages = Number(count('pages'))
    expect(pages).toBeGreaterThan(0)
    // Every page is found by its word, and every word leads to a page.
    expect(database.prepare("SELECT count(*) AS n FROM words WHERE words MATCH 'earwig'").get()?.['n']).toBe(pages)
    database.close()
    expect((await open({ folder }).paths('earwig', 'a')).length).toBe(Math.min(100, pages))
  })
})

describe('the words of a query', () => {
  const at = Date.now()
  const find = async (
    pages: readonly Partial<IndexedPage>[],
    words: string,
    query: Parameters<typeof queryFor>[0] = {},
  ) => {
    const index = openTeamIndex(':memory:', { pages: 1_000, bytes: 1e7, life: 1e12, vectors: 1 })
    const usual = { title: '', markdown: '', language: '', version: '', at }
    index.put(pages.map((one, place) => ({ ...usual, url: `https://a.example/${place}`, ...one })))
    const hits = await index.find({ query: queryFor({ words, ...query }), now: at }, new AbortController().signal)
    index.close()
    return hits.map(({ url }) => url.replace('https://a.example/', ''))
  }

  test('count more in a title than in an address, and there more than in the text', async () => {
    const filler = 'other words of some length '.repeat(20)
    const pages = [
      { markdown: `weaver ${filler}` },
      { title: 'Weaver', markdown: filler },
      { url: 'https://a.example/weaver', markdown: filler },
      { markdown: filler },
    ]
    expect(await find(pages, 'weaver')).toEqual(['1', 'weaver', '0'])
  })

  test('are found in other endings, cases and accents', async () => {
    const pages = [{ markdown: 'The spiders were spinning.' }, { markdown: 'Müller läuft nach Köln.' }]
    expect(await find(pages, 'SPIDER spin')).toEqual(['0'])
    expect(await find(pages, 'muller koln')).toEqual(['1'])
  })

  test('are found in languages without spaces', async () => {
    const pages = [
      { title: '蜘蛛の巣', markdown: '蜘蛛は糸で巣を作ります。' },
      { markdown: '中文网页爬虫抓取工具' },
      { markdown: 'แมงมุมทอใยบนต้นไม้' },
      { markdown: '거미는 거미줄을 만든다' },
      { markdown: 'ขนมไทย 中国' },
    ]
    expect(await find(pages, '蜘蛛')).toEqual(['0'])
    expect(await find(pages, '糸')).toEqual(['0'])
    expect(await find(pages, 'ます')).toEqual(['0'])
    expect(await find(pages, '爬虫')).toEqual(['1'])
    expect(await find(pages, '虫爬')).toEqual([])
    expect(await find(pages, 'แมงมุม')).toEqual(['2'])
    expect(await find(pages, '거미줄을')).toEqual(['3'])
    expect((await find(pages, '中')).toSorted()).toEqual(['1', '4'])
  })

  test('come first where all of them are, then where some are; those that tell nothing do not count', async () => {
    const pages = [
      { markdown: 'the red fox' },
      { markdown: 'the lazy dog' },
      { markdown: 'a red dog' },
      { markdown: 'the' },
    ]
    expect((await find(pages, 'the red dog'))[0]).toBe('2')
    expect((await find(pages, 'the red dog')).toSorted()).toEqual(['0', '1', '2'])
    expect(await find(pages, 'the')).toHaveLength(3)
  })

  test('in quotes stand side by side, and after a minus must not be there', async () => {
    const pages = [{ markdown: 'orb weaver spider' }, { markdown: 'weaver of an orb' }, { markdown: 'orb weaver wasp' }]
    expect((await find(pages, '"orb weaver"')).toSorted()).toEqual(['0', '2'])
    expect(await find(pages, '"orb weaver" -wasp')).toEqual(['0'])
    expect((await find(pages, 'orb -"weaver of"')).toSorted()).toEqual(['0', '2'])
  })

  test('are taken with the domains, the kinds and the times that were asked for', async () => {
    const day = 24 * 3_600_000
    const pages = [
      { url: 'https://a.example/x', markdown: 'fox' },
      { url: 'https://sub.b.example/paper.PDF', markdown: 'fox', at: at - 10 * day },
      { url: 'https://notb.example/', markdown: 'fox', at: at - 40 * day },
    ]
    const asked = async (query: Parameters<typeof queryFor>[0]) =>
      (await find(pages, 'fox', query)).map((url) => (url === 'x' ? 'https://a.example/x' : url))
    expect(await asked({ includeDomains: ['b.example'] })).toEqual([pages[1]!.url])
    expect(await asked({ excludeDomains: ['b.example', 'a.example'] })).toEqual([pages[2]!.url])
    expect(await asked({ categories: [{ name: 'pdf', sites: [], file: 'pdf' }] })).toEqual([pages[1]!.url])
    expect(await asked({ time: { within: 'week' } })).toEqual([pages[0]!.url])
    expect(await asked({ time: { to: new Date(at - 20 * day).toISOString().slice(0, 10) } })).toEqual([pages[2]!.url])
    expect(await asked({ newestFirst: true })).toEqual(pages.map(({ url }) => url))
  })
})
