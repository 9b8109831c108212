// The document of a repeated request is cached for servers, which only print it. All else about a request happens each time.
import { handClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import type { EngineEvent } from '@harvestman/ports'
import { markdown } from '../formats/markdown.ts'
import { defineFormat, defineGate, defineKeeper, defineParser, definePlugin, definePolicy } from '../plugin/define.ts'
import type { Parser, Plugin } from '../plugin/parts.ts'
import type { RequestNote } from '../plugin/gate.ts'
import { jsonOnce } from '@harvestman/ports/values'
import type { AnyDocument } from '../scrape/document.ts'
import { createEngine } from './engine.ts'
import type { Call, EngineOptions } from './types.ts'

const url = 'https://a.test/'
const cached = { url, maxAge: 60_000, formats: ['markdown', 'counted'] as string[] }

/** An engine whose page says which visit it was, and whose format `counted` says how often it was worked out. */
function house({ plugins = [], parser, ...options }: EngineOptions & { readonly parser?: Partial<Parser> } = {}) {
  const seen = { visits: 0, derived: 0, parsed: 0 }
  const counted = defineFormat({
    type: 'counted',
    needs: { markdown },
    fromPageAlone: true,
    derive: ({ markdown: text }) => ((seen.derived += 1), text.length),
  })
  const html = defineParser({
    name: 'counting',
    accepts: ['text/html'],
    fromPageAlone: true,
    parse: (bytes, { contentType }) => ((seen.parsed += 1), { html: { bytes, contentType } }),
    ...parser,
  })
  const engine = createEngine({
    resolver: async () => [{ address: '93.184.215.14', family: 4 }],
    ...options,
    plugins: [definePlugin({ name: 'counting', formats: [counted], parsers: [html] }), ...plugins] as readonly Plugin[],
    fetcher: () => ({
      exchange: async ({ url: { pathname } }) => {
        seen.visits += 1
        const body = `<title>é "quoted"</title><main><h1>Visit ${seen.visits}</h1><p>Words “of” ${pathname} that stay.</p></main>`
        const headers = [['content-type', 'text/html; charset=utf-8'] as const]
        return { status: pathname === '/robots.txt' ? 404 : 200, headers, body: new TextEncoder().encode(body) }
      },
      close: async () => undefined,
    }),
  })
  const scrape = (request: object = {}, call: Call = {}): Promise<AnyDocument> =>
    engine.unchecked.scrape({ ...cached, ...request }, { encoded: true, ...call })
  /** Loads the page, and makes the document of the cached page, which is cached from then on. */
  const known = async (request: object = {}, call: Call = {}): Promise<AnyDocument> => {
    await scrape(request, call)
    return scrape(request, call)
  }
  return { engine, seen, scrape, known }
}

const unlike = ({ metadata, ...rest }: AnyDocument) => ({ ...rest, metadata: { ...metadata, scrapeId: '' } })

describe('a request that was answered from a kept page', () => {
  test('is answered again with the same document under an id of its own, which nothing is parsed or derived for', async () => {
    const { scrape, known, seen } = house()
    const first = await known()
    const { ...before } = seen
    const again = await scrape()
    expect(seen).toEqual(before)
    expect(unlike(again)).toEqual(unlike(first))
    expect(again.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 1 })
    expect(again.metadata.scrapeId).not.toBe(first.metadata.scrapeId)
  })

  test.each([false, true])(
    'can be read again by its id, and prints as the document does (encoded: %j)',
    async (encoded) => {
      const { engine, scrape, known } = house()
      await known({}, { encoded, keep: true })
      for (let round = 0; round < 3; round += 1) {
        const document = await scrape({}, { encoded, keep: true })
        const printed = await jsonOnce(document)
        const text = typeof printed === 'string' ? printed : String(Buffer.concat(printed))
        expect(text).toBe(JSON.stringify(document))
        expect(await engine.results.find(document.metadata.scrapeId)).toEqual(JSON.parse(text))
      }
    },
  )

  test('is kept for its team alone, and as it was given, whatever its caller makes of it then', async () => {
    const { engine, scrape, known } = house()
    await known({}, { team: 'one' })
    const document = await scrape({}, { team: 'one', keep: true })
    const { scrapeId } = document.metadata
    const before = structuredClone(document)
    Object.assign(document, { markdown: 'changed' })
    Object.assign(document.metadata, { title: 'changed', scrapeId: 'changed' })
    expect(await engine.results.find(scrapeId, { team: 'one' })).toEqual(before)
    expect(await engine.results.find(scrapeId, { team: 'one', encoded: true })).toEqual(before)
    await expect(engine.results.find(scrapeId, { team: 'other' })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('is answered with what a caller may change, lists within it too, without changing what the next one gets', async () => {
    const { scrape } = house()
    const formats = ['markdown', 'links', 'images']
    await scrape({ formats })
    for (let time = 0; time < 3; time += 1) {
      const document = await scrape({ formats }, { encoded: false })
      expect(document).toMatchObject({ links: [], metadata: { title: 'é "quoted"' } })
      ;(document['links'] as string[]).push('https://b.test/')
      Object.assign(document, { markdown: 'changed' })
      Object.assign(document.metadata, { title: 'changed' })
      expect(JSON.parse(JSON.stringify(document))).toMatchObject({ links: ['https://b.test/'], markdown: 'changed' })
    }
  })

  test('is made anew of a page that was loaded anew, and not taken when it is too old or too young', async () => {
    const clock = handClock()
    const { scrape, known, seen } = house({ clock })
    expect((await known()).markdown).toContain('Visit 1')
    await clock.pass(1)
    await scrape({ maxAge: 0 })
    expect((await scrape()).markdown).toContain('Visit 2')
    expect((await scrape()).markdown).toContain('Visit 2')
    await clock.pass(61_000)
    expect((await scrape()).markdown).toContain('Visit 3')
    await expect(scrape({ minAge: 1_000 })).rejects.toMatchObject({ code: 'not_cached' })
    expect(seen.visits).toBe(3)
  })

  test('is of its team alone', async () => {
    const { scrape, known, seen } = house()
    expect((await known({}, { team: 'one' })).markdown).toContain('Visit 1')
    expect((await known({}, { team: 'other' })).markdown).toContain('Visit 2')
    expect((await scrape({}, { team: 'one' })).markdown).toContain('Visit 1')
    expect(seen.visits).toBe(2)
  })

  test('is another one with another option, and with another address', async () => {
    const { scrape, known, seen } = house()
    await known()
    expect(await scrape({ formats: ['counted'] })).not.toHaveProperty('markdown')
    const { metadata, markdown: text } = await scrape({ url: 'a.test/b' })
    expect([metadata.sourceURL, metadata.cacheState, seen.visits]).toEqual(['http://a.test/b', 'miss', 2])
    expect(text).toContain('/b')
    await expect(scrape({ url: 'nothing' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(scrape({ colour: 'red' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('is read as it is now when its caller changes the object', async () => {
    const { engine } = house()
    const request = { ...cached }
    for (let round = 0; round < 3; round += 1) await engine.unchecked.scrape(request)
    request.formats = ['counted']
    expect(await engine.unchecked.scrape(request)).not.toHaveProperty('markdown')
    await expect(engine.unchecked.scrape({ ...request, maxAge: new Date(5) })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('explains itself to who asks, and to nobody else', async () => {
    const { scrape, known } = house()
    await known()
    for (let round = 0; round < 2; round += 1) {
      const { explain } = await scrape({}, { explain: true })
      expect(explain?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual(['cache hit', 'parser counting'])
    }
    expect(await scrape()).not.toHaveProperty('explain')
  })
})

describe('what happens each time', () => {
  test('all events are told, in the same order', async () => {
    const events: EngineEvent[] = []
    const { scrape, known } = house({ observer: (event) => void events.push(event) })
    await known()
    const told = (): string[] => events.map((event) => ('step' in event ? event.step : event.kind))
    const whole = ['scrape.started', 'load', 'derive', 'assemble', 'settle', 'scrape.completed']
    expect(told()).toEqual(['scrape.started', 'loader.tried', ...whole.slice(1), ...whole])
    events.length = 0
    const { metadata } = await scrape()
    expect(told()).toEqual(whole)
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set([metadata.scrapeId]))
  })

  test('credits are taken for each key, and a team that has none left is refused', async () => {
    const { engine, scrape, known } = house()
    await engine.ledger.grant({ team: 'acme', credits: 4, id: 'one' })
    await known({}, { team: 'acme', key: 'k' })
    await scrape({}, { team: 'acme', key: 'k' })
    await scrape({}, { team: 'acme', key: 'l' })
    const { credits, months } = await engine.usage({ team: 'acme' })
    expect([credits, Object.values(months)]).toEqual([0, [{ k: 3, l: 1 }]])
    await expect(scrape({}, { team: 'acme' })).rejects.toMatchObject({ code: 'insufficient_credits' })
  })

  test('gates are asked and hear of it, and scopes hold', async () => {
    const heard: RequestNote[] = []
    let asked = 0
    const open = () => ({
      admit: async () => ((asked += 1), {}),
      noted: (note: RequestNote) => void heard.push(note),
    })
    const gate = definePlugin({ name: 'gates', gates: [defineGate({ name: 'gate', open })] })
    const { scrape, known } = house({ plugins: [gate] })
    await known()
    const { metadata } = await scrape({}, { key: 'k' })
    expect([asked, heard.length, heard.at(-1)]).toMatchObject([3, 3, { id: metadata.scrapeId, key: 'k', target: url }])
    await expect(scrape({}, { scopes: { formats: ['html'] } })).rejects.toMatchObject({ code: 'scope_missing' })
    await expect(scrape({}, { scopes: { groups: ['map'] } })).rejects.toMatchObject({ code: 'scope_missing' })
    expect(heard.map(({ refused }) => refused)).toEqual([
      undefined,
      undefined,
      undefined,
      'scope_missing',
      'scope_missing',
    ])
  })

  test('policies are asked, of the request and of the address', async () => {
    let shut: string | undefined
    const asked: string[] = []
    const rules = definePolicy({
      name: 'rules',
      may: ({ is }) => (asked.push(is), is === shut ? 'Shut.' : true),
    })
    const { scrape, known } = house({ plugins: [definePlugin({ name: 'rules', policies: [rules] })] })
    await known()
    await scrape()
    expect(asked).toEqual(['request', 'url', 'request', 'url', 'request', 'url'])
    for (shut of ['request', 'url']) await expect(scrape()).rejects.toMatchObject({ code: 'policy_denied' })
  })

  test('robots.txt is asked where it is asked for every page', async () => {
    const clock = handClock()
    const { known, scrape, seen } = house({ robots: 'always', clock })
    await known({ maxAge: 9e9 })
    expect(seen.visits).toBe(2)
    await clock.pass(8 * 24 * 3_600_000 - 1)
    await scrape({ maxAge: 9e9 })
    expect(seen.visits).toBeGreaterThan(2)
  })

  test('keepers leave what they leave of each page', async () => {
    const left: unknown[] = []
    const keeper = defineKeeper({
      name: 'keeper',
      needs: { markdown },
      keep: async ({ markdown: text }, { task }) => void left.push([text.includes('Visit 1'), task]),
    })
    const { scrape, known, seen } = house({ plugins: [definePlugin({ name: 'keeping', keepers: [keeper] })] })
    await known()
    const { metadata } = await scrape()
    expect(left).toHaveLength(3)
    expect(left.at(-1)).toEqual([true, metadata.scrapeId])
    expect(seen.derived).toBe(3)
  })

  test('a caller that has gone, and an engine that was closed, get nothing', async () => {
    const { engine, scrape, known } = house()
    await known()
    await expect(scrape({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    await engine.close()
    await expect(scrape()).rejects.toMatchObject({ code: 'closed' })
  })
})

describe('what is made anew each time', () => {
  const times = async (given: Parameters<typeof house>[0], request: object, what: 'derived' | 'parsed') => {
    const { scrape, known, seen } = house(given)
    await known(request)
    const before = seen[what]
    await scrape(request)
    return seen[what] - before
  }

  test('a format that does not say that its value follows from the page, beside those that do', async () => {
    let told = 0
    const other = defineFormat({ type: 'other', needs: {}, derive: () => (told += 1) })
    const plugins = [definePlugin({ name: 'others', formats: [other] })]
    expect(await times({ plugins }, { formats: ['counted', 'other'] }, 'derived')).toBe(1)
    expect(told).toBe(3)
  })

  test('a format whose page is made by a field that does not say so', async () => {
    const own = { ...markdown, derive: () => 'mine', needs: {}, is: undefined, fromPageAlone: undefined }
    expect(await times({ plugins: [definePlugin({ name: 'own', formats: [own] })] }, {}, 'derived')).toBe(1)
  })

  test('a page whose parser does not say so', async () => {
    expect(await times({ parser: { fromPageAlone: false } }, {}, 'parsed')).toBe(1)
  })

  test('a page of which nothing may be kept, and it costs what it costs', async () => {
    const { scrape, known, seen } = house()
    await known()
    const before = seen.derived
    for (let round = 0; round < 3; round += 1) {
      const { metadata } = await scrape({ zeroDataRetention: true })
      expect(metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 2 })
    }
    expect(seen.derived - before).toBe(3)
  })
})
