import { availableParallelism } from 'node:os'

import { z } from 'zod'

import { EngineError } from '@harvestman/ports'
import { usualBound } from '@harvestman/threads'
import { mannersFields } from './manners.ts'
import { check } from './problems.ts'
import { requestDefaults } from './scrape.ts'

const hour = 3_600_000
const megabyte = 1_000_000
const longestTimer = 2_147_483_647

type Words = {
  readonly title: string
  readonly description: string
  readonly unit?: string
  /** The default in words, where it depends on the machine. */
  readonly defaultText?: string
}

function bytes(value: number, words: Words) {
  return z
    .int()
    .min(1)
    .meta({ ...words, unit: 'bytes' })
    .default(value)
}

function milliseconds(value: number, least: number, words: Words) {
  return z
    .int()
    .min(least)
    .meta({ ...words, unit: 'ms' })
    .default(value)
}

function count(value: () => number, words: Words) {
  return z.int().min(1).max(100_000).meta(words).default(value)
}

/** The bounds of an engine. */
export const limitsSchema = z.strictObject({
  bodyBytes: bytes(50 * megabyte, {
    title: 'Largest body',
    description: 'The largest body that is taken, unpacked.',
  }),
  pageBytes: bytes(20 * megabyte, {
    title: 'Largest page',
    description: 'The largest text that is read as a page.',
  }),
  documentBytes: bytes(usualBound.bytes, {
    title: 'Largest document',
    description: 'The most that a document holds, printed as JSON. What would be more is refused where it is made.',
  }),
  documentValues: z
    .int()
    .min(1)
    .meta({
      title: 'Values of a document',
      description: 'The most texts, numbers, lists and objects that a document holds.',
    })
    .default(usualBound.values),
  readTime: z
    .int()
    .min(1)
    .max(longestTimer)
    .meta({
      title: 'Time to read a page',
      description: 'Processor time that reading one page may take; six times as long by the clock.',
      unit: 'ms',
    })
    .default(10_000),
  inlineBytes: z
    .int()
    .min(0)
    .meta({
      title: 'Read in place',
      description:
        'Pages up to this size are read on the calling thread; those whose main content is looked for, up to half of it. 0 reads all pages in threads.',
      unit: 'bytes',
    })
    .default(128_000),
  readers: count(() => Math.max(1, availableParallelism() - 1), {
    title: 'Reading threads',
    description: 'Threads that read larger pages.',
    defaultText: 'one fewer than the cores, at least 1',
  }),
  readMegabytes: z
    .int()
    .min(16)
    .meta({ title: 'Memory to read a page', description: 'What reading one page may take.', unit: 'MB' })
    .default(2_048),
  concurrency: count(() => 32, {
    title: 'Pages at once',
    description:
      'Pages that all jobs together load at once. A quarter more may start for teams that have few under way.',
  }),
  teamConcurrency: z
    .int()
    .min(1)
    .max(100_000)
    .meta({
      title: 'Pages at once for a team',
      description:
        'Pages that the jobs of one team load at once, in all processes on one store together. Without it a team has as many as there are places.',
    })
    .optional(),
  leaseTime: z
    .int()
    .min(100)
    .max(24 * hour)
    .meta({
      title: 'Time to take over a job',
      description: 'How long another engine waits before it takes up a job whose own engine is silent.',
      unit: 'ms',
    })
    .default(15_000),
})

/** What is kept in memory of results and of files that were sent, in bytes. */
export const storeInMemoryBytes = 256 * megabyte

/** What is kept in memory of jobs and their documents, in bytes. */
export const jobsInMemoryBytes = 512 * megabyte

