import type { Pricing } from '../credits/pricing.ts'
import type { Field, Format, PageReading, ReadingModule } from '../plugin/field.ts'
import type { Registry } from '../plugin/registry.ts'
import type { Json } from '@harvestman/ports'
import { free, isEncodedJson } from '@harvestman/ports/values'
import type { ScrapeRequest } from '../schema/scrape.ts'

/** A value to read from the DOM of the page, outside the main thread. */
export interface Reading {
  readonly field: string
  readonly name: string
  readonly options: Json
  /** True to return the value as `EncodedJson`. The caller decodes it with `decodeReadings`. */
  readonly encode?: boolean
  /** Module that reads the value, and its plugin. Absent for the engine's own readings. */
  readonly module?: ReadingModule & { readonly plugin: string }
}

/** Creates a reading for a part of a plugin. */
export function readingOf(reading: string | PageReading, options: Json, plugin: string): Reading {
  if (typeof reading === 'string') return { field: reading, name: reading, options }
  const { name, module } = reading
  return { field: name, name, options, module: { ...module, plugin } }
}

/**
 * Decodes the encoded values of these readings and frees their bytes. Returns all values. The given ones must not be used
 * afterwards.
 */
export function decodeReadings(
  values: Readonly<Record<string, unknown>>,
  readings: readonly Reading[] = [],
): Readonly<Record<string, unknown>> {
  const decoded: Record<string, unknown> = { ...values }
  for (const { field, encode } of readings) {
    const value = decoded[field]
    if (!encode || !isEncodedJson(value)) continue
    decoded[field] = value.toJSON()
    free(value.json)
  }
  return decoded
}

/** Options of a scrape in addition to the request. */
export interface Wants {
  /** Values that the caller needs in addition to the document. */
  readonly readings?: readonly Reading[]
  /** True if the document is only stored or sent: values that no step inspects may be `EncodedJson`. */
  readonly encoded?: boolean
  /** True to explain in the document how it was made and why. */
  readonly explain?: boolean
  /** True if the caller needs the blocks of files that have pages. */
  readonly blocks?: boolean
  /** True if the page belongs to a job. */
  readonly isOfJob?: boolean
  /** Pricing, if not that of a single page. */
  readonly pricing?: Pricing | undefined
}

/** Reason why the content of a page is not in its HTML. */
export type ShellReason = 'scripts' | 'frames'

/** Read from every page: the reason why its content is missing, a `ShellReason` or null. */
const shell: Reading = { field: 'page.shell', name: 'shell', options: null }

/** Reads the blocks of the page, whether each is content, and the decisive features. */
export const explainedBlocks: Reading = { field: 'page.explain', name: 'explain', options: null }

/** Reads where the author, times and names in the metadata are on the page. */
export const explainedMetadata: Reading = { field: 'page.facts', name: 'facts', options: null }

/** Reads text that the page hides when it opens. */
export const explainedHidden: Reading = { field: 'page.hidden', name: 'hidden', options: null }

/** Reads whether the page shows a form to log in, and what only visitors who are logged in see. */
export const loginState: Reading = { field: 'page.login', name: 'login', options: null }

/** Reads the source of a text file, which is not in its tree. */
export const screenedSource: Reading = { field: 'page.screened', name: 'rawHtml', options: null }

// These contain text of the page that is not redacted.
const explained = [explainedBlocks, explainedMetadata, explainedHidden]

/**
 * Returns everything to read from the page: for the formats, for the caller and for `explain`. The values of the formats in
 * `shortened` are not encoded.
 */
export function findReadings(
  users: readonly Field[],
  request: ScrapeRequest,
  registry: Registry,
  { readings = [], encoded = false, explain = false, shortened }: Wants & { readonly shortened: ReadonlySet<Field> },
): readonly Reading[] {
  const fields = readFields(users, request, registry)
  const own = encoded ? encodedWherePossible(fields, users, { registry, shortened }) : fields
  return [shell, ...own, ...readings, ...(explain && !request.redactPII ? explained : [])]
}

/** Returns the readings that the formats, the keepers and their inputs need. */
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
 * Requests JSON encoding for values that go from the page into the document unchanged. They are encoded where they are read, so
 * that the main thread holds neither the strings nor their encoding.
 */
function encodedWherePossible(
  readings: readonly Reading[],
  all: readonly Field[],
  { registry, shortened }: { readonly registry: Registry; readonly shortened: ReadonlySet<Field> },
): readonly Reading[] {
  const users = usersOf(all, registry)
  const isOnlyNamed = ({ field }: Reading): boolean => {
    const [user, ...others] = users.get(field) ?? []
    const isUnchanged = user !== undefined && isFormatOf(user, field) && !shortened.has(user)
    return others.length === 0 && isUnchanged && !users.has(user.name)
  }
  return readings.map((reading) => (isOnlyNamed(reading) ? { ...reading, encode: true } : reading))
}

/** Returns which fields need each field, by name. */
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
