// Writes the types of @harvestman/client from the schemas that the server checks with, so that neither can drift from the
// other. `node scripts/client-types.ts` writes them; a test checks that they are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { createEngine } from '../packages/core/src/index.ts'
import { data } from '../packages/data/src/index.ts'
import { describeApi } from '../packages/http/src/api/openapi.ts'
import { routesOf } from '../packages/http/src/index.ts'
import { sitePreferences } from '../packages/manners/src/index.ts'
import { recrawl } from '../packages/recrawl/src/index.ts'

export const file = fileURLToPath(new URL('../packages/client/src/types.ts', import.meta.url))

/** The parts of JSON Schema that are printed as types. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly deprecated?: boolean
  readonly default?: unknown
  readonly const?: unknown
  readonly $ref?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema | false
  readonly prefixItems?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
}

interface Operation {
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json'?: { readonly schema: JsonSchema }
      /** A file, and what is said of it in the field `options`. */
      readonly 'multipart/form-data'?: { readonly schema: JsonSchema }
    }
  }
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } }>
  >
}

/** The parts of an OpenAPI document that types are made of. */
export interface Description {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** What `harvestman serve` always has. */
const plugins = [data(), recrawl(), sitePreferences()]

/** Describes the API of such a server, with each schema in its place. */
function describe(): Description {
  const engine = createEngine({ plugins })
  return JSON.parse(JSON.stringify(describeApi(routesOf(engine.kinds), engine.schemas))) as Description
}

function operationAt({ paths }: Description, path: string): Operation {
  const operation = paths[path]?.post
  if (!operation) throw new Error(`There is no POST ${path}.`)
  return operation
}

/** The name of a part, without the mark that it is part of a request where nothing else has the name. */
function typeName(part: string, schemas: Readonly<Record<string, JsonSchema>>): string {
  const bare = part.replace(/Input$/, '')
  return bare in schemas ? part : bare
}

/** What a body may have, but for what is taken from older clients only. */
function bodyOf({ requestBody }: Operation): JsonSchema {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {}
  const schema = form?.schema.properties?.['options'] ?? json?.schema ?? {}
  const kept = Object.entries(schema.properties ?? {}).filter(([, property]) => property.deprecated !== true)
  return { ...schema, properties: Object.fromEntries(kept) }
}

/** Prints types; parts that have a name are printed as it. What is given may also be left out by saying `undefined`. */
export function printer(
  named: ReadonlyMap<string, string>,
  { components: { schemas } }: Description,
  io: 'input' | 'output' = 'input',
) {
  const print = (schema: JsonSchema, skipName = false): string => {
    const name = named.get(keyOf(schema))
    if (name !== undefined && !skipName) return name
    if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '', schemas)
    if ('const' in schema) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf
    if (branches) {
      // Beside words that are known, any other text is let in without hiding those.
      const isOpen = schema.allOf === undefined && branches.some((branch) => branch.enum)
      const printed = branches
        .map((branch) => print(branch))
        .map((one) => (isOpen && one === 'string' ? '(string & {})' : one))
      return printed.join(schema.allOf ? ' & ' : ' | ')
    }
    return [schema.type]
      .flat()
      .map((type) => printAs(type, schema))
      .join(' | ')
  }
  const printAs = (type: string | undefined, schema: JsonSchema): string => {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
      case 'undefined':
        return type
      case 'integer':
      case 'number':
        return 'number'
      case 'array':
        return printArray(schema)
      case 'object':
        return fields(schema)
      default:
        return 'unknown'
    }
  }
  const printArray = ({ prefixItems, items }: JsonSchema): string => {
    const all = typeof items === 'object' ? `(${print(items)})[]` : undefined
    if (!prefixItems) return `readonly ${all ?? 'unknown[]'}`
    return `readonly [${[...prefixItems.map((one) => print(one)), ...(all === undefined ? [] : [`...${all}`])].join(', ')}]`
  }
  const fields = ({ properties = {}, required = [], additionalProperties }: JsonSchema): string => {
    const lines = Object.entries(properties).map(([name, schema]) => {
      const isOptional = !required.includes(name)
      return `${comment(schema)}readonly ${/^[\w$]+$/.test(name) ? name : JSON.stringify(name)}${isOptional ? '?' : ''}: ${print(schema)}${isOptional && io === 'input' ? ' | undefined' : ''}`
    })
    if (typeof additionalProperties === 'object') {
      const value = lines.length > 0 ? 'unknown' : print(additionalProperties)
      lines.push(`readonly [key: string]: ${value}`)
    }
    return `{\n${lines.join('\n')}\n}`
  }
  return { print, fields }
}

