// The reference of every option, from the schemas that check them.
import { createEngine } from '../packages/core/src/index.ts'
import { liveLimitsSchema, liveOptionsSchema } from '../packages/live/src/options.ts'
import { describeSchema, type DescribedSchema } from '../packages/core/src/schema/described.ts'
import { defaultsSchema, keepSchema, limitsSchema } from '../packages/core/src/schema/engine-limits.ts'
import { engineOptionsSchema } from '../packages/core/src/schema/engine-options.ts'

const { schemas } = createEngine()
const requests = {
  scrape: schemas.scrape,
  crawl: schemas.crawl,
  batch: schemas.batch,
  map: schemas.map,
  engine: engineOptionsSchema(),
  limits: limitsSchema(),
  keep: keepSchema(),
  defaults: defaultsSchema(),
  live: liveOptionsSchema,
  liveLimits: liveLimitsSchema,
}

const described = Object.fromEntries(Object.entries(requests).map(([name, schema]) => [name, describeSchema(schema)]))
const named: Readonly<Record<string, DescribedSchema>> = Object.assign(
  {},
  ...Object.values(described).map(({ $defs }) => $defs),
)

/** The tables of the page, by the name they have there. */
export const references: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(Object.entries(described).map(([name, schema]) => [name, () => optionsOf(name, schema)])),
  formats: () => partsOf('Format'),
  actions: () => partsOf('Action'),
  shared: () => sections(Object.keys(named).filter((name) => !/(Format|Action)$/.test(name) && !name.startsWith('__'))),
}

function partsOf(kind: string): string {
  return sections(Object.keys(named).filter((name) => name.endsWith(kind)))
}

function sections(names: readonly string[]): string {
  return names.map((name) => section(name, named[name]!)).join('\n\n')
}

function section(name: string, schema: DescribedSchema): string {
  const { title = name, description } = schema
  const rows = rowsOf(schema).filter(([field]) => field !== '`type`')
  const heading = /(Format|Action)$/.test(name) ? `### \`${title}\`` : `### ${name}`
  return [heading, description, rows.length > 0 ? table(rows) : undefined].filter(Boolean).join('\n\n')
}

/** What a batch has of a scrape is told there. */
function optionsOf(name: string, schema: DescribedSchema): string {
  const known = name === 'batch' ? Object.keys(described['scrape']?.properties ?? {}) : []
  const elsewhere = name === 'engine' || name === 'live' ? ['limits', 'keep', 'defaults'] : []
  return table(rowsOf(schema).filter(([field = '']) => ![...known, ...elsewhere].includes(field.replaceAll('`', ''))))
}

function rowsOf({ properties = {}, required = [] }: DescribedSchema): string[][] {
  const current = Object.entries(properties).filter(([, { deprecated }]) => deprecated !== true)
  return current.map(([name, field]) => {
    const { description = '', needs } = { ...target(field), ...field }
    const meaning = [description, ...(needs === undefined ? [] : [`Needs ${needs}.`])].join(' ')
    return [`\`${name}\``, kindOf(field), defaultOf(field, required.includes(name)), meaning]
  })
}

function target({ $ref }: DescribedSchema): DescribedSchema {
  return $ref === undefined ? {} : (named[$ref.split('/').at(-1) ?? ''] ?? {})
}

function defaultOf({ default: value, defaultText }: DescribedSchema, isRequired: boolean): string {
  if (defaultText !== undefined) return defaultText
  if (value === undefined) return isRequired ? '**required**' : ''
  const text = JSON.stringify(value)
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0 && !Array.isArray(value)
    ? ''
    : `\`${typeof value === 'number' ? value.toLocaleString('en') : text}\``
}

/** What may be given, in words. */
function kindOf(field: DescribedSchema): string {
  if (field.$ref !== undefined) return link(field.$ref.split('/').at(-1) ?? '')
  const { anyOf, oneOf, enum: words, const: only, items, unit } = field
  if (Array.isArray(field.type)) return field.type.map((type: string) => kindOf({ ...field, type })).join(', or ')
  if (words) return words.map((word) => `\`${String(word)}\``).join(', ')
  if (only !== undefined) return `\`${JSON.stringify(only)}\``
  const some = anyOf ?? oneOf
  if (some) return [...new Set(some.map(kindOf))].slice(0, 3).join(', or ')
  if (items)
    return `list of ${kindOfItems(items).replace(/^string\b/, 'strings')}${bounds(field, 'minItems', 'maxItems', ' items')}`
  const simple: Readonly<Record<string, string>> = {
    string: `string${bounds(field, 'minLength', 'maxLength', ' characters')}`,
    boolean: 'true or false',
    integer: `whole number${bounds(field, 'minimum', 'maximum')}`,
    number: `number${bounds(field, field['exclusiveMinimum'] === undefined ? 'minimum' : 'exclusiveMinimum', 'maximum')}`,
    object: 'object',
    null: 'null',
  }
  return `${simple[field.type ?? ''] ?? 'object or function'}${unit === undefined ? '' : `, ${unit}`}`
}

function kindOfItems(items: DescribedSchema): string {
  const parts = [items, ...(items.anyOf ?? []), ...(items.oneOf ?? [])].flatMap(({ oneOf = [] }) => oneOf)
  if (parts.some(({ $ref }) => $ref?.endsWith('Format'))) return '[formats](#formats)'
  if (parts.some(({ $ref }) => $ref?.endsWith('Action'))) return '[actions](#actions)'
  return items.properties ? `objects (${Object.keys(items.properties).join(', ')})` : kindOf(items)
}

const largest = Number.MAX_SAFE_INTEGER

function bounds(field: DescribedSchema, least: string, most: string, unit = ''): string {
  const from = field[least] as number | undefined
  const to = field[most] as number | undefined
  const hasEnd = to !== undefined && to < largest
  const show = (value: number): string => value.toLocaleString('en')
  if (from !== undefined && from > -largest && hasEnd) return ` (${show(from)} to ${show(to)}${unit})`
  if (hasEnd) return ` (at most ${show(to)}${unit})`
  return from !== undefined && from > -largest ? ` (${show(from)}${unit} or more)` : ''
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`
}

function table(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['Option', 'Type', 'Default', 'Description']),
    line(['---', '---', '---', '---']),
    ...rows.map(line),
  ].join('\n')
}
