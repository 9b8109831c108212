import { signal } from '@preact/signals'

import { place } from './router.ts'
import { isOffered, type Description } from './schema.ts'

export type Values = Readonly<Record<string, unknown>>

/** What can be tried: each is one endpoint, shown when the server offers it. */
export const kinds = {
  scrape: { label: 'Page', path: '/v2/scrape', method: 'scrape' },
  crawl: { label: 'Crawl a site', path: '/v2/crawl', method: 'crawl' },
  map: { label: 'Map a site', path: '/v2/map', method: 'map' },
  batch: { label: 'Many pages', path: '/v2/batch/scrape', method: 'batchScrape' },
  search: { label: 'Search', path: '/v2/search', method: 'search' },
  extract: { label: 'Extract data', path: '/v2/extract', method: 'extract' },
  agent: { label: 'Ask the web', path: '/v2/agent', method: 'agent' },
  parse: { label: 'Read a file', path: '/v2/parse', method: 'parse' },
} as const
export type Kind = keyof typeof kinds

/** A request as it is being written. */
export interface Draft {
  readonly kind: Kind
  /** The address, or one a line, or the words of a search. */
  readonly url: string
  readonly formats: readonly string[]
  /** The options of a format, by its name. */
  readonly formatValues: Readonly<Record<string, Values>>
  readonly values: Values
}

const usualDraft: Draft = {
  kind: 'scrape',
  url: '',
  formats: ['markdown', 'links'],
  formatValues: {},
  values: {},
}

/** The draft that the address of the page names, so that requests can be shared as links. */
export function draftOfPlace(): Draft {
  const given = place.value.query.get('request')
  if (given === null) return usualDraft
  try {
    const draft = { ...usualDraft, ...(JSON.parse(given) as Partial<Draft>) }
    return draft.kind in kinds ? draft : usualDraft
  } catch {
    return usualDraft
  }
}

export function offeredKinds(description: Description | undefined): readonly Kind[] {
  const all = Object.keys(kinds) as Kind[]
  return description ? all.filter((kind) => isOffered(kinds[kind].path, description)) : ['scrape']
}

export type Target = 'url' | 'urls' | 'query' | 'prompt' | 'file'
const targets: Readonly<Record<Kind, Target>> = {
  scrape: 'url',
  crawl: 'url',
  map: 'url',
  batch: 'urls',
  search: 'query',
  extract: 'urls',
  agent: 'prompt',
  parse: 'file',
}

/** Which field of a request the line at the top stands for. */
export function targetOf(kind: Kind): Target {
  return targets[kind]
}

/** The file that is to be read. It stays in this page: a draft that is shared has its name only. */
export const chosenFile = signal<File | undefined>(undefined)

export function hasFormats(kind: Kind): boolean {
  return kind === 'scrape' || kind === 'crawl' || kind === 'batch' || kind === 'parse'
}

/** What would be sent: only what differs from what the server does anyhow. */
export function requestOf({ kind, url, formats, formatValues, values }: Draft): Record<string, unknown> {
  const target = targetOf(kind)
  const about = {
    url: () => withScheme(url.trim()),
    urls: () => url.split(/\s+/).filter(Boolean).map(withScheme),
    query: () => url.trim(),
    prompt: () => url.trim(),
    file: () => undefined,
  }[target]()
  const asked = formats.map((name) => {
    const options = formatValues[name] ?? {}
    return Object.keys(options).length > 0 ? { type: name, ...options } : name
  })
  const isUsual = !hasFormats(kind) || (asked.length === 1 && asked[0] === 'markdown')
  const format = isUsual ? {} : { formats: asked }
  if (target === 'file') return { ...format, ...values }
  if (kind !== 'crawl') return { [target]: about, ...format, ...values }
  const page = { ...format, ...(values['scrapeOptions'] as object | undefined) }
  return { [target]: about, ...values, ...(Object.keys(page).length > 0 && { scrapeOptions: page }) }
}

function withScheme(url: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(url) && !/^[\w.-]+:\d+(\/|$)/.test(url) ? url : `https://${url}`
}
