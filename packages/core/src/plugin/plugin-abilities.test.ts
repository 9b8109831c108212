// What plugins can do, through the doors that everything comes through.
import { defineJob } from './job.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'

import { createEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/types.ts'
import type { EngineEvent, LLM, Value } from '@harvestman/ports'
import { failure, good, house, url } from '../scrape/fixtures/house.ts'
import { memoryStore } from '@harvestman/embedded'
import { llmPort } from './core-ports.ts'
import { markdown } from '../formats/markdown.ts'
import { defineField, defineFormat, defineKeeper, defineLoader, defineParser, definePlugin } from './define.ts'
import type { Format } from './field.ts'
import type { Page, Plugin } from './parts.ts'
import { definePort, providePort } from './port.ts'

function withFormat(format: Format, options: EngineOptions = {}) {
  return house(() => ({}), { plugins: [definePlugin({ name: 'own', formats: [format] })], ...options }).engine
}

const page: Page = {
  url,
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: new TextEncoder().encode(good),
  captured: {},
  actions: {},
  proxyUsed: 'basic',
  warnings: [],
}

const forever = (): Promise<string> => new Promise(() => undefined)

describe('a port of a plugin', () => {
  interface Glossary {
    readonly meaning: (word: string) => string
  }
  const glossary = definePort<Glossary>({ name: 'glossary', description: 'a glossary', remedy: 'Add glossaries().' })
  const meaning = defineFormat({
    type: 'meaning',
    needs: {},
    requires: { words: glossary },
    derive: (_, { ports }) => ports.words.meaning('bee'),
  })

  test('is given as it was provided', async () => {
    const ports = [providePort(glossary, { meaning: (word) => `a ${word}` })]
    const engine = withFormat(meaning, { ports })
    expect((await engine.unchecked.scrape({ url, formats: ['meaning'] }))['meaning']).toBe('a bee')
    expect(engine.capabilities()).toMatchObject({ ports: ['history', 'glossary'], formats: { meaning: true } })
  })

  test('that is missing is asked for in its own words', async () => {
    const error = await failure(withFormat(meaning).unchecked.scrape({ url, formats: ['meaning'] }))
    expect(error.message).toBe('The format meaning needs a glossary. Add glossaries().')
    expect(error).toMatchObject({ code: 'not_configured', details: { port: 'glossary' } })
  })
})

describe('a keeper', () => {
  const kept: string[] = []
  const shelf = defineKeeper({
    name: 'shelf',
    needs: { markdown },
    keep: async ({ markdown }, { team, page }) => void kept.push(`${team} ${page.url} ${markdown.length > 0}`),
  })
  const broken = defineKeeper({
    name: 'broken',
    needs: {},
    keep: () => Promise.reject(new Error('no room')),
  })
  const plugins = [definePlugin({ name: 'shelves', keepers: [shelf, broken] })]

  test('is given what it needs of every page that may be kept, whatever is asked for, and fails by itself', async () => {
    kept.length = 0
    const events: EngineEvent[] = []
    const { engine } = house(() => ({}), { plugins, observer: (event) => void events.push(event) })
    const document = await engine.unchecked.scrape({ url, formats: ['links'] }, { team: 'acme' })
    expect(kept).toEqual([`acme ${url} true`])
    expect(document).not.toHaveProperty('markdown')
    expect(events.filter(({ kind }) => kind === 'warning')).toMatchObject([
      { message: 'The keeper broken could not store its data: no room' },
    ])
  })

  test('is given nothing of a page that may not be kept, or that is personal', async () => {
    kept.length = 0
    const { engine } = house(() => ({}), { plugins })
    for (const more of [{ zeroDataRetention: true }, { storeInCache: false }, { headers: { cookie: 'a=1' } }])
      await engine.unchecked.scrape({ url, ...more })
    expect(kept).toEqual([])
  })
})

describe('what a derivation used of a model', () => {
  const llm: LLM = {
    ask: async () => ({ value: 'yes', calls: [], usage: { inputTokens: 100, outputTokens: 20 } }),
  }
  const asked = defineField({
    name: 'asked',
    needs: {},
    derive: (_, { use }) => use({ inputTokens: 1, outputTokens: 1 }),
  })
  const answer = defineFormat({
    type: 'answer',
    needs: { asked },
    requires: { llm: llmPort },
    derive: async (_, { ports, use, signal }) => {
      const { value, usage } = await ports.llm.ask({ prompt: 'Is it so?' }, signal)
      use(usage)
      use(usage)
      return value
    },
    credits: (_, { inputTokens, outputTokens }) => inputTokens * 1_000 + outputTokens,
  })

  test('is priced by the format, with what the fields it needs have used', async () => {
    const { metadata } = await withFormat(answer, { llm }).unchecked.scrape({ url, formats: ['answer'] })
    expect(metadata.creditsUsed).toBe(1 + 201 * 1_000 + 41)
  })
})

describe('a format that leaves something behind', () => {
  const count = defineFormat({
    type: 'count',
    needs: {},
    derive: async (_, { store, page, team }) => ({ before: (await store.get(page.url)) as number | undefined, team }),
    keep: async ({ before = 0 }, { store, page }) => store.set(page.url, before + 1),
  })
  const counted = async (engine: ReturnType<typeof withFormat>, team: string, more = {}): Promise<unknown> =>
    (await engine.unchecked.scrape({ url, formats: ['count'], ...more }, { team }))['count']

  test('finds it at the next scrape of the same team, and of no other', async () => {
    const engine = withFormat(count)
    expect(await counted(engine, 'a')).toEqual({ before: undefined, team: 'a' })
    expect(await counted(engine, 'a')).toEqual({ before: 1, team: 'a' })
    expect(await counted(engine, 'b')).toEqual({ before: undefined, team: 'b' })
  })

  test('leaves nothing for a request with zeroDataRetention, which may read what is there', async () => {
    const engine = withFormat(count)
    expect(await counted(engine, 'a', { zeroDataRetention: true })).toEqual({ before: undefined, team: 'a' })
    expect(await counted(engine, 'a')).toEqual({ before: undefined, team: 'a' })
    expect(await counted(engine, 'a', { zeroDataRetention: true })).toEqual({ before: 1, team: 'a' })
    expect(await counted(engine, 'a')).toEqual({ before: 1, team: 'a' })
  })

  test('has a corner of the store that no other plugin sees, for as long as the engine keeps it at most', async () => {
    const store = memoryStore()
    const ttls: (number | undefined)[] = []
    const watched = {
      ...store,
      set: (key: string, value: Value, options?: { readonly ttl?: number }) => (
        ttls.push(options?.ttl),
        store.set(key, value, options)
      ),
    }
    const options = { store: watched, keep: { plugins: 5_000 } }
    await counted(withFormat(count, options), 'a')
    expect(ttls).toContain(5_000)
    const other = definePlugin({ name: 'other', formats: [count] })
    expect(await counted(house(() => ({}), { ...options, plugins: [other] }).engine, 'a')).toMatchObject({
      before: undefined,
    })
  })

  test('is told of when it fails, and the document is there', async () => {
    const warnings: string[] = []
    const broken = defineFormat({
      type: 'broken',
      needs: {},
      derive: () => 'value',
      keep: () => Promise.reject(new Error('The disk is full.')),
    })
    const observer: EngineOptions['observer'] = (event) => event.kind === 'warning' && warnings.push(event.message)
    const document = await withFormat(broken, { observer }).unchecked.scrape({ url, formats: ['broken'] })
    expect(document['broken']).toBe('value')
    expect(warnings).toEqual(['The format broken could not store its data: The disk is full.'])
  })

  test('is told the key of the task', async () => {
    const tasks: string[] = []
    const format = defineFormat({
      type: 'told',
      needs: {},
      derive: () => 1,
      keep: async (_, { task }) => void tasks.push(task),
    })
    const { metadata } = await withFormat(format).unchecked.scrape({ url, formats: ['told'] })
    expect(tasks).toEqual([metadata.scrapeId])
  })
})

describe('a format that never ends', () => {
  // Its time is up as soon as all has begun: a busy machine may not have the tenth of a second that is left for the rest.
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => vi.useRealTimers())

  const derive = (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<string> => {
    const pass = (): void => {
      if (signal.aborted) return
      vi.advanceTimersToNextTimer()
      setImmediate(pass)
    }
    setImmediate(pass)
    return forever()
  }
  const slow = (onFailure: 'fail' | 'warn') => defineFormat({ type: 'slow', needs: {}, onFailure, derive })

  test('is named in the error', async () => {
    const error = await failure(
      withFormat(slow('fail')).unchecked.scrape({ url, timeout: 60_000, formats: ['slow', 'markdown'] }),
    )
    expect(error.code).toBe('timeout')
    expect(error.message).toContain('The format slow did not end within 60000 ms.')
  })

  test('is left out with a warning where it says so', async () => {
    const document = await withFormat(slow('warn')).unchecked.scrape({
      url,
      timeout: 60_000,
      formats: ['slow', 'markdown'],
    })
    expect(document).not.toHaveProperty('slow')
    expect(document['markdown']).toContain('Head')
    expect(document.warning).toBe('The format slow was left out: It did not end in time.')
  })
})

describe('a format that throws', () => {
  const broken = (onFailure: 'fail' | 'warn') =>
    defineFormat({
      type: 'broken',
      needs: {},
      onFailure,
      derive: (): string => {
        throw new Error('No.')
      },
    })

  test('is named in the error', async () => {
    const error = await failure(withFormat(broken('fail')).unchecked.scrape({ url, formats: ['broken'] }))
    expect(error).toMatchObject({ code: 'format_failed', details: { format: 'broken' } })
    expect(error.message).toContain('broken')
  })

  test('is left out with a warning where it says so', async () => {
    const document = await withFormat(broken('warn')).unchecked.scrape({ url, formats: ['broken'] })
    expect(document).not.toHaveProperty('broken')
    expect(document.warning).toBe('The format broken was left out: The plugin own has a bug.')
  })
})

describe('a loader of its own scheme', () => {
  const archive = defineLoader({
    name: 'archive',
    cost: 0,
    schemes: ['archive'],
    load: async ({ url: asked, team }) => ({ ...page, url: asked.href, headers: { ...page.headers, 'x-team': team } }),
  })
  const plugins = [definePlugin({ name: 'archives', loaders: [archive] })]

  test('is reached by addresses of that scheme, which others are not', async () => {
    const { engine, asked } = house(() => ({}), { plugins })
    const { metadata, ...document } = await engine.unchecked.scrape({ url: 'archive://2020/a.example' })
    expect(document['markdown']).toContain('Head')
    expect(metadata).toMatchObject({ sourceURL: 'archive://2020/a.example', url: 'archive://2020/a.example' })
    await engine.unchecked.scrape({ url })
    expect(asked.map((request) => request.url.href)).toEqual([url])
    await expect(engine.unchecked.batch({ urls: ['archive://2020/b.example'] })).resolves.toBeDefined()
    await engine.close()
  })

  test('is missing where no loader takes it', async () => {
    const error = await failure(house().engine.unchecked.scrape({ url: 'archive://2020/a.example' }))
    expect(error.code).toBe('invalid_request')
    expect(error.message).toContain('unsupported protocol')
  })
})

describe('a plugin that opens', () => {
  const opening = (steps: string[], fails: () => boolean = () => false): Plugin =>
    definePlugin({
      name: 'opening',
      open: async ({ store }) => {
        if (fails()) throw new Error('Not yet.')
        await store('a').set('opened', true)
        steps.push('open')
      },
      close: () => void steps.push('close'),
    })

  test('does so once before the first work, and closes with the engine', async () => {
    const steps: string[] = []
    const { engine } = house(() => (steps.push('asked'), {}), { plugins: [opening(steps)] })
    await Promise.all([engine.scrape({ url }), engine.scrape({ url: `${url}b` })])
    await engine.close()
    expect(steps).toEqual(['open', 'asked', 'asked', 'close'])
  })

  test('does so before a search, too: what is searched may be its own', async () => {
    const steps: string[] = []
    const find = async () => (steps.push('asked'), [])
    const search = { name: 'own', sources: ['web'], follows: [], find } as const
    const engine = createEngine({ plugins: [opening(steps)], search })
    await engine.search({ query: 'x' })
    await engine.close()
    expect(steps).toEqual(['open', 'asked', 'close'])
  })

  test('is not closed when it was never opened', async () => {
    const steps: string[] = []
    await house(() => ({}), { plugins: [opening(steps)] }).engine.close()
    expect(steps).toEqual([])
  })

  test('is tried again with the next work when it fails, and named', async () => {
    let isDown = true
    const { engine } = house(() => ({}), { plugins: [opening([], () => isDown)] })
    const error = await failure(engine.scrape({ url }))
    expect(error.message).toBe('The plugin opening could not be opened. See the cause.')
    isDown = false
    await expect(engine.scrape({ url })).resolves.toBeDefined()
  })

  test('that does not close keeps nothing else from closing, and the host is told', async () => {
    const warnings: string[] = []
    const steps: string[] = []
    const broken = definePlugin({ name: 'broken', close: () => Promise.reject(new Error('Stuck.')) })
    const plugins = [definePlugin({ name: 'first', close: () => void steps.push('first') }), broken]
    const observer: EngineOptions['observer'] = (event) => event.kind === 'warning' && warnings.push(event.message)
    await createEngine({ plugins, observer }).close()
    expect(warnings).toEqual(['The plugin broken could not be closed: Stuck.'])
    expect(steps).toEqual(['first'])
  })
})

describe('two parsers with one name', () => {
  const parser = (name: string) => defineParser({ name, accepts: ['text/x'], parse: () => ({ markdown: '' }) })
  const refusal = (plugins: readonly Plugin[]): unknown => {
    try {
      createEngine({ plugins })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  test.each([
    [
      'of two plugins',
      [
        ['one', 'x'],
        ['two', 'x'],
      ],
      'The plugins one and two both define "x" in parsers.',
    ],
    ['of a plugin and of core', [['one', 'binary']], 'The plugins one and harvestman both define "binary" in parsers.'],
  ])('%s are refused', (_, parsers, message) => {
    const plugins = parsers.map(([name = '', type = '']) => definePlugin({ name, parsers: [parser(type)] }))
    expect(refusal(plugins)).toContain(message)
  })
})

describe('A kind of job', () => {
  const named = (kind: string) =>
    definePlugin({
      name: 'own',
      jobs: [
        defineJob({
          kind,
          description: 'Does nothing.',
          request: z.strictObject({ url: z.url() }),
          answer: z.null(),
          example: { url: 'https://a.test/' },
          about: 'url',
          price: (_, { page }) => page(),
          run: async () => null,
        }),
      ],
    })

  test.each(['map', 'batch', 'team'])('that is called %s, as something of core, is refused', (kind) => {
    expect(() => createEngine({ plugins: [named(kind)] })).toThrow(`kind: ${kind} is a name of core`)
  })

  test.each(['Dead Links', '../x', '1', ''])('whose name cannot stand in a path is refused: %j', (kind) => {
    expect(() => createEngine({ plugins: [named(kind)] })).toThrow(/lowercase letters|has a wrong kind/)
  })

  test('with a name of its own is there', async () => {
    await using engine = createEngine({ plugins: [named('dead_links')] })
    expect(engine.kinds.map(({ kind }) => kind)).toEqual(['dead_links'])
  })
})

test('plugins stand between the engine and its ports, each before the one given before it', async () => {
  const asked: string[] = []
  const before = (name: string): Plugin =>
    definePlugin({
      name,
      ports: ({ fetcher, newId }) => ({
        fetcher: (guard) => {
          const inner = fetcher(guard)
          return {
            exchange: (request, signal) => {
              asked.push(name)
              return inner.exchange(request, signal)
            },
            close: () => inner.close(),
          }
        },
        newId: () => `${name} ${newId()}`,
      }),
    })
  const { engine } = house(() => ({ body: good }), { plugins: [before('one'), before('two')], newId: () => 'id' })
  const { metadata } = await engine.scrape({ url })
  expect(asked).toEqual(['two', 'one'])
  expect(metadata.scrapeId).toBe('two one id')
  await engine.close()
})
