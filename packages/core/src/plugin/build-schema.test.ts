import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { builtIn } from '../defaults.ts'
import { EngineError } from '@harvestman/ports'
import { defineAction, defineFormat } from './define.ts'
import { buildScrapeSchema } from './build-schema.ts'
import { check } from '../schema/problems.ts'
import { requestDefaults } from '../schema/scrape.ts'

const ours = builtIn({ browser: true })
const schema = buildScrapeSchema(ours, requestDefaults)
const url = 'https://example.com/page'

const read = (request: object) => check(schema, { url, ...request })

function complaint(request: unknown): string {
  try {
    check(schema, request)
  } catch (error) {
    if (EngineError.is(error)) return error.message
  }
  return 'accepted'
}

const about = (request: object): string => complaint({ url, ...request })

test('a request of an address alone has every default filled in, and is frozen', () => {
  const request = check(schema, { url })
  expect(request).toMatchObject({
    url,
    formats: [{ type: 'markdown' }],
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    maxAge: 0,
    headers: {},
    waitFor: 0,
    mobile: false,
    skipTlsVerification: false,
    timeout: 30_000,
    parsers: [{ type: 'pdf', mode: 'auto' }, { type: 'image' }],
    actions: [],
    location: { country: 'US', languages: ['en-US'] },
    removeBase64Images: true,
    blockAds: true,
    proxy: 'basic',
    storeInCache: true,
    zeroDataRetention: false,
  })
  expect(Object.isFrozen(request.formats)).toBe(true)
})

describe('each field is refused by name, with the remedy', () => {
  const cases: readonly (readonly [field: string, request: unknown, says: RegExp])[] = [
    ['url', {}, /^url is required \(a string\)\.$/],
    ['url', { url: 7 }, /^url must be a string, but is 7\.$/],
    ['url', { url: 'not-a-url' }, /^url: .*top-level domain/],
    ['url', { url: 'ftp://example.com' }, /^url: .*unsupported protocol/],
    ['formats', { url, formats: 'markdown' }, /^formats must be an array, but is "markdown"\.$/],
    [
      'formats',
      { url, formats: ['markdwon'] },
      /^formats\[0\] is "markdwon"; did you mean markdown\? Use one of markdown, html, /,
    ],
    ['formats', { url, formats: [{ type: 'nope' }] }, /^formats\[0\]\.type is "nope"; use one of /],
    ['formats', { url, formats: ['links', 'links'] }, /^formats\[1\] lists links twice/],
    ['formats', { url, formats: [{ type: 'markdown', tone: 'dry' }] }, /^formats\[0\]\.tone is not a known key/],
    [
      'quality',
      { url, formats: [{ type: 'screenshot', quality: 101 }] },
      /^formats\[0\]\.quality must be at most 100, but is 101\.$/,
    ],
    ['changeTracking', { url, formats: ['changeTracking'] }, /changeTracking needs markdown in formats/],
    ['attributes', { url, formats: ['attributes'] }, /^formats\[0\] needs selectors; write it as an object/],
    [
      'json',
      { url, formats: ['json'] },
      /formats\[0\] needs schema or prompt; write it as an object, {"type": "json", "schema": …}/,
    ],
    ['jsonOptions', { url, jsonOptions: { prompt: 'x' } }, /^jsonOptions only applies to the format json/],
    ['timeout', { url, timeout: '5' }, /^timeout must be a number, but is "5"\.$/],
    ['timeout', { url, timeout: 999 }, /^timeout must be at least 1000, but is 999\.$/],
    ['timeout', { url, timeout: 300_001 }, /^timeout must be at most 300000/],
    ['waitFor', { url, waitFor: 60_001, timeout: 300_000 }, /^waitFor must be at most 60000/],
    ['waitFor', { url, waitFor: 16_000 }, /^waitFor must not exceed half of timeout/],
    ['maxAge', { url, maxAge: -1 }, /^maxAge must be at least 0/],
    ['maxAge', { url, maxAge: 1.5 }, /^maxAge must be an integer, but is 1\.5\.$/],
    ['mobile', { url, mobile: 'yes' }, /^mobile must be true or false, but is "yes"\.$/],
    ['proxy', { url, proxy: 'tor' }, /^proxy is "tor"; use one of basic, enhanced, stealth, auto\.$/],
    ['location', { url, location: { country: 'XX' } }, /^location\.country must be a two-letter country code/],
    ['location', { url, location: { languages: ['e n'] } }, /^location\.languages\[0\] must be a language tag/],
    ['headers', { url, headers: { Host: 'a' } }, /^headers: .*[Hh]ost/],
    ['headers', { url, headers: { a: 1 } }, /^headers\.a must be a string, but is 1\.$/],
    ['actions', { url, actions: [{ type: 'dance' }] }, /^actions\[0\]\.type is "dance"; use one of wait, click, /],
    ['actions', { url, actions: [{ type: 'wait' }] }, /^actions\[0\] needs exactly one of milliseconds and selector/],
    ['actions', { url, actions: [{ type: 'wait', milliseconds: 1, selector: 'a' }] }, /exactly one of/],
    ['actions', { url, actions: [{ type: 'wait', milliseconds: 60_001 }] }, /^actions wait 60001 ms in all/],
    [
      'actions',
      { url, actions: Array.from({ length: 51 }, () => ({ type: 'scrape' })) },
      /^actions must have at most 50 items/,
    ],
    ['includeTags', { url, includeTags: ['div['] }, /^includeTags\[0\] cannot be used\. /],
    [
      'attributes',
      { url, formats: [{ type: 'attributes', selectors: [{ selector: '<', attribute: 'x' }] }] },
      /^formats\[0\]\.selectors\[0\]\.selector cannot be used/,
    ],
    ['parsers', { url, parsers: ['doc'] }, /^parsers\[0\] is "doc"/],
    ['unknown', { url, onlyMainContant: true }, /^onlyMainContant is not a known key; did you mean onlyMainContent\?$/],
    ['request', 'https://example.com', /^The request must be an object with url, but is "https:\/\/example\.com"\.$/],
  ]
  test.each(cases)('%s: %j', (_, request, says) => expect(complaint(request)).toMatch(says))
})