/** How long things are kept. */
export const keepSchema = z.strictObject({
  results: milliseconds(24 * hour, 0, {
    title: 'Results',
    description: 'How long a result can be read again by its id.',
  }),
  jobs: milliseconds(24 * hour, 0, {
    title: 'Jobs',
    description: 'How long a crawl or a batch is kept, with its pages.',
  }),
  files: milliseconds(24 * hour, 0, {
    title: 'Files',
    description: 'How long a picture or a PDF is kept, where its address is given.',
  }),
  pages: milliseconds(7 * 24 * hour, 0, {
    title: 'Pages',
    description: 'How long a page is kept for requests that take a copy (`maxAge`).',
  }),
  changes: milliseconds(90 * 24 * hour, 0, {
    title: 'Histories of pages',
    description: 'How long the history of a page (`changeTracking`) is kept after the page was last looked at.',
  }),
  versions: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ title: 'Versions', description: 'Versions of a page that its history keeps.' })
    .default(50),
  hosts: milliseconds(24 * hour, 0, {
    title: 'Hosts that need a browser',
    description: 'How long a host goes to the browser at once because it showed nothing without. 0 is never.',
  }),
  plugins: milliseconds(365 * 24 * hour, 0, {
    title: 'What plugins keep',
    description: 'The longest that anything is kept which a plugin leaves in its corner of the store.',
  }),
  memory: z
    .int()
    .min(0)
    .meta({
      title: 'Memory',
      description:
        'Pages, and as much again of files, that are kept in memory when no store was given for them. A quarter of it beside is for answers that were made of kept pages, and a half for documents of jobs that are asked for again and again.',
      unit: 'bytes',
    })
    .default(32 * megabyte),
  storeBytes: z
    .int()
    .min(0)
    .meta({
      title: 'Store in memory',
      description:
        'The most that is kept of results and of files that were sent, where no store was given: the oldest goes first. Credits and histories are not counted, and stay for their time.',
      unit: 'bytes',
    })
    .default(storeInMemoryBytes),
  jobBytes: z
    .int()
    .min(0)
    .meta({
      title: 'Jobs in memory',
      description:
        'The most that jobs keep together, where no store was given: of those that have ended the oldest goes first; then the largest of those that run is ended.',
      unit: 'bytes',
    })
    .default(jobsInMemoryBytes),
})

/** What requests ask for that say nothing. */
export const defaultsSchema = z.strictObject({
  maxAge: milliseconds(requestDefaults.maxAge, 0, {
    title: 'Age of copies',
    description: 'The `maxAge` of requests that say none.',
  }),
  timeout: z
    .int()
    .min(1_000)
    .max(300_000)
    .meta({ title: 'Timeout', description: 'The `timeout` of requests that say none.', unit: 'ms' })
    .default(requestDefaults.timeout),
})

export type EngineLimits = z.output<typeof limitsSchema>
export type EngineKeeping = z.output<typeof keepSchema>

/** Something with these methods; a part that is given by mistake is named with what is missing. */
function thing(methods: readonly string[], remedy: string) {
  return z.unknown().superRefine((value, context) => {
    if (value === undefined) return
    const missing = methods.find((name) => typeof (value as Record<string, unknown> | null)?.[name] !== 'function')
    if (missing === undefined) return
    const what = typeof value === 'function' ? 'is a function' : `has no ${missing}()`
    context.addIssue({ code: 'custom', message: `${what}; ${remedy}` })
  })
}

function callable(remedy: string) {
  return z.unknown().superRefine((value, context) => {
    if (value === undefined || typeof value === 'function') return
    context.addIssue({ code: 'custom', message: `must be a function; ${remedy}` })
  })
}

const lists = ['formats', 'actions', 'loaders', 'parsers', 'fields', 'keepers'] as const

const plugin = z.unknown().superRefine((value, context) => {
  const parts = value as Readonly<Record<string, unknown>> | null | undefined
  if (typeof parts === 'object' && parts && lists.every((name) => Array.isArray(parts[name]))) return
  const message =
    typeof value === 'function'
      ? 'is a function; call it to have the plugin, as in pdf()'
      : 'is not a plugin; make one with definePlugin'
  context.addIssue({ code: 'custom', message })
})

const secret = z.union([z.string(), z.array(z.string()).max(10)])

