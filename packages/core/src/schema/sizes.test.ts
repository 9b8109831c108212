import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { builtIn } from '../defaults.ts'
import { jobSchemas } from '../engine/jobs.ts'
import { EngineError } from '@harvestman/ports'
import { lazyMembers } from '../lib/lazily.ts'
import { buildScrapeSchema } from '../plugin/build-schema.ts'
import { mapSchema } from './map.ts'
import { check, maxProblems, type Problem } from './problems.ts'
import { requestDefaults } from './scrape.ts'

const ours = builtIn({ browser: true })
const schemas: Readonly<Record<string, z.ZodType>> = {
  scrape: buildScrapeSchema(ours, requestDefaults),
  map: mapSchema(),
  ...lazyMembers(jobSchemas(ours, requestDefaults)),
}
const url = 'https://example.com/'

function failure(name: string, input: unknown): EngineError {
  try {
    check(schemas[name]!, input)
  } catch (error) {
    if (EngineError.is(error)) return error
  }
  throw new Error('It was accepted.')
}

type Described = { readonly [key: string]: unknown }

/** Where a list or a record stands that says no maximum, in a schema as JSON Schema. */
function unbounded(schema: unknown, path: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part, index) => unbounded(part, `${path}[${index}]`))
  if (typeof schema !== 'object' || schema === null) return []
  const { type, maxItems, maxProperties, additionalProperties } = schema as Described
  const isOpen = type === 'object' && additionalProperties !== undefined && additionalProperties !== false
  const isUnbounded = (type === 'array' && maxItems === undefined) || (isOpen && maxProperties === undefined)
  return [
    ...(isUnbounded ? [path] : []),
    ...Object.entries(schema).flatMap(([key, part]) => unbounded(part, `${path}.${key}`)),
  ]
}

test.each(Object.keys(schemas))('every list and record of a %s request has a documented maximum', (name) => {
  const described = z.toJSONSchema(schemas[name]!, { io: 'input', unrepresentable: 'any' })
  expect(unbounded(described, name)).toEqual([])
})

/** Where an option stands that does not say its title and what it means. */
function unsaid(schema: unknown, definitions: Described, path: string): string[] {
  const { $ref, properties, ...own } = schema as Described
  const target = typeof $ref === 'string' ? (definitions[$ref.split('/').at(-1)!] as Described) : {}
  const { title, description } = { ...target, ...own }
  const inner = Object.entries((properties ?? {}) as Described).flatMap(([key, part]) =>
    key === 'type' ? [] : unsaid(part, definitions, `${path}.${key}`),
  )
  const parts = Object.entries({ ...own, properties: undefined }).flatMap(([key, part]) =>
    typeof part === 'object' && part !== null && ['items', 'anyOf', 'oneOf'].includes(key)
      ? [part].flat().flatMap((one) => unsaid({ title, description, ...(one as object) }, definitions, path))
      : [],
  )
  return [...(title && description ? [] : [path]), ...inner, ...parts]
}

test.each(Object.keys(schemas))('every option of a %s request says its title and its meaning', (name) => {
  const { $defs = {}, ...schema } = z.toJSONSchema(schemas[name]!, { io: 'input', unrepresentable: 'any' }) as Described
  const found = Object.entries($defs as Described).flatMap(([part, one]) =>
    unsaid({ title: part, description: part, ...(one as object) }, $defs as Described, part),
  )
  const own = unsaid({ title: name, description: name, ...schema }, $defs as Described, name)
  // Words of the public API that are taken and mean nothing here have no title.
  const without = [
    'useIndex',
    'allowExternalLinks',
    'allowSubdomains',
    'includePaths',
    'excludePaths',
    'regexOnFullURL',
  ]
  const ignored = [...without, 'crawlEntireDomain', 'deduplicateSimilarURLs'].map((key) => `map.${key}`)
  expect([...found, ...own].filter((path) => !ignored.includes(path))).toEqual([])
})

const many = Array.from({ length: 3_300_000 }, () => ({}))
const keys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))