function comment({ description, default: value }: JsonSchema): string {
  const says = [description, value !== undefined && `Default: \`${JSON.stringify(value)}\`.`].filter(Boolean)
  return says.length > 0 ? `/** ${says.join(' ').replaceAll('*/', '* /')} */\n` : ''
}

/** Two parts are the same when they say the same, whatever they default to. */
function keyOf(schema: JsonSchema): string {
  return JSON.stringify({ ...schema, default: undefined, description: undefined })
}

function without(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.has(name))
  const required = (schema.required ?? []).filter((name) => !names.has(name))
  return { ...schema, properties: Object.fromEntries(properties), required }
}

/** The options of a page are those of a scrape; only what they are when nothing is said differs. */
function withOptions(schema: JsonSchema): JsonSchema {
  const { scrapeOptions: _, ...properties } = schema.properties ?? {}
  return { ...schema, properties }
}

function described(schema: JsonSchema | false = {}, description: string): JsonSchema {
  return { description, ...schema }
}

/** The fields of a document. A format that only warns when it fails then gives none. */
function documentOf(schema: JsonSchema | undefined): JsonSchema {
  const warning = new Set<string>(
    plugins.flatMap(({ formats }) => formats.filter(({ onFailure }) => onFailure === 'warn').map(({ type }) => type)),
  )
  const properties = Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description = '', ...rest } = property
    return [name, warning.has(name) ? { description, anyOf: [rest, { type: 'undefined' }] } : property] as const
  })
  return { ...schema, properties: Object.fromEntries(properties), additionalProperties: false }
}

/** The text of the file. */
export function makeTypes(): string {
  const description = describe()
  const body = (path: string) => bodyOf(operationAt(description, path))
  const scrape = body('/v2/scrape')
  const crawl = body('/v2/crawl')
  const options = without(scrape, new Set(['url']))
  const batch = without(body('/v2/batch/scrape'), new Set(Object.keys(options.properties ?? {})))
  const response = operationAt(description, '/v2/scrape').responses['200']?.content['application/json'].schema
  // The other alternative is the failure with status 200.
  const [document] = response?.oneOf ?? []
  const parts = [
    [
      'FormatEntry',
      described(
        scrape.properties?.['formats']?.items,
        'A format in a request: its name, or an object with its options.',
      ),
    ],
    ['ActionEntry', described(scrape.properties?.['actions']?.items, 'An action in a request.')],
    ['ScrapeOptions', crawl.properties?.['scrapeOptions'] ?? {}],
  ] as const
  const { print, fields } = printer(new Map(parts.map(([name, schema]) => [keyOf(schema), name])), description)
  const answers = printer(new Map(), description, 'output')
  const declare = (name: string, schema: JsonSchema): string =>
    schema.properties
      ? `${comment({ ...schema, default: undefined })}export interface ${name} ${fields(schema)}`
      : `${comment({ ...schema, default: undefined })}export type ${name} = ${print(schema, true)}`
  const { schemas } = description.components
  const shared = Object.entries(schemas).filter(([name]) => name !== 'Error')
  return [
    '// Written by scripts/client-types.ts from the schemas of the engine. Change those, and run it.',
    ...shared.map(([name, schema]) => declare(typeName(name, schemas), schema)),
    ...parts.map(([name, schema]) => declare(name, schema)),
    `/** Options of parsing a file. */\nexport interface ParseOptions ${fields(body('/v2/parse'))}`,
    `/** Request for a crawl. */\nexport interface CrawlRequest ${fields(crawl)}`,
    `/** Request for a batch: many URLs with the same options. */\nexport interface BatchRequest extends ScrapeOptions ${fields(batch)}`,
    `/** Request for a map. */\nexport interface MapRequest ${fields(body('/v2/map'))}`,
    `/** Request for a search. */\nexport interface SearchRequest ${fields(withOptions(body('/v2/search')))}`,
    `/** A page in the requested formats. */\nexport interface Document ${answers.fields(documentOf(document?.properties?.['data']))}`,
    '',
  ].join('\n\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(file, makeTypes())
  console.log(`${file} has ${readFileSync(file, 'utf8').split('\n').length} lines. Format it with oxfmt.`)
}
