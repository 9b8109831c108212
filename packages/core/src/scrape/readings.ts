import type { Pricing } from '../credits/pricing.ts'
import type { Field, Format, PageReading, ReadingModule } from '../plugin/field.ts'
import type { Registry } from '../plugin/registry.ts'
import type { Json } from '@harvestman/ports'
import type { ScrapeRequest } from '../schema/scrape.ts'

/** A value that is read from the tree of the page, off the main thread. */
export interface Reading {
  readonly field: string
  readonly name: string
  readonly options: Json
  /** The value is wanted as `EncodedJson`. */
  readonly encode?: boolean
  /** Module that reads it, and the plugin that it belongs to; absent for readings of the engine. */
  readonly module?: ReadingModule & { readonly plugin: string }
}

/** Names a reading for a part of a plugin. */
export function readingOf(reading: string | PageReading, options: Json, plugin: string): Reading {
  if (typeof reading === 'string') return { field: reading, name: reading, options }
  const { name, module } = reading
  return { field: name, name, options, module: { ...module, plugin } }
}

/** Wishes of the caller of a scrape, beside the request. */
export interface Wants {
  /** Values of the page that the caller goes on from; they are given beside the document. */
  readonly readings?: readonly Reading[]
  /** The document is only kept: values in it that nothing looks at on the way may be `EncodedJson`. */
  readonly encoded?: boolean
  /** The document says what was decided on the way, and why. */
  readonly explain?: boolean
  /** The page is one of a job. */
  readonly isOfJob?: boolean
  /** Pricing, if not as a page by itself. */
  readonly pricing?: Pricing | undefined
}

/** Why the content of a page is not in its HTML. */
export type ShellReason = 'scripts' | 'frames'

/** Read from every page: why its content is still missing, a `ShellReason` or null. */
const shell: Reading = { field: 'page.shell', name: 'shell', options: null }

/** Reads which blocks of the page were kept, and the features that decided. */
export const explainedBlocks: Reading = { field: 'page.explain', name: 'explain', options: null }

/** Everything that is read from the page: for the formats, for the caller, and for who asked why. */
export function findReadings(
  users: readonly Field[],
  request: ScrapeRequest,
  registry: Registry,
  { readings = [], encoded = false, explain = false }: Wants,
): readonly Reading[] {
  const fields = readFields(users, request, registry)
  const own = encoded ? encodedWherePossible(fields, users, registry) : fields
  return [shell, ...own, ...readings, ...(explain ? [explainedBlocks] : [])]
}

/** Follows the needs of every format and keeper down to what is read from the page. */
function readFields(users: readonly Field[], request: ScrapeRequest, registry: Registry): readonly Reading[] {
  const readings = new Map<string, Reading>()
  const seen = new Set<Field>()
  const visit = (field: Field, plugin: string): void => {
    if (seen.has(field)) return
    seen.add(field)
    const { name, read, module } = field
    if (read) {
      const own = { field: name, name: name.replace(/^page\./, ''), options: read(request) }
      readings.set(name, module ? { ...own, module: { ...module, plugin } } : own)
    }
    for (const need of Object.values(field.needs)) visit(registry.bind(need), plugin)
  }
  for (const user of users) visit(user, registry.ownerOf(user))
  visit(registry.format('metadata') as Format, '')
  return [...readings.values()]
}

/**
 * Lets what goes from the page into the document as it is be encoded as JSON where it is read: off the main
 * thread, which then has neither the texts nor their encoding.
 */
function encodedWherePossible(
  readings: readonly Reading[],
  all: readonly Field[],
  registry: Registry,
): readonly Reading[] {
  const users = usersOf(all, registry)
  const isOnlyNamed = ({ field }: Reading): boolean => {
    const [user, ...others] = users.get(field) ?? []
    return others.length === 0 && user !== undefined && isFormatOf(user, field) && !users.has(user.name)
  }
  return readings.map((reading) => (isOnlyNamed(reading) ? { ...reading, encode: true } : reading))
}

/** For the name of each field that is needed, those that need it. */
function usersOf(all: readonly Field[], registry: Registry): ReadonlyMap<string, readonly Field[]> {
  const users = new Map<string, Field[]>()
  const visit = (user: Field): void => {
    for (const need of Object.values(user.needs)) {
      const field = registry.bind(need)
      const known = users.get(field.name)
      if (known?.includes(user)) continue
      users.set(field.name, [...(known ?? []), user])
      if (!known) visit(field)
    }
  }
  for (const user of all) visit(user)
  return users
}

function isFormatOf(user: Field, field: string): boolean {
  return (user as Format).is?.name === field
}