describe('what is too large is refused before its entries are looked at', () => {
  const cases: readonly (readonly [name: string, input: object, says: string])[] = [
    ['scrape', { url, formats: many }, 'formats must have at most 50 items.'],
    ['scrape', { url, actions: many }, 'actions must have at most 50 items.'],
    ['scrape', { url, includeTags: many }, 'includeTags must have at most 200 items.'],
    ['scrape', { url, headers: keys(200_000) }, 'headers must have at most 100 keys.'],
    ['scrape', { url, location: { languages: many } }, 'location.languages must have at most 20 items.'],
    [
      'scrape',
      { url, formats: [{ type: 'attributes', selectors: many }] },
      'formats[0].selectors must have at most 100 items.',
    ],
    ['scrape', keys(200_000), 'The request must have at most 1000 keys.'],
    ['scrape', { url, actions: [keys(200_000)] }, 'actions[0] must have at most 1000 keys.'],
    ['batch', { urls: many }, 'urls must have at most 100000 items.'],
    ['crawl', { url, includePaths: many }, 'includePaths must have at most 1000 items.'],
    ['crawl', { url, excludePaths: many }, 'excludePaths must have at most 1000 items.'],
    ['crawl', { url, webhook: { url, events: many } }, 'webhook.events must have at most 30 items.'],
    ['crawl', { url, webhook: { url, metadata: keys(200_000) } }, 'webhook.metadata must have at most 100 keys.'],
    ['crawl', { url, scrapeOptions: { formats: many } }, 'scrapeOptions.formats must have at most 50 items.'],
    ['map', { url, headers: keys(200_000) }, 'headers must have at most 100 keys.'],
  ]
  test.each(cases)('in a %s', (name, input, says) => {
    const { message, details } = failure(name, input)
    expect(message).toBe(says)
    expect(details['problems']).toHaveLength(1)
  })
})

describe('a refusal stays small', () => {
  const problemsOf = (name: string, input: object): Problem[] => failure(name, input).details['problems'] as Problem[]

  test('at most twenty problems are explained', () => {
    expect(problemsOf('scrape', keys(900))).toHaveLength(maxProblems)
    expect(problemsOf('scrape', { url, formats: many.slice(0, 50) })).toHaveLength(maxProblems)
    expect(problemsOf('scrape', { url, includeTags: Array.from({ length: 200 }, () => '<') })).toHaveLength(maxProblems)
  })

  test('long keys and values are cut', () => {
    const long = 'x'.repeat(1_000_000)
    const inputs: readonly object[] = [
      { url, [long]: 1 },
      { url: long },
      { url, proxy: long },
      { url, formats: [long, { type: long }, { type: 'markdown', [long]: long }] },
      { url, headers: { [long]: 'a' } },
      { url, location: { country: long, languages: [long] } },
      { url, includeTags: [`a[${long}`.slice(0, 1_999)] },
    ]
    for (const input of inputs) expect(JSON.stringify(failure('scrape', input)).length).toBeLessThan(16_000)
    expect(JSON.stringify(failure('crawl', { url, includePaths: [`(${long}`] })).length).toBeLessThan(16_000)
  })
})

test('unknown keys are refused by name at any depth', () => {
  const refused: readonly (readonly [name: string, input: object, field: string])[] = [
    ['scrape', { url, actions: [{ type: 'click', selector: 'a', al: true }] }, 'actions[0].al'],
    [
      'scrape',
      { url, actions: [{ type: 'screenshot', viewport: { width: 1, height: 1, x: 1 } }] },
      'actions[0].viewport.x',
    ],
    ['scrape', { url, location: { contry: 'DE' } }, 'location.contry'],
    ['scrape', { url, formats: [{ type: 'screenshot', fullPge: true }] }, 'formats[0].fullPge'],
    [
      'scrape',
      { url, formats: [{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'b', c: 1 }] }] },
      'formats[0].selectors[0].c',
    ],
    ['scrape', { url, parsers: [{ type: 'pdf', page: 1 }] }, 'parsers[0].page'],
    ['crawl', { url, scrapeOptions: { actions: [{ type: 'scrape', x: 1 }] } }, 'scrapeOptions.actions[0].x'],
    ['crawl', { url, webhook: { url, event: [] } }, 'webhook.event'],
    ['map', { url, location: { x: 1 } }, 'location.x'],
  ]
  for (const [name, input, field] of refused) {
    const { message } = failure(name, input)
    expect(message.startsWith(`${field} is not a known key; `)).toBe(true)
    expect(message).toMatch(/; (?:remove it or check its spelling\.|did you mean \w+\?)$/)
  }
})
