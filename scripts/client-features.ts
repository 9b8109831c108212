// Writes the features of @harvestman/client from the endpoints that `harvestman serve` always has, so that neither can drift
// from the other. `node scripts/client-features.ts` writes them; a test checks that they are up to date.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { hasInput, paramNames, resultFormOf, type Endpoint } from '../packages/core/src/plugin.ts'
import { ownFeatures } from '../packages/node/src/own-features.ts'
import { describeSchema } from '../packages/core/src/schema.ts'
import { printer, type JsonSchema } from './client-types.ts'

export const file = fileURLToPath(new URL('../packages/client/src/own-features.ts', import.meta.url))

/** A named part of schemas, as the first endpoint that has it takes or returns it. */
interface Named {
  readonly schema: JsonSchema
  readonly io: 'input' | 'output'
}

function printerOf(io: 'input' | 'output', named: Map<string, Named>) {
  const schemas = Object.fromEntries([...named].map(([name, { schema }]) => [name, schema]))
  return printer(new Map(), { paths: {}, components: { schemas } }, io)
}

type Schema = Endpoint['input']
type DescribedParts = JsonSchema & { readonly $defs?: Readonly<Record<string, JsonSchema>> }

const jsonTypes = 'string,number,boolean,null,array,object'

/** Names the schema `z.json()` "Json". Throws for another recursive schema without a name. */
function withNamedJson(described: DescribedParts): DescribedParts {
  const [unnamed, ...others] = Object.keys(described.$defs ?? {}).filter((name) => name.startsWith('__schema'))
  if (unnamed === undefined) return described
  const types = described.$defs?.[unnamed]?.anyOf?.map(({ type }) => type).join(',')
  if (others.length > 0 || types !== jsonTypes)
    throw new Error('A recursive schema has no name. Give it one with meta({ id }).')
  return JSON.parse(JSON.stringify(described).replaceAll(unnamed, 'Json')) as DescribedParts
}

/** The JSON Schema of a schema; its named parts go to `named`. */
function jsonSchema(schema: Schema, io: 'input' | 'output', named: Map<string, Named>): JsonSchema {
  const { $defs = {}, ...rest } = withNamedJson(describeSchema(schema, io))
  for (const [name, part] of Object.entries($defs)) named.set(name, named.get(name) ?? { schema: part, io })
  return rest
}

function methodOf(name: string, endpoint: Endpoint, named: Map<string, Named>): string {
  const print = (schema: Schema, io: 'input' | 'output') => {
    const described = jsonSchema(schema, io, named)
    return printerOf(io, named).print(described)
  }
  const ids = paramNames(endpoint.path).map((id) => `${id}: string`)
  const described = jsonSchema(endpoint.input, 'input', named)
  const { required = [] } = named.get(described.$ref?.split('/').at(-1) ?? '')?.schema ?? described
  const input = hasInput(endpoint) ? [`input${required.length > 0 ? '' : '?'}: ${print(endpoint.input, 'input')}`] : []
  const form = resultFormOf(endpoint)
  const result = form === 'file' ? 'Response' : form === 'none' ? 'void' : print(endpoint.output, 'output')
  return `/** ${endpoint.summary} */\n${name}(${[...ids, ...input, 'options?: WaitOptions'].join(', ')}): Promise<${result}>`
}

/** What a client needs to know to call an endpoint. */
function routeOf(endpoint: Endpoint): object {
  const { method, path, isRepeatable, property } = endpoint
  const timeout = describeSchema(endpoint.input).properties?.['timeout'] as
    | { readonly default?: unknown; readonly unit?: unknown }
    | undefined
  const result = resultFormOf(endpoint)
  const route = {
    ...{ method, path },
    ...(result !== 'data' && { result }),
    ...(property !== 'data' && { property }),
    ...(hasInput(endpoint) && { hasInput: true }),
    ...(isRepeatable !== (method !== 'POST') && { isRepeatable }),
  }
  if (timeout === undefined) return route
  return { ...route, timeout: timeout.default, ...(timeout.unit === 's' && { timeoutUnit: 's' }) }
}

const typeName = (feature: string): string => feature.charAt(0).toUpperCase() + feature.slice(1)

/** The text of the file. */
export function makeFeatures(): string {
  const named = new Map<string, Named>()
  const interfaces = ownFeatures.map(({ name, endpoints }) => {
    const methods = Object.entries(endpoints).map(([key, endpoint]) => methodOf(key, endpoint, named))
    return `/** The endpoints of \`${name}\`. */\nexport interface ${typeName(name)} {\n${methods.join('\n')}\n}`
  })
  const types = [...named].map(([name, { schema, io }]) => {
    const { description = `${name}.`, ...rest } = schema
    return `/** ${description} */\nexport type ${name} = ${printerOf(io, named).print(rest)}`
  })
  const members = ownFeatures.map(({ name }) => `readonly ${name}: ${typeName(name)}`)
  const routes = Object.fromEntries(
    ownFeatures.map(({ name, endpoints }) => [
      name,
      Object.fromEntries(Object.entries(endpoints).map(([key, endpoint]) => [key, routeOf(endpoint)])),
    ]),
  )
  return [
    '// Written by scripts/client-features.ts from the endpoints of the features. Change those, and run it.',
    "import type { WaitOptions } from './job.ts'\nimport type { KnownRoutes } from './features.ts'",
    ...types,
    ...interfaces,
    `/** The features that every server has. */\nexport interface OwnFeatures {\n${members.join('\n')}\n}`,
    `/** Their routes. */\nexport const ownRoutes: KnownRoutes = ${JSON.stringify(routes)}`,
    '',
  ].join('\n\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(file, makeFeatures())
  console.log(`${file} is written. Format it with oxfmt.`)
}
