import { EngineError } from '@harvestman/core'

// Labels and hints of public API clients. They do not affect the result.
const labels = [
  'origin',
  'integration',
  'auditMetadata',
  'domainTools',
  'fastMode',
  'toolDetail',
  'useMock',
  '__experimental_cache',
  '__experimental_omce',
  '__experimental_omceDomain',
  '__experimental_stream',
  '__experimental_streamSteps',
  '__searchPreviewToken',
]

// Was an option of JSON formats before it applied to pages.
const injectionCheck = 'checkPromptInjection'

// These options promise something about the result, so they must not be ignored: only values that turn them off are accepted.
const promises = [
  'agent',
  'alexandria',
  injectionCheck,
  'lockdown',
  'onlyCleanContent',
  'profile',
  'redactPII',
  'safeMode',
  'threatProtection',
]

const ofExtraction = ['mode', 'temperature', injectionCheck]

interface EntryOptions {
  /** Options that are dropped if they are `false` or `null`. */
  readonly switches: readonly string[]
  /** Options that clients send as `null` if they are not set. Absent: all. */
  readonly nullable?: readonly string[]
}

const formatOptions: EntryOptions = {
  switches: [injectionCheck],
  nullable: ['prompt', 'schema', 'systemPrompt'],
}
const parserOptions: EntryOptions = { switches: [] }

/** Keys of clients that have no effect here, by the object that contains them. */
const labelsWithin: ReadonlyMap<string, readonly string[]> = new Map([
  ['jsonOptions', ofExtraction],
  ['extract', ofExtraction],
  // The n8n node repeats country and languages in it.
  ['location', ['settings']],
])

/** Keys that every JSON body may have in addition to its schema. */
export const clientKeys: ReadonlySet<string> = new Set([...labels, ...promises])

const onlyLabels: ReadonlySet<string> = new Set(labels)

/** Client keys that are accepted only with a value that turns them off. */
export const refusedKeys: ReadonlySet<string> = new Set(promises)

const pageGroups: ReadonlySet<string> = new Set(
  'scrape search map crawl batch parse extract agent deep-research llmstxt'.split(' '),
)

/** Returns the client keys of the bodies in a group of routes. Options of pages are unknown keys in groups that load none. */
export function clientKeysOf(group: string): ReadonlySet<string> {
  return pageGroups.has(group) ? clientKeys : onlyLabels
}

/**
 * Returns the body without the keys that public API clients add to it. Keys of the body's own schema (`known`) remain. In a
 * body with options of pages, entries of `formats`, `parsers` and `actions` that clients write differently are corrected too.
 * Throws `not_configured` if such a key asks for something that this server does not offer. The body is not changed.
 */
export function withoutClientKeys(
  body: unknown,
  known: ReadonlySet<string>,
  ofClients: ReadonlySet<string> = clientKeys,
): unknown {
  if (!isObject(body) || !Object.keys(body).some(isOfClients)) return body
  const isOfPages = known.has(pageOption)
  const rest: Record<string, unknown> = {}
  for (const [key, given] of Object.entries(body)) {
    const value = isOfPages && holders.has(key) ? withoutCheck(given, rest) : given
    if (known.has(key) || !ofClients.has(key))
      rest[key] = isOfPages ? readValue(key, value) : withoutLabels(value, labelsWithin.get(key))
    else if (promises.includes(key) && !isNo(value)) throw notOffered(key)
  }
  return rest
}

/** Properties that may have the option for a check of the page. */
const holders: ReadonlySet<string> = new Set(['formats', 'jsonOptions', 'extract'])

/** Moves the option for a check of the page from a format, where older clients set it, to the request. */
function withoutCheck(value: unknown, request: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutCheck(entry, request))
  if (!isObject(value) || value[injectionCheck] !== true) return value
  request[injectionCheck] = true
  const { [injectionCheck]: _, ...rest } = value
  return rest
}

function isOfClients(key: string): boolean {
  return clientKeys.has(key) || labelsWithin.has(key) || listReaders.has(key)
}

function readValue(key: string, value: unknown): unknown {
  const read = listReaders.get(key)
  return read && Array.isArray(value) ? read(value as readonly unknown[]) : withoutLabels(value, labelsWithin.get(key))
}

// Every body with the options of a page has it. Lists with these names in other bodies belong to the plugins that define them.
const pageOption = 'onlyMainContent'

const listReaders: ReadonlyMap<string, (list: readonly unknown[]) => readonly unknown[]> = new Map([
  ['formats', (formats) => formats.map((entry) => withoutUnset(entry, formatOptions))],
  ['parsers', (parsers) => parsers.map((entry) => withoutUnset(entry, parserOptions))],
  ['actions', (actions) => actions.map(readAction)],
])

/** Drops options that are not set. */
function withoutUnset(entry: unknown, { switches, nullable }: EntryOptions): unknown {
  if (!isObject(entry)) return entry
  const set = Object.entries(entry).filter(([key, value]) => {
    if (switches.includes(key)) return value !== null && value !== false
    return value !== null || nullable?.includes(key) === false
  })
  return Object.fromEntries(set)
}

/** Reads an action as clients write it: the Rust client names `full_page`, the n8n node scrolls with an empty selector. */
function readAction(entry: unknown): unknown {
  if (!isObject(entry)) return entry
  const { full_page: fullPage, selector, ...rest } = entry
  const isUnset = selector === '' && entry['type'] === 'scroll'
  return {
    ...('full_page' in entry && { fullPage }),
    ...rest,
    ...('selector' in entry && !isUnset && { selector }),
  }
}

function withoutLabels(value: unknown, names: readonly string[] | undefined): unknown {
  if (names === undefined || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key)))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNo(value: unknown): boolean {
  return value === false || value === null || (typeof value === 'object' && 'mode' in value && value.mode === 'off')
}

function notOffered(key: string): EngineError {
  const message = `${key} requests something that this server does not support; remove it.`
  return new EngineError('not_configured', message, { details: { because: `The option ${key}` } })
}
