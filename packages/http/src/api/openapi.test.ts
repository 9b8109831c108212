import { readFileSync } from 'node:fs'

import { createEngine } from '@harvestman/core'
import { defineAction, defineFormat, definePlugin } from '@harvestman/core/plugin'
import { monitors } from '@harvestman/monitors'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { createApi } from './api.ts'
import { fakeEngine } from '../fixtures/fake-engine.ts'
import { describeApi } from './openapi.ts'
import { deadLinks } from '../fixtures/dead-links.ts'
import { routesOf } from './routes.ts'
import { shareSchemas } from './share-schemas.ts'

const features = Object.values(fakeEngine().features).map(({ definition }) => definition)
const routes = routesOf(deadLinks.jobs, features)

type Json = Record<string, unknown> & { readonly [key: string]: never }

/** Finds a part of a document by its keys. */
function at(document: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce((value, key) => (value as Json | undefined)?.[key], document)
}

const toBody = ['requestBody', 'content', 'application/json', 'schema']
const toAnswer = ['responses', '200', 'content', 'application/json', 'schema']
const ofData = ['properties', 'data', 'properties']
const toData = [...toAnswer, 'oneOf', '0', ...ofData]

describe('The OpenAPI document', () => {
  const document = describeApi(routes, fakeEngine().schemas)

  test('is served to everybody, as version 3.1', async () => {
    const response = await createApi(fakeEngine())(new Request('http://localhost/openapi.json'))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(shareSchemas(document))))
    expect(at(document, 'openapi')).toBe('3.1.0')
  })

  test('has the version of the packages', () => {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    expect(at(document, 'info', 'version')).toBe((JSON.parse(manifest) as { readonly version: string }).version)
  })

  test('has only keys that OpenAPI allows in schemas, and a server URL that paths can be appended to', () => {
    const text = JSON.stringify(document)
    for (const key of ['unit', 'group', 'order', 'needs', 'defaultText']) {
      expect(text).not.toMatch(new RegExp(`"${key}":(?!\\{)`))
      expect(text).toContain(`"x-${key}":`)
    }
    for (const { url } of at(document, 'servers') as readonly { url: string }[]) expect(url).not.toMatch(/\/$/)
  })

  test('has each repeated schema once, under a name, and means the same', () => {
    const shared = shareSchemas(document)
    const { schemas, responses } = shared.components as Readonly<Record<string, Json>>
    expect(at(shared, 'paths', '/v2/scrape', 'post', 'responses', '408')).toEqual({
      $ref: '#/components/responses/Status408',
    })
    expect(at(shared, 'paths', '/v2/scrape', 'post', ...toBody, 'properties', 'formats')).toEqual({
      $ref: '#/components/schemas/Formats',
    })
    const inline = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(inline)
      if (typeof value !== 'object' || value === null) return value
      const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec((value as Json)['$ref'] ?? '') ?? []
      const target: unknown = kind === 'responses' ? responses?.[name] : named.has(name) ? undefined : schemas?.[name]
      return target ? inline(target) : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inline(one)]))
    }
    const named = new Set(Object.keys(document.components.schemas))
    expect(inline(shared.paths)).toEqual(JSON.parse(JSON.stringify(document.paths)))
    expect(JSON.stringify(shared).length).toBeLessThan(JSON.stringify(document).length * 0.65)
  })

  test('describes any JSON value without a union that contains itself', () => {
    const { components } = describeApi(routesOf([], monitors().features), createEngine().schemas)
    expect(components.schemas['JsonValue']).toEqual({ description: 'Any JSON value.' })
  })

  test('has every route, and says which ones need a key', () => {
    const described = routes.filter(({ absent }) => !absent)
    for (const { path, method, isOpen, summary } of described) {
      const operation = at(document, 'paths', path, method.toLowerCase())
      expect(operation).toMatchObject({ summary })
      expect(at(operation, 'security')).toEqual(isOpen ? [] : [{ key: [] }])
    }
    const ids = Object.values(at(document, 'paths') as object).flatMap((path: object) =>
      Object.values(path).map(({ operationId }: { operationId: string }) => operationId),
    )
    expect(new Set(ids).size).toBe(described.length)
  })

  test.each(['/v1/scrape', '/v2/scrape'])('describes the body of %s as it is checked', (path) => {
    const schema = at(document, 'paths', path, 'post', ...toBody)
    expect(at(schema, 'required')).toEqual(['url'])
    expect(at(schema, 'additionalProperties')).toBe(false)
    expect(Object.keys(at(schema, 'properties') as object)).toEqual(
      expect.arrayContaining(['url', 'formats', 'actions', 'waitFor', 'jsonOptions', 'origin', 'integration']),
    )
    expect(at(schema, 'properties', 'timeout')).toMatchObject({ minimum: 1_000, maximum: 300_000 })
    expect(JSON.stringify(at(schema, 'properties', 'formats'))).toContain('screenshot@fullPage')
  })

  test('describes an answer that is one value or many lines', () => {
    const answers = at(document, 'paths', '/v2/crawl/{id}/explain', 'get', 'responses', '200', 'content')
    expect(Object.keys(answers as object)).toEqual(['application/json', 'application/x-ndjson'])
    expect(at(answers, 'application/x-ndjson', 'schema', 'properties')).toHaveProperty('outcome')
  })

  test('describes what is answered, and every error', () => {
    expect(Object.keys(at(document, 'paths', '/v2/scrape', 'post', ...toData) as object)).toEqual(
      expect.arrayContaining(['markdown', 'links', 'json', 'metadata', 'actions', 'warning']),
    )
    const answer = at(document, 'paths', '/v1/scrape', 'post', ...toData)
    expect(answer).toHaveProperty('llm_extraction')
    expect(at(answer, 'metadata', 'properties')).toHaveProperty('url')
    expect(at(document, 'paths', '/v1/scrape/{id}', 'get', ...toAnswer, ...ofData)).toEqual(answer)
    expect(at(document, 'paths', '/v2/scrape', 'post', 'responses', '408')).toMatchObject({
      description: 'SCRAPE_TIMEOUT',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    })
    expect(at(document, 'components', 'schemas', 'Error', 'required')).toEqual(['success', 'error'])
    expect(at(document, 'components', 'securitySchemes', 'key')).toMatchObject({ type: 'http', scheme: 'bearer' })
  })

  test('has the formats and actions of plugins, in both versions', () => {
    const shout = defineFormat({
      type: 'shout',
      options: z.object({ loudness: z.int().max(11) }),
      value: z.string().describe('The page in capitals.'),
      needs: {},
      derive: () => 'A',
    })
    const hover = defineAction({
      type: 'hover',
      schema: z.object({ selector: z.string() }),
      run: async () => undefined,
    })
    const engine = createEngine({ plugins: [definePlugin({ name: 'loud', formats: [shout], actions: [hover] })] })
    const withPlugins = describeApi(routes, engine.schemas)
    for (const path of ['/v1/scrape', '/v2/scrape']) {
      const properties = at(withPlugins, 'paths', path, 'post', ...toBody, 'properties')
      expect(JSON.stringify(at(properties, 'formats'))).toMatch(/"shout".*"#\/components\/schemas\/ShoutFormatInput"/)
      expect(JSON.stringify(at(properties, 'actions'))).toContain('"#/components/schemas/HoverActionInput"')
      expect(at(withPlugins, 'paths', path, 'post', ...toData, 'shout')).toMatchObject({ type: 'string' })
    }
    const { ShoutFormatInput, HoverActionInput } = at(withPlugins, 'components', 'schemas') as Record<string, unknown>
    expect(ShoutFormatInput).toMatchObject({
      title: 'shout',
      description: 'The page in capitals.',
      properties: { type: { const: 'shout' }, loudness: { type: 'integer', maximum: 11 } },
      required: ['type', 'loudness'],
    })
    expect(HoverActionInput).toMatchObject({ properties: { type: { const: 'hover' }, selector: { type: 'string' } } })
  })
})
