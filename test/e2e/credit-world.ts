// One store, many teams, and engines that are cut off at any write, one after the other: scrapes, batches, crawls, maps,
// searches and extracts of a made-up web whose pages cost different things. In the end the sums are compared.
import { answers } from '@harvestman/answers'
import { createEngine, EngineError, memoryStore, staticProxies, type Engine } from '@harvestman/core'
import { defineFormat, defineParser, definePlugin } from '@harvestman/core/plugin'
import type { MakeFetcher, Store } from '@harvestman/ports'
import { scriptedSearch } from '@harvestman/testing'

export interface WorldResult {
  readonly teams: number
  readonly works: number
  readonly crashes: number
  /** How often each kind of thing happened. */
  readonly seen: Readonly<Record<string, number>>
  /** What is wrong, a sentence each. */
  readonly faults: readonly string[]
}

type Dice = (below: number) => number

/** The same numbers for the same seed. */
function random(seed: number): Dice {
  let state = Math.imul(seed, 2_654_435_761) + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

/** A store that takes so many writes, and then none; half of the time the last one is taken and its answer lost. */
function dying(store: Store, writes: number, losesAnswer: boolean, died: () => void): Store {
  let left = writes
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    left -= 1
    if (left === 0) died()
    if (left === 0 && losesAnswer) await work()
    if (left <= 0) throw new EngineError('closed', 'The store was closed.')
    return work()
  }
  const { add } = store
  return {
    ...store,
    set: (...given) => write(() => store.set(...given)),
    update: (...given) => write(() => store.update(...given)),
    ...(add && { add: (...given: Parameters<typeof add>) => write(() => add(...given)) }),
    close: async () => undefined,
  }
}

const text = (body: string): Uint8Array => new TextEncoder().encode(body)
const pageOf = (name: string): string =>
  `<title>${name}</title><main><h1>${name}</h1><p>Some words of ${name}.</p>${[1, 2, 3].map((n) => `<a href="/page/${name}${n}">${n}</a>`).join('')}</main>`

/** The web of all worlds: what an address does stands in it. */
const web: MakeFetcher = () => {
  const asked = new Map<string, number>()
  return {
    exchange: async ({ url, proxy }, signal) => {
      const [, kind = '', name = ''] = url.pathname.split('/')
      const times = (asked.get(url.href) ?? 0) + 1
      asked.set(url.href, times)
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      if (kind === 'broken') throw new EngineError('tls_failed', 'The certificate is old.')
      if (kind === 'flaky' && times % 2 === 1) throw new EngineError('connection_failed', 'The host hung up.')
      const isWalled = kind === 'walled' && !proxy?.url.includes('enhanced')
      const status = isWalled
        ? 403
        : kind === 'page' || kind === 'flaky' || kind === 'file' || kind === 'walled'
          ? 200
          : 404
      const type = kind === 'file' ? 'application/x-pages' : 'text/html; charset=utf-8'
      const body = text(kind === 'file' ? name : pageOf(name))
      return { status, headers: [['content-type', type] as const], body }
    },
    close: async () => undefined,
  }
}

/** A file of as many pages as its body says; and a format that asks a model for as many tokens. */
const mostPages = 12
const plugin = definePlugin({
  name: 'priced',
  parsers: [
    defineParser({
      name: 'pages',
      accepts: ['application/x-pages'],
      maxUnits: () => mostPages,
      parse: (bytes) => ({ html: '<p>A file.</p>', units: Number(new TextDecoder().decode(bytes)) }),
    }),
  ],
  formats: [
    defineFormat({
      type: 'dear',
      needs: {},
      derive: (_, { page, use }) => {
        use({ inputTokens: page.url.length % 4, outputTokens: 0 })
        return page.url
      },
      credits: (_, { inputTokens }) => inputTokens,
      creditsAtMost: () => 3,
    }),
  ],
})

const open = (store: Store): Engine =>
  createEngine({
    store,
    fetcher: web,
    plugins: [plugin, answers],
    proxies: staticProxies({ basic: [{ url: 'http://basic.test:1' }], enhanced: [{ url: 'http://enhanced.test:1' }] }),
    search: scriptedSearch({ web: ({ words }) => hits(words.length % 14) }),
    limits: { leaseTime: 100, inlineBytes: 1_000_000 },
  })

const hits = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ url: `https://a.test/page/hit${at}`, title: `Hit ${at}` }))

/** What one team did, and what it knows of it. */
interface Books {
  readonly team: string
  /** Absent when the team has no bound. */
  readonly granted: number | undefined
  /** The most that each job may cost. */
  readonly jobs: Map<string, number>
  /** Those of them whose opening was cut off before it could be answered. */
  readonly unheard: Set<string>
  /** What single work is known to have cost. */
  paid: number
  /** What may have been paid for although its caller was told that it failed: its engine was cut off. */
  unsure: number
}

interface World {
  readonly engine: Engine
  readonly dice: Dice
  readonly note: (what: string) => void
  readonly isCut: () => boolean
  readonly faults: string[]
}

