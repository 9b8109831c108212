import type { AnyDocument } from '@harvestman/core'
import { check } from '@harvestman/core/schema'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

import { fakeEngine } from '../fixtures/fake-engine.ts'
import { v1DocumentSchema, v1ScrapeSchema } from './schema.ts'
import { fromCore, fromCoreLater, toCore } from './translate.ts'

const { schemas } = fakeEngine()
const v1 = v1ScrapeSchema(schemas.scrape)

function read(input: object) {
  return toCore(check(v1, { url: 'a.test', ...input }))
}

const sentence = "When 'extract' or 'json' format is specified, corresponding options must be provided, and vice versa"

describe('A request of version 1', () => {
  test('leaves to the engine what it leaves out', () => {
    expect(read({})).toEqual({ url: 'http://a.test' })
  })

  test('asks for an extraction in its older words', () => {
    const options = { prompt: 'the price', schema: { type: 'object' }, systemPrompt: 'Be brief.' }
    expect(read({ formats: ['markdown', 'extract'], extract: options })).toEqual({
      url: 'http://a.test',
      formats: ['markdown', { type: 'json', ...options, as: ['extract'] }],
    })
    const asJson = schemas.scrape.parse(read({ formats: ['json'], jsonOptions: options }))
    const asExtract = schemas.scrape.parse(read({ formats: ['extract'], extract: options }))
    expect(asExtract).toEqual({ ...asJson, formats: [{ ...asJson.formats[0], as: ['extract'] }] })
  })

  test('asks once when both words ask for the same, and may not ask for two things', () => {
    const both = { formats: ['json', 'extract'], jsonOptions: { prompt: 'a' } }
    expect(schemas.scrape.parse(read({ ...both, extract: { prompt: 'a' } })).formats).toEqual([
      { type: 'json', prompt: 'a', as: ['json', 'extract'] },
    ])
    expect(() => read({ ...both, extract: { prompt: 'b' } })).toThrow(/jsonOptions differ/)
  })

  test.each([
    [{ formats: ['json'] }, 'jsonOptions'],
    [{ formats: ['extract'] }, 'extract'],
    [{ jsonOptions: { prompt: 'a' } }, 'jsonOptions'],
    [{ formats: ['markdown'], extract: { prompt: 'a' } }, 'extract'],
    [{ formats: ['extract'], jsonOptions: { prompt: 'a' } }, 'extract'],
  ])('%j lacks one half of an extraction', (input, field) => {
    expect(() => read(input)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: sentence,
        details: { problems: [{ code: 'custom', path: [field], message: sentence }] },
      }),
    )
  })

  test('may also say json as an object that has its options', () => {
    const formats = [{ type: 'json', prompt: 'a' }]
    expect(schemas.scrape.parse(read({ formats }))).toMatchObject({ formats })
  })

  test('may give the location by its older name; the newer one wins', () => {
    expect(read({ geolocation: { country: 'de' } })['location']).toMatchObject({ country: 'DE' })
    expect(read({ geolocation: { country: 'de' }, location: { country: 'fr' } })['location']).toMatchObject({
      country: 'FR',
    })
    expect(read({ geolocation: { country: 'de' } })).not.toHaveProperty('geolocation')
  })

  test.each([
    [{ formats: ['images2'] }, /formats\[0\] is "images2"; did you mean images\? Use one of .*markdown.*extract/],
    [{ formats: ['content'] }, /formats\[0\]/],
    [{ url: undefined }, /url is required/],
    [{ waitFor: '5' }, /waitFor must be/],
    [{ waitFor: 60_001 }, /waitFor must be at most 60000/],
    [{ timeout: 999 }, /timeout must be at least 1000/],
    [{ maxDepth: 3 }, /maxDepth is not a known key/],
    [{ changeTrackingOptions: { modes: ['diff'] } }, /changeTrackingOptions\.modes\[0\]/],
    [{ formats: ['extract'], extract: { prompt: 7 } }, /extract\.prompt must be/],
    [{ actions: [{ type: 'click' }] }, /actions\[0\]\.selector is required/],
    [{ geolocation: { country: 'Atlantis' } }, /geolocation\.country/],
  ])('%j is refused by the name of the field', (input, message) => {
    expect(() => read(input)).toThrow(message)
  })
})

