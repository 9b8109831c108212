// The description of the API, read by a public validator; every example in it is sent to a real server.
import { answers } from '@harvestman/answers'
import { routesOf } from '@harvestman/http'
import { ownFeatures } from '@harvestman/node/own-features'
import { openServer, readConfig } from '@harvestman/node'
import { scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'

import { askServer, openHouse } from './bench.ts'

const routes = routesOf(answers.jobs, ownFeatures)

const house = openHouse('key-one', { llm: scriptedLLM([{ value: {} }]), search: scriptedSearch({ web: [] }) })

async function description(): Promise<Record<string, unknown>> {
  return (await (await fetch(`${house.server.url}/openapi.json`)).json()) as Record<string, unknown>
}

test(
  'the description is valid OpenAPI 3.1, and every reference in it leads somewhere',
  { tags: ['long'] },
  async () => {
    const document = await description()
    const validator = new Validator()
    const result = await validator.validate(structuredClone(document))
    expect(result).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to)
    expect(references.length).toBeGreaterThan(10)
    for (const reference of new Set(references)) {
      const found = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
      expect({ reference, found: typeof found }).toEqual({ reference, found: 'object' })
    }
  },
)

describe('The description, as tools that generate requests and check responses read it,', () => {
  interface Operation {
    readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly schema: object }[]
    readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
    readonly responses: Readonly<
      Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
    >
  }
  interface Schema {
    readonly $ref?: string
    readonly oneOf?: readonly { readonly $ref?: string }[]
    readonly allOf?: unknown
    readonly required?: readonly string[]
    readonly additionalProperties?: unknown
    readonly properties?: Readonly<Record<string, { readonly 'x-refused'?: boolean }>>
  }
  const operation = async (method: 'get' | 'post', path: string): Promise<Operation> => {
    const { paths } = (await description()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    }
    return paths[path]![method]!
  }
  const parameter = async (path: string, name: string) =>
    (await operation('get', path)).parameters?.find((one) => one.name === name)

  test.each(['/v2/scrape', '/v1/scrape', '/v2/map', '/v1/map', '/v2/extract'])(
    'has the failure with status 200 of %s',
    async (path) => {
      const { schema } = (await operation('post', path)).responses['200']!.content['application/json']!
      const { components } = (await description()) as {
        readonly components: { readonly schemas: Record<string, Schema> }
      }
      const { oneOf } = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!
      expect(oneOf).toContainEqual({ $ref: '#/components/schemas/Error' })
    },
  )

  test('has a JSON body of /v2/parse that can be valid', async () => {
    const { schema } = (await operation('post', '/v2/parse')).requestBody!.content['application/json']!
    expect(schema).not.toHaveProperty('allOf')
    expect(schema.required).toEqual(['uploadRef'])
    expect(schema.properties).toMatchObject({ uploadRef: { type: 'string' }, formats: {} })
  })

  test('has every type of an exported dataset', async () => {
    const { content } = (await operation('get', '/v2/datasets/{name}/export')).responses['200']!
    expect(Object.keys(content)).toEqual(['application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet'])
  })

  test.each(['/v2/changes', '/v2/changes/diff'])('requires the URL of %s', async (path) => {
    expect(await parameter(path, 'url')).toMatchObject({ required: true })
  })

  test('limits the activity of a team, and names its endpoints', async () => {
    expect(await parameter('/v2/team/activity', 'limit')).toMatchObject({ schema: { minimum: 1, maximum: 100 } })
    const examples: unknown = expect.arrayContaining(['scrape', 'crawl', 'batch_scrape'])
    expect(await parameter('/v2/team/activity', 'endpoint')).toMatchObject({ schema: { examples } })
  })

  test.each([
    ['/v2/scrape', true],
    ['/v2/agent', true],
    ['/v2/monitor', false],
    ['/v2/datasets', false],
    ['/v2/scripts', false],
  ])('lists options of pages that are not offered only where pages are requested: %s, %s', async (path, isListed) => {
    const { schema } = (await operation('post', path)).requestBody!.content['application/json']!
    expect(Object.values(schema.properties ?? {}).some((one) => one['x-refused'] === true)).toBe(isListed)
  })
})