/** An address of the made-up web; few of them, so that kept pages are met again. */
function someUrl(dice: Dice): string {
  const kind = ['page', 'page', 'page', 'file', 'walled', 'broken', 'flaky', 'missing'][dice(8)] ?? 'page'
  return `https://${['a', 'b'][dice(2)]}.test/${kind}/${kind === 'file' ? 1 + dice(mostPages) : dice(2)}`
}

function pageOptions(dice: Dice, note: World['note']): object {
  const proxy = (['basic', 'basic', 'auto', 'enhanced'] as const)[dice(4)]
  const options = {
    proxy,
    formats: dice(3) === 0 ? ['markdown', 'dear'] : ['markdown'],
    ...(dice(4) > 0 && { maxAge: 3_600_000 }),
    ...(dice(6) === 0 && { zeroDataRetention: true }),
  }
  note(`proxy ${proxy}`)
  return options
}

async function scrapeOne({ engine, dice, note, isCut, faults }: World, books: Books): Promise<void> {
  const { team } = books
  const request = { url: someUrl(dice), ...pageOptions(dice, note) }
  const { min, max = 0 } = engine.preview('scrape', request)
  const stop = new AbortController()
  if (dice(6) === 0) setImmediate(() => stop.abort())
  try {
    const { metadata } = await engine.unchecked.scrape(request, { team, signal: stop.signal })
    const { creditsUsed, cacheState, proxyUsed } = metadata
    books.paid += creditsUsed
    if (creditsUsed > max || creditsUsed < min) faults.push(`${request.url} cost ${creditsUsed}, not ${min} to ${max}`)
    if (cacheState === 'hit') note('kept page')
    if (proxyUsed === 'stealth') note('enhanced proxy')
    if (request.url.includes('/file/')) note('file of pages')
  } catch (error) {
    const isCancelled = stop.signal.aborted
    note(isCancelled ? 'cancelled scrape' : EngineError.is(error) ? `scrape ${error.code}` : 'scrape failed')
    if (isCut() || isCancelled) books.unsure += max
  }
}

async function mapOne({ engine, isCut, note }: World, books: Books): Promise<void> {
  try {
    const { creditsUsed } = await engine.unchecked.map({ url: 'https://a.test/page/1', limit: 3 }, { team: books.team })
    books.paid += creditsUsed
    note('map')
  } catch {
    if (isCut()) books.unsure += 1
  }
}

async function searchOne({ engine, dice, isCut, note, faults }: World, books: Books): Promise<void> {
  const scrapeOptions = dice(2) === 0 ? { scrapeOptions: { formats: ['markdown'] } } : {}
  const request = { query: 'x'.repeat(1 + dice(13)), limit: 5, ...scrapeOptions }
  const { max = 0 } = engine.preview('search', request)
  try {
    const { creditsUsed } = await engine.unchecked.search(request, { team: books.team })
    books.paid += creditsUsed
    if (creditsUsed > max) faults.push(`a search cost ${creditsUsed}, more than ${max}`)
    note('search')
  } catch {
    // Pages that were scraped for it are paid for by themselves.
    if (isCut()) books.unsure += max
  }
}

async function openJob({ engine, dice, note, faults }: World, books: Books): Promise<void> {
  const { team } = books
  const cap = dice(3) === 0 ? { maxCredits: 1 + dice(12) } : {}
  const kind = (['batch', 'batch', 'crawl', 'extract'] as const)[dice(4)] ?? 'batch'
  const urls = Array.from({ length: 1 + dice(6) }, () => someUrl(dice))
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const request =
    kind === 'batch'
      ? { urls, ...pageOptions(dice, note), ...cap }
      : kind === 'extract'
        ? { urls, schema, ...cap }
        : { url: 'https://b.test/page/1', limit: 1 + dice(5), scrapeOptions: { formats: ['markdown'] }, ...cap }
  const { max = Infinity } = engine.preview(kind, request)
  const { batch, crawl, start } = engine.unchecked
  const doors = { batch, crawl, extract: (request: object, call: object) => start('extract', request, call) }
  const job = await doors[kind](request, { team }).catch(() => undefined)
  if (!job) return note(`${kind} refused`)
  books.jobs.set(job.id, max)
  note(kind)
  if (cap.maxCredits !== undefined) note('maxCredits')
  if (cap.maxCredits !== undefined && max > cap.maxCredits) faults.push(`the preview of ${job.id} passes its cap`)
  if (dice(5) === 0) {
    note('cancelled job')
    await job.cancel().catch(() => undefined)
  }
}

async function live(world: World, books: Books, isLast: boolean): Promise<void> {
  const { engine, dice } = world
  const works: Promise<void>[] = []
  for (let left = isLast ? 0 : 2 + dice(4); left > 0; left -= 1) {
    const work = [scrapeOne, scrapeOne, scrapeOne, openJob, openJob, mapOne, searchOne][dice(7)] ?? scrapeOne
    works.push(work(world, books))
    if (dice(2) === 0) await Promise.all(works)
  }
  await Promise.all(works)
  const { team, jobs } = books
  for (const id of jobs.keys()) await (await engine.jobs.find(id, { team })).end()
  // Also those of which the team never heard.
  if (isLast) await endRunning(engine, team)
}