// Every option, in the words of version 1, within the limits that hold between options.
const text = fc.string({ minLength: 1, maxLength: 20 })
const jsonSchema = fc.constantFrom({ type: 'object' }, { type: 'object', properties: { a: { type: 'string' } } })
const extraction = fc.record({ prompt: text, schema: jsonSchema, systemPrompt: text }, { requiredKeys: ['prompt'] })
const place = fc.record(
  { country: fc.constantFrom('US', 'de', 'us-generic'), languages: fc.constantFrom(['en'], ['de-AT', 'de']) },
  { requiredKeys: [] },
)
const action = fc.oneof(
  fc.record({ type: fc.constant('wait'), milliseconds: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ type: fc.constant('wait'), selector: fc.constant('main') }),
  fc.record({ type: fc.constant('click'), selector: fc.constant('a') }),
  fc.record({ type: fc.constant('write'), text }),
  fc.record({ type: fc.constant('press'), key: fc.constant('Enter') }),
  fc.record({ type: fc.constant('scroll'), direction: fc.constantFrom('up', 'down') }),
  fc.record({ type: fc.constant('screenshot'), fullPage: fc.boolean(), quality: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ type: fc.constant('scrape') }),
  fc.record({ type: fc.constant('executeJavascript'), script: text }),
  fc.record({ type: fc.constant('pdf'), format: fc.constantFrom('A4', 'Letter'), landscape: fc.boolean() }),
)
const milliseconds = fc.integer({ min: 0, max: 100_000 })
const options = fc.record(
  {
    onlyMainContent: fc.boolean(),
    includeTags: fc.array(fc.constantFrom('main', '.a', '#b'), { maxLength: 3 }),
    excludeTags: fc.array(fc.constantFrom('nav', '.ad'), { maxLength: 3 }),
    headers: fc.constantFrom({}, { 'X-Test': 'a', Cookie: 'b=c' }),
    waitFor: fc.integer({ min: 0, max: 500 }),
    timeout: fc.integer({ min: 1_000, max: 300_000 }),
    mobile: fc.boolean(),
    skipTlsVerification: fc.boolean(),
    parsePDF: fc.boolean(),
    actions: fc.array(action, { maxLength: 4 }),
    location: place,
    geolocation: place,
    removeBase64Images: fc.boolean(),
    blockAds: fc.boolean(),
    proxy: fc.constantFrom('basic', 'stealth', 'enhanced', 'auto'),
    maxAge: milliseconds,
    minAge: milliseconds,
    storeInCache: fc.boolean(),
    zeroDataRetention: fc.boolean(),
  },
  { requiredKeys: [] },
)
const plainFormats = fc.subarray(['html', 'rawHtml', 'links', 'images'])
const pictures = fc.constantFrom([], ['screenshot'], ['screenshot@fullPage'])
const tracking = fc.oneof(
  fc.constant({ formats: [] as string[] }),
  fc.constant({ formats: ['markdown'] }),
  fc.record({
    formats: fc.constant(['markdown', 'changeTracking']),
    changeTrackingOptions: fc.record(
      { modes: fc.subarray(['git-diff', 'json']), tag: fc.constantFrom(null, 'a'), schema: jsonSchema, prompt: text },
      { requiredKeys: [] },
    ),
  }),
)
const extracting = fc.oneof(
  fc.constant({ formats: [] as string[] }),
  fc.record({ formats: fc.constant(['json']), jsonOptions: extraction }),
  fc.record({ formats: fc.constant(['extract']), extract: extraction }),
  extraction.map((both) => ({ formats: ['extract', 'json'], jsonOptions: both, extract: both })),
)
const requests = fc
  .record({ options, plainFormats, pictures, tracking, extracting, says: fc.boolean() })
  .map(({ options, plainFormats, pictures, tracking, extracting, says }) => {
    const formats = [...plainFormats, ...pictures, ...tracking.formats, ...extracting.formats]
    return {
      url: 'https://a.test/x',
      ...options,
      ...tracking,
      ...extracting,
      ...(says || formats.length > 0 ? { formats } : { formats: undefined }),
    }
  })

