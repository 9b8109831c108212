import { signal } from '@preact/signals'

import { served, servedKind, titleOf, type ServedKind } from './kinds.ts'
import { place } from './router.ts'
import { isOffered, type Description } from './schema.ts'

export type Values = Readonly<Record<string, unknown>>

/** The option that the main input sets, and how it is entered. */
export interface Target {
  readonly name: string
  readonly as: 'url' | 'urls' | 'words' | 'text' | 'lines' | 'file'
}

/** A kind of request in the form, which is shown if the server offers its endpoint. */
export interface Tried {
  readonly label: string
  readonly path: string
  readonly target: Target
  /** Method of the official SDK, if there is one. */
  readonly method?: string
  /** CLI command that accepts any option as JSON. */
  readonly command?: string
  /** Options of the MCP tool with the same name. */
  readonly tool?: readonly string[]
  /** Name of a plugin's job kind. */
  readonly served?: string
  /** Where requests contain page options. Absent if they have no page options. */
  readonly pageIn?: 'request' | 'scrapeOptions'
  /** Example of a prompt. */
  readonly words?: string
  /** Path of the endpoint that previews the options for a prompt. */
  readonly plan?: string
}

const url = { name: 'url', as: 'url' } as const
const urls = { name: 'urls', as: 'urls' } as const

const page: Tried = {
  label: 'Page',
  path: '/v2/scrape',
  method: 'scrape',
  command: 'scrape',
  tool: ['url', 'formats', 'onlyMainContent', 'waitFor'],
  target: url,
  pageIn: 'request',
}

const ours: Readonly<Record<string, Tried>> = {
  scrape: page,
  crawl: {
    label: 'Crawl a site',
    path: '/v2/crawl',
    method: 'crawl',
    command: 'crawl',
    tool: ['url', 'limit', 'includePaths', 'excludePaths'],
    target: url,
    pageIn: 'scrapeOptions',
    words: 'The documentation, without old versions',
    plan: '/v2/crawl/params-preview',
  },
  map: {
    label: 'Map a site',
    path: '/v2/map',
    method: 'map',
    command: 'map',
    tool: ['url', 'search', 'limit'],
    target: url,
  },
  batch: {
    label: 'Batch of pages',
    path: '/v2/batch/scrape',
    method: 'batchScrape',
    command: 'batch',
    target: urls,
    pageIn: 'request',
  },
  search: {
    label: 'Search',
    path: '/v2/search',
    method: 'search',
    command: 'search',
    tool: ['query', 'limit', 'tbs', 'includeDomains'],
    target: { name: 'query', as: 'words' },
  },
  parse: {
    label: 'Parse a file',
    path: '/v2/parse',
    method: 'parse',
    target: { name: 'file', as: 'file' },
    pageIn: 'request',
  },
}

export type Kind = string

/**
 * Returns the form settings of a kind: of a plugin, or our own. Returns `undefined` if forms cannot send requests of
 * it.
 */
export function triedAs(kind: Kind): Tried | undefined {
  const found = servedKind(kind)
  if (!found) return Object.hasOwn(ours, kind) ? ours[kind] : undefined
  return { label: titleOf(found), path: found.path, target: targetIn(found), served: kind }
}

/** Like `triedAs`, but an unknown kind gets the settings of a page. */
export function tried(kind: Kind): Tried {
  return triedAs(kind) ?? page
}

const longText = 5_000

function targetIn({ about: name, request: { properties = {} } }: ServedKind): Target {
  const { type, maxLength = 0 } = properties[name] ?? {}
  if (type === 'array') return { name, as: name === 'urls' ? 'urls' : 'lines' }
  if (name === 'url') return { name, as: 'url' }
  return { name, as: maxLength >= longText ? 'text' : 'words' }
}

/** A request that is being edited. */
export interface Draft {
  readonly kind: Kind
  /** The URL, several URLs (one per line), or the query of a search. */
  readonly url: string
  readonly formats: readonly string[]
  /** Format options by format name. */
  readonly formatValues: Readonly<Record<string, Values>>
  readonly values: Values
}

/** The initial draft. */
export const usualDraft: Draft = {
  kind: 'scrape',
  url: '',
  formats: ['markdown', 'links'],
  formatValues: {},
  values: {},
}

/** Returns whether the form can be shown before the server has listed its job kinds. */
export function isPlaceKnown(): boolean {
  const given = place.value.query.get('request')
  if (given === null) return true
  try {
    const { kind = usualDraft.kind } = JSON.parse(given) as Partial<Draft>
    return triedAs(kind) !== undefined
  } catch {
    return true
  }
}

/**
 * Returns the draft in the URL of the page, so that requests can be shared as links. Returns the default draft if the
 * URL has no valid one.
 */
export function draftOfPlace(): Draft {
  const given = place.value.query.get('request')
  if (given === null) return usualDraft
  try {
    const draft = { ...usualDraft, ...(JSON.parse(given) as Partial<Draft>) }
    return triedAs(draft.kind) ? draft : usualDraft
  } catch {
    return usualDraft
  }
}

/** Returns the kinds that the form offers. Before the server's description is loaded, only `scrape`. */
export function offeredKinds(description: Description | undefined): readonly Kind[] {
  const all = new Set([...Object.keys(ours), ...(served.value ?? []).map(({ kind }) => kind)])
  return description ? [...all].filter((kind) => isOffered(tried(kind).path, description)) : ['scrape']
}

/** Returns the option that the main input sets. For an unknown kind, the URL of a page. */
export function targetOf(kind: Kind): Target {
  return tried(kind).target
}

/** Returns the options with an input outside of the options form; `undefined` for the default ones. */
export function apartOf(kind: Kind): ReadonlySet<string> | undefined {
  return tried(kind).served === undefined ? undefined : new Set([targetOf(kind).name])
}

/** The selected file. It stays in this page; a shared draft contains only its name. */
export const chosenFile = signal<File | undefined>(undefined)

/** Returns whether requests of this kind have page options, to which the formats belong. `false` for an unknown kind. */
export function hasFormats(kind: Kind): boolean {
  return triedAs(kind)?.pageIn !== undefined
}

/**
 * Returns the request body: only values that differ from the server's defaults. Does not check the values: the server
 * does.
 */
export function requestOf({ kind, url, formats, formatValues, values }: Draft): Record<string, unknown> {
  const { name, as } = targetOf(kind)
  const about = {
    url: () => withScheme(url.trim()),
    urls: () => url.split(/\s+/).filter(Boolean).map(withScheme),
    words: () => url.trim(),
    text: () => url.trim(),
    lines: () =>
      url
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    file: () => undefined,
  }[as]()
  const asked = formats.map((name) => {
    const options = formatValues[name] ?? {}
    return Object.keys(options).length > 0 ? { type: name, ...options } : name
  })
  const isUsual = !hasFormats(kind) || (asked.length === 1 && asked[0] === 'markdown')
  const format = isUsual ? {} : { formats: asked }
  if (as === 'file') return { ...format, ...values }
  if (tried(kind).pageIn !== 'scrapeOptions') return { [name]: about, ...format, ...values }
  const page = { ...format, ...(values['scrapeOptions'] as object | undefined) }
  return { [name]: about, ...values, ...(Object.keys(page).length > 0 && { scrapeOptions: page }) }
}

function withScheme(url: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(url) && !/^[\w.-]+:\d+(\/|$)/.test(url) ? url : `https://${url}`
}