async function endRunning(engine: Engine, team: string): Promise<void> {
  for (const { id } of await engine.jobs.running({ team })) await (await engine.jobs.find(id, { team })).end()
}

/** Engines, each of which is cut off but the last. */
const lives = 4

export async function runWorld(seed: number, teams: number): Promise<WorldResult> {
  const dice = random(seed)
  const store = memoryStore()
  const seen: Record<string, number> = {}
  const note = (what: string): void => void (seen[what] = (seen[what] ?? 0) + 1)
  const faults: string[] = []
  const all: Books[] = Array.from({ length: teams }, (_, at) => {
    const granted = dice(6) === 0 ? undefined : 10 + dice(120)
    return { team: `team${at}`, granted, jobs: new Map(), unheard: new Set(), paid: 0, unsure: 0 }
  })
  for (let life = 0; life < lives; life += 1) {
    const isLast = life === lives - 1
    const cut = Promise.withResolvers<void>()
    let isCut = false
    const died = (): void => {
      isCut = true
      // What was begun goes on for a moment, as it would elsewhere while a connection is lost.
      setTimeout(cut.resolve, 5)
    }
    const engine = open(isLast ? store : dying(store, 10 + dice(60 * teams), dice(2) === 0, died))
    if (life === 0) {
      const bound = all.filter(({ granted }) => granted !== undefined)
      const granting = open(store)
      for (const { team, granted = 0 } of bound) await granting.ledger.grant({ team, credits: granted, id: 'one' })
      await granting.close()
    }
    const world = { engine, dice, note, faults, isCut: () => isCut }
    const working = Promise.all(all.map((books) => live(world, books, isLast).catch(rethrowUnless(() => isCut))))
    await Promise.race([working, ...(isLast ? [] : [cut.promise])])
    // A job whose opening was cut off may have begun after its team listed the running ones.
    if (isLast) for (const { team } of all) await endRunning(engine, team)
    isCut = !isLast
    await engine.close().catch(() => undefined)
    await working
  }
  const reader = readerOf(store)
  await addUnheard(store, reader, all)
  for (const books of all) faults.push(...(await judge(reader, books, note)))
  await reader.close()
  const works = Object.values(seen).reduce((sum, count) => sum + count, 0)
  return { teams, works, crashes: lives - 1, seen, faults }
}

function rethrowUnless(isCut: () => boolean): (error: unknown) => void {
  return (error) => {
    if (!isCut()) throw error
  }
}

/** Hours later: what no engine settled was given back. */
function readerOf(store: Store): Engine {
  const clock = { now: () => Date.now() + 7_200_000, sleep: () => new Promise<void>(() => undefined) }
  return createEngine({ store: { ...store, close: async () => undefined }, clock, works: false, plugins: [answers] })
}

/** Adds the jobs of which no caller ever heard, because their engine was cut off before it could answer. */
async function addUnheard(store: Store, reader: Engine, all: readonly Books[]): Promise<void> {
  const heard = new Set(all.flatMap(({ jobs }) => [...jobs.keys()]))
  for await (const entries of store.scan?.('job/') ?? []) {
    for (const { key } of entries) {
      const id = /^job\/([^/]+)$/.exec(key)?.[1]
      if (id === undefined || heard.has(id)) continue
      for (const { team, jobs, unheard } of all) {
        const isTheirs = await reader.jobs.find(id, { team }).then(
          () => true,
          () => false,
        )
        if (!isTheirs) continue
        jobs.set(id, Infinity)
        unheard.add(id)
      }
    }
  }
}

async function judge(
  reader: Engine,
  { team, granted, jobs, unheard, paid, unsure }: Books,
  note: World['note'],
): Promise<string[]> {
  const faults: string[] = []
  const fault = (sentence: string): void => void faults.push(`${team}: ${sentence}`)
  let used = paid
  for (const [id, max] of jobs) {
    const { creditsUsed, status } = await (await reader.jobs.find(id, { team })).status()
    used += creditsUsed
    note(`job ${status}`)
    // One that was cut off in the middle of its opening, of which no caller was told, never began.
    const isHeard = !unheard.has(id)
    if (status === 'scraping' && (isHeard || creditsUsed > 0)) fault(`${id} has not ended`)
    if (creditsUsed > max) fault(`${id} used ${creditsUsed}, more than ${max}`)
  }
  const account = await reader.ledger.account(team)
  const { credits, held } = account
  if (held !== 0) fault(`${held} are still held`)
  if (granted !== undefined && (credits ?? -1) < 0) fault(`the balance is ${credits}`)
  if (granted !== undefined && credits !== granted - account.used)
    fault(`of ${granted} ${account.used} were used, ${credits} are left`)
  const unknown = account.used - used
  if (unknown < 0 || unknown > unsure)
    fault(`the ledger counts ${account.used}, the work ${used}, and ${unsure} are not sure`)
  return faults
}