describe('Whatever version 1 can say', () => {
  test('the engine understands, in its own words only', { tags: ['long'] }, () => {
    const words = new Set(Object.keys(schemas.scrape.in.shape))
    fc.assert(
      fc.property(requests, (request) => {
        const translated = toCore(check(v1, JSON.parse(JSON.stringify(request))))
        for (const key of Object.keys(translated)) expect(words).toContain(key)
        const understood = check(schemas.scrape, translated)
        // Each thing that was asked for is asked for once, and nothing else is.
        const asked = new Set((request.formats ?? ['markdown']).map((word) => coreWord(word)))
        expect(new Set(understood.formats.map(({ type }) => type))).toEqual(asked)
        expect(understood.formats).toHaveLength(asked.size)
      }),
      { numRuns: 300 },
    )
  })

  test.each([[['json']], [['extract']], [['json', 'extract']]])(
    'the data of %j is also in the field of the oldest clients',
    (names) => {
      const data = Object.fromEntries(names.map((name) => [name, { legs: 8 }]))
      const document = { ...data, metadata: {} } as AnyDocument
      const { metadata: _, ...answer } = fromCore(document, { changeTrackingDiff: 'text' })
      expect(answer).toEqual({ ...data, llm_extraction: { legs: 8 } })
    },
  )

  test('is answered in words of version 1 only', () => {
    const known = new Set(Object.keys((v1DocumentSchema(schemas.document, 'answer') as z.ZodObject).shape))
    fc.assert(
      fc.property(documents, (document) => {
        const answer: AnyDocument = fromCore(document, { changeTrackingDiff: 'text' })
        for (const key of Object.keys(answer)) expect(known).toContain(key)
        expect(answer['json']).toEqual(document['json'])
        expect(answer['llm_extraction']).toEqual(answer['json'])
        const { diff } = (answer['changeTracking'] ?? {}) as { diff?: unknown }
        expect(typeof diff).toBe(diffOf(document) === undefined ? 'undefined' : 'string')
        expect(answer.metadata).toEqual(document.metadata)
        const { metadata } = fromCoreLater(document, { changeTrackingDiff: 'text' }) as AnyDocument
        const { url: _, concurrencyLimited: __, concurrencyQueueDurationMs: ___, ...rest } = document.metadata
        expect(metadata).toEqual(rest)
      }),
    )
  })
})

function coreWord(word: string): string {
  if (word === 'extract') return 'json'
  return word === 'screenshot@fullPage' ? 'screenshot' : word
}

function diffOf(document: AnyDocument): unknown {
  return (document['changeTracking'] as { diff?: unknown } | undefined)?.diff
}

const documents = fc.record(
  {
    markdown: fc.string(),
    links: fc.array(fc.webUrl()),
    json: fc.jsonValue().filter((value) => value !== null),
    changeTracking: fc.record(
      {
        changeStatus: fc.constantFrom('new', 'same', 'changed', 'removed'),
        diff: fc.record({ text: fc.string(), json: fc.constant({ files: [] }) }),
      },
      { requiredKeys: ['changeStatus'] },
    ),
    warning: fc.string(),
    metadata: fc.record(
      {
        sourceURL: fc.webUrl(),
        url: fc.webUrl(),
        statusCode: fc.constant(200),
        scrapeId: fc.uuid(),
        proxyUsed: fc.constant('basic' as const),
        creditsUsed: fc.nat(),
        concurrencyLimited: fc.boolean(),
        concurrencyQueueDurationMs: fc.nat(),
      },
      { requiredKeys: ['sourceURL', 'url', 'statusCode', 'scrapeId', 'proxyUsed', 'creditsUsed'] },
    ),
  },
  { requiredKeys: ['metadata'] },
) as fc.Arbitrary<AnyDocument>

describe('An answer of version 1', () => {
  const document = {
    changeTracking: { changeStatus: 'changed', diff: { text: '+a', json: { files: [] } } },
    metadata: { url: 'https://a.test/' },
  } as unknown as AnyDocument

  test('gives a difference as text, or as the object that newer clients read', () => {
    expect(fromCore(document, { changeTrackingDiff: 'text' })['changeTracking']).toEqual({
      changeStatus: 'changed',
      diff: '+a',
    })
    expect(fromCore(document, { changeTrackingDiff: 'object' })).toEqual(document)
  })

  test('leaves the document of the engine as it is', () => {
    const before = structuredClone(document)
    fromCoreLater(document, { changeTrackingDiff: 'text' })
    expect(document).toEqual(before)
  })
})