/** Names that hold a word of secrets, and none. */
const noSecrets: Readonly<Record<string, string>> = {
  key: 'of the action press: the action is encrypted as a whole; in filters and answers a name',
  keys: 'names of a map',
  maxTokens: 'a number',
  tokens: 'a number',
  tokensUsed: 'a number',
  secret: 'whether a parameter of a script is one',
  __searchPreviewToken: 'sent by official clients and dropped unread',
}

test('an option whose name looks like that of a secret is declared as one, so that stored requests have it encrypted', async () => {
  // A server with everything on.
  const model = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'x', MODEL_NAME: 'm' }
  const env = { ...model, SEARXNG_ENDPOINT: 'http://127.0.0.1:9', HARVESTMAN_PORT: '0', HARVESTMAN_LOG: 'silent' }
  const server = await openServer(readConfig({ env: { ...env, HARVESTMAN_STORE: 'memory:' } }).config)
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Record<string, unknown>
  await server.close()
  const undeclared = new Set<string>()
  const resolve = (schema: Record<string, unknown>): Record<string, unknown> => {
    const { $ref } = schema as { readonly $ref?: string }
    if ($ref === undefined) return schema
    const found = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
    return found as Record<string, unknown>
  }
  const seen = new Set<object>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    const schema = resolve(value as Record<string, unknown>)
    for (const [name, option] of Object.entries((schema['properties'] ?? {}) as Record<string, object>)) {
      const words = name
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .split(/[\s_-]+/)
      const looksSecret = words.some((word) =>
        /^(?:key|token|secret|password|authorization|cookie|header|credential)s?$/.test(word),
      )
      const declared = { ...(option as Record<string, unknown>), ...resolve(option as Record<string, unknown>) }
      if (looksSecret && declared['x-secret'] !== true && !Object.hasOwn(noSecrets, name)) undeclared.add(name)
    }
    for (const part of Object.values(schema)) walk(part)
  }
  for (const path of Object.values(document['paths'] as Record<string, Record<string, { requestBody?: object }>>))
    for (const { requestBody } of Object.values(path)) walk(requestBody)
  expect(seen.size).toBeGreaterThan(500)
  expect([...undeclared]).toEqual([])
})

const ofPlugins: ReadonlySet<string> = new Set(['monitor', 'datasets', 'extractors', 'scripts'])
/** Off by default. */
const bySetting: ReadonlySet<string> = new Set(['/v2/site-apis'])

describe('The example of a row', () => {
  // Those that need a port, a plugin, or the key of an operator, are sent where these are tested.
  const shown = routes.filter(
    ({ example, needs, version, group, path }) =>
      example !== undefined &&
      needs.length === 0 &&
      version !== undefined &&
      !ofPlugins.has(group) &&
      !bySetting.has(path),
  )

  test.each(shown.filter(({ takesFile }) => takesFile).map(({ path, example }) => [path, example] as const))(
    '%s is carried out, with a file',
    async (path, example) => {
      const form = new FormData()
      form.append('file', new Blob(['<main><h1>A file</h1></main>']), 'file.html')
      form.append('options', JSON.stringify(example))
      const init = { method: 'POST', body: form, headers: { authorization: 'Bearer key-one' } }
      const response = await fetch(house.server.url + path, init)
      expect(await response.json()).toMatchObject({ success: true, data: { markdown: '# A file' } })
    },
  )

  const asked = shown.filter(({ takesFile }) => !takesFile)
  const rows = asked.map(({ method, path, example }) => [method, path, example] as const)
  test.each(rows)('%s %s is carried out', async (method, path, example) => {
    const body: unknown = JSON.parse(JSON.stringify(example).replaceAll('https://example.com', house.at('/crawl')))
    expect(await askServer(house, method, path, { body })).toMatchObject({ status: 200, body: { success: true } })
  })
})