test('several mistakes are told at once, and all of them are in the details', () => {
  try {
    check(schema, { timeout: 1, mobile: 1 })
    expect.unreachable()
  } catch (error) {
    const { message, details } = error as EngineError
    expect(message).toContain('url is required')
    expect(message).toContain('mobile must be true or false')
    expect(details['problems']).toHaveLength(3)
  }
})

test('older words become the one form', () => {
  expect(read({ formats: ['screenshot@fullPage'] }).formats).toEqual([{ type: 'screenshot', fullPage: true }])
  expect(read({ proxy: 'stealth' }).proxy).toBe('enhanced')
  expect(read({ parsePDF: false }).parsers).toEqual([])
  expect(read({ parsePDF: true }).parsers).toHaveLength(2)
  expect(read({ parsers: ['image', { type: 'image' }] }).parsers).toEqual([{ type: 'image' }, { type: 'image' }])
  expect(read({ parsers: ['pdf'] }).parsers).toEqual([{ type: 'pdf', mode: 'auto' }])
  expect(read({ formats: ['json'], jsonOptions: { prompt: 'prices' } }).formats).toEqual([
    { type: 'json', prompt: 'prices' },
  ])
  expect(read({ location: { country: 'us-generic' } }).location.country).toBe('US')
})

test('what belongs to a format can be said in its object, and wins over the older place', () => {
  const { formats } = read({
    formats: [{ type: 'json', prompt: 'new' }],
    jsonOptions: { prompt: 'old', systemPrompt: 's' },
  })
  expect(formats).toEqual([{ type: 'json', prompt: 'new', systemPrompt: 's' }])
})

test('the languages follow from the country when none are given', () => {
  expect(read({ location: { country: 'de' } }).location).toEqual({ country: 'DE', languages: ['de-DE'] })
  expect(read({ location: { country: 'CH', languages: ['fr'] } }).location.languages).toEqual(['fr'])
})

test('the names of headers are made lower case, their values are kept', () => {
  expect(read({ headers: { 'X-Token': 'Ab c' } }).headers).toEqual({ 'x-token': 'Ab c' })
})

test('keys that could reach the prototype of an object change nothing', () => {
  const request = JSON.parse(`{"url":"${url}","headers":{"__proto__":"x"}}`) as object
  complaint(request)
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  expect(about(JSON.parse('{"__proto__":{"mobile":true}}') as object)).not.toBe('')
})

test('formats and actions of plugins join the schema with their options and limits', () => {
  const shout = defineFormat({
    type: 'shout',
    options: z.object({ marks: z.int().max(3).default(1) }),
    needs: {},
    derive: () => '',
  })
  const hover = defineAction({ type: 'hover', schema: z.object({ selector: z.string() }), run: async () => undefined })
  const wider = buildScrapeSchema(
    { formats: [shout, ...ours.formats], actions: [hover, ...ours.actions] },
    requestDefaults,
  )
  const request = check(wider, { url, formats: ['shout'], actions: [{ type: 'hover', selector: 'a' }] })
  expect(request.formats).toEqual([{ type: 'shout', marks: 1 }])
  expect(request.actions).toEqual([{ type: 'hover', selector: 'a' }])
  expect(() => check(wider, { url, formats: [{ type: 'shout', marks: 4 }] })).toThrow(
    'formats[0].marks must be at most 3',
  )
})

test('the options of a format are read once: what was checked of them is what the request has, and is frozen', () => {
  const checked: unknown[] = []
  const sorted = defineFormat({
    type: 'sorted',
    options: z.object({ by: z.array(z.string()).default(['title']) }),
    check: ({ by }) => {
      checked.push(by)
      return undefined
    },
    needs: {},
    derive: () => [],
  })
  const own = buildScrapeSchema({ ...ours, formats: [...ours.formats, sorted] }, requestDefaults)
  const { formats } = check(own, { url, formats: ['markdown', { type: 'sorted', by: ['size'] }] })
  expect(checked).toEqual([['size']])
  expect((formats[1] as unknown as { readonly by: unknown }).by).toBe(checked[0])
  expect(Object.isFrozen(checked[0])).toBe(true)
})