/** Everything `createEngine` is given. */
export const engineOptionsSchema = z.strictObject({
  store: thing(['get', 'set', 'update', 'delete', 'close'], 'give a store, such as memoryStore()')
    .meta({ title: 'Store', description: 'Where results, jobs and pages are kept; in memory when absent.' })
    .optional(),
  queue: thing(['push', 'consume', 'close'], 'give a queue, such as embeddedQueue()')
    .meta({ title: 'Queue', description: 'Hands out jobs to engines; within this process when absent.' })
    .optional(),
  works: z
    .boolean()
    .meta({
      title: 'Works on jobs',
      description:
        'Whether this engine works on jobs as soon as one is asked for. Say false where others work on them that share its store and queue: it does once `work()` is called.',
    })
    .optional(),
  blobs: thing(['put', 'get', 'close'], 'give a place for files, such as fileBlobs(folder)')
    .meta({
      title: 'Files',
      description:
        'Where pictures and PDFs go. Without it they stay in the document as `data:` addresses, or go to the store when served.',
    })
    .optional(),
  fetcher: callable('it makes a fetcher of the guard it is given')
    .meta({ title: 'Fetcher', description: 'Makes one HTTP exchange; undici when absent.' })
    .optional(),
  browser: callable('it makes a browser of the guard it is given')
    .meta({
      title: 'Browser',
      description: 'What actions, screenshots and pages drawn by scripts need.',
    })
    .optional(),
  proxies: thing(['pick'], 'give a list, such as staticProxies({ basic })')
    .meta({
      title: 'Proxies',
      description: 'Picks the proxies of `proxy: basic`, `enhanced` and `auto`. Hosts are asked directly when absent.',
    })
    .optional(),
  llm: thing(['ask'], 'give a language model')
    .meta({ title: 'Language model', description: 'What the format `json` needs.' })
    .optional(),
  ledger: thing(['hold', 'settle'], 'give a ledger, such as storeLedger(store)')
    .meta({ title: 'Ledger', description: 'Counts the credits of teams; in the store when absent.' })
    .optional(),
  search: thing(['find'], 'give something to search')
    .meta({ title: 'Search', description: 'What `search` asks.' })
    .optional(),
  ports: z
    .array(z.unknown())
    .max(100)
    .meta({
      title: 'Ports of plugins',
      description: 'What the ports of plugins ask for: `providePort(port, service)`.',
    })
    .optional(),
  clock: thing(['now', 'sleep'], 'leave it out for the clock of the machine')
    .meta({ title: 'Clock', description: 'The time; that of the machine when absent.' })
    .optional(),
  observer: callable('it is told each event')
    .meta({ title: 'Observer', description: 'Is told what happens. The engine writes no logs.' })
    .optional(),
  plugins: z
    .array(plugin)
    .max(1_000)
    .meta({ title: 'Plugins', description: 'Formats, actions, loaders and parsers that join ours.' })
    .optional(),
  webhookSecret: z
    .union([secret, callable('it gives the secrets of a team')])
    .meta({
      title: 'Webhook secret',
      description:
        'Signs what webhooks are sent: one secret, both while one is being replaced, or a function that gives those of a team.',
    })
    .optional(),
  webhook: z
    .string()
    .max(2_048)
    .meta({
      title: 'Webhook',
      description:
        'Where jobs tell of themselves that were given no webhook; `{{JOB_ID}}` in it stands for the id of the job.',
    })
    .optional(),
  allowPrivate: z
    .array(z.string())
    .max(1_000)
    .meta({
      title: 'Private addresses',
      description: 'Private addresses that may be visited: `CIDR` or `CIDR:port`. None when absent.',
    })
    .optional(),
  resolver: callable('it gives the addresses of a name')
    .meta({ title: 'Resolver', description: 'How names become addresses; that of the machine when absent.' })
    .optional(),
  ...mannersFields,
  limits: limitsSchema.prefault({}),
  keep: keepSchema.prefault({}),
  defaults: defaultsSchema.prefault({}),
})

/** Checks what `createEngine` is given, and fills the defaults of its settings in. */
export function readEngineOptions(options: object): z.output<typeof engineOptionsSchema> {
  try {
    return check(engineOptionsSchema, options)
  } catch (error) {
    if (!EngineError.is(error)) throw error
    throw new EngineError('invalid_request', `createEngine: ${error.message}`, { details: error.details })
  }
}
