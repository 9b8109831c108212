import { availableParallelism } from 'node:os'

import { z } from 'zod'

import { EngineError } from '@harvestman/ports'
import { defaultBound } from '@harvestman/threads'
import { lazily } from '../lib/lazily.ts'
import { mannersFields } from './manners.ts'
import { check } from './problems.ts'
import { requestDefaults } from './scrape.ts'

const hour = 3_600_000
const megabyte = 1_000_000
const maxTimerDelay = 2_147_483_647

type Words = {
  readonly title: string
  readonly description: string
  readonly unit?: string
  /** Description of the default, if it depends on the host. */
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

/** Limits of an engine. */
export const limitsSchema = lazily(() =>
  z.strictObject({
    bodyBytes: bytes(50 * megabyte, {
      title: 'Largest body',
      description: 'The largest response body, decompressed.',
    }),
    pageBytes: bytes(20 * megabyte, {
      title: 'Largest page',
      description: 'Maximum size of a page that is parsed.',
    }),
    documentBytes: bytes(defaultBound.bytes, {
      title: 'Largest document',
      description: 'Maximum size of a document as JSON. A format whose value would exceed it fails.',
    }),
    documentValues: z
      .int()
      .min(1)
      .meta({
        title: 'Values of a document',
        description: 'Maximum number of strings, numbers, arrays and objects in one document.',
      })
      .default(defaultBound.values),
    readTime: z
      .int()
      .min(1)
      .max(maxTimerDelay)
      .meta({
        title: 'Time to read a page',
        description: 'CPU time to read one page. The wall-clock limit is six times as long.',
        unit: 'ms',
      })
      .default(10_000),
    inlineBytes: z
      .int()
      .min(0)
      .meta({
        title: 'Read in place',
        description:
          'Pages up to this size are read on the calling thread if they have at most 6,000 tags, or 3,000 if the main content is extracted. 0 reads all pages in threads.',
        unit: 'bytes',
      })
      .default(128_000),
    readers: count(() => Math.max(1, availableParallelism() - 1), {
      title: 'Reading threads',
      description: 'Number of threads that read larger pages.',
      defaultText: 'one fewer than the cores, at least 1',
    }),
    readMegabytes: z
      .int()
      .min(16)
      .meta({ title: 'Memory to read a page', description: 'Maximum memory to read one page.', unit: 'MB' })
      .default(2_048),
    concurrency: count(() => 32, {
      title: 'Pages at once',
      description:
        'Maximum number of pages that all jobs together load at once. A quarter more is reserved for teams with few running pages.',
    }),
    hostConcurrency: count(() => 32, {
      title: 'Pages at once for a host',
      description:
        'Maximum number of pages that all jobs load at once from one host, in all processes on one store together. Set the same value in all processes. A host with a `Crawl-delay` gets one page at a time.',
    }),
    teamConcurrency: z
      .int()
      .min(1)
      .max(100_000)
      .meta({
        title: 'Pages at once for a team',
        description:
          'Maximum number of pages that the jobs of one team load at once, in all processes on one store together. Default: no limit.',
      })
      .optional(),
    leaseTime: z
      .int()
      .min(100)
      .max(24 * hour)
      .meta({
        title: 'Time to take over a job',
        description: 'How long an engine waits before it takes over a job whose engine does not respond.',
        unit: 'ms',
      })
      .default(15_000),
  }),
)

/** Default memory limit for results and uploaded files, in bytes. */
export const storeInMemoryBytes = 256 * megabyte

/** Default memory limit for jobs and their documents, in bytes. */
export const jobsInMemoryBytes = 512 * megabyte

/** Retention settings of the engine. */
export const keepSchema = lazily(() =>
  z.strictObject({
    results: milliseconds(24 * hour, 0, {
      title: 'Results',
      description: 'How long a result can be read by its id.',
    }),
    jobs: milliseconds(24 * hour, 0, {
      title: 'Jobs',
      description: 'How long a job and its pages are stored.',
    }),
    files: milliseconds(24 * hour, 0, {
      title: 'Files',
      description: 'How long screenshots and PDFs are stored.',
    }),
    pages: milliseconds(7 * 24 * hour, 0, {
      title: 'Pages',
      description: 'How long a page stays in the cache for requests with `maxAge`.',
    }),
    changes: milliseconds(90 * 24 * hour, 0, {
      title: 'Histories of pages',
      description: 'How long the history of a page (`changeTracking`) is stored after its last scrape.',
    }),
    versions: z
      .int()
      .min(1)
      .max(1_000)
      .meta({ title: 'Versions', description: 'Maximum number of versions in the history of a page.' })
      .default(50),
    hosts: milliseconds(24 * hour, 0, {
      title: 'Hosts that need a browser',
      description: 'How long the engine remembers that a host needs the browser. 0 turns this off.',
    }),
    plugins: milliseconds(365 * 24 * hour, 0, {
      title: 'What plugins keep',
      description: 'Maximum time that a value of a plugin is stored.',
    }),
    filesFrom: z
      .int()
      .min(1)
      .meta({
        title: 'Documents in files',
        description:
          'Documents and cached pages whose compressed size is at least this are stored as files, with a reference in the store. All processes must have access to the files. Default: 65536 on S3, otherwise never.',
        unit: 'bytes',
      })
      .optional(),
    memory: z
      .int()
      .min(0)
      .meta({
        title: 'Memory',
        description:
          'Memory for cached pages if there is no store. Files may use the same amount in addition, responses made from cached pages a quarter of it, and job documents that are read repeatedly half of it.',
        unit: 'bytes',
      })
      .default(32 * megabyte),
    storeBytes: z
      .int()
      .min(0)
      .meta({
        title: 'Store in memory',
        description:
          'Memory for results and uploaded files if there is no store. The oldest are removed first. Credits and histories do not count, and are never removed.',
        unit: 'bytes',
      })
      .default(storeInMemoryBytes),
    jobBytes: z
      .int()
      .min(0)
      .meta({
        title: 'Jobs in memory',
        description:
          'Memory for jobs if there is no store. When it is full, the oldest finished jobs are removed first, then the largest running job is ended.',
        unit: 'bytes',
      })
      .default(jobsInMemoryBytes),
  }),
)

/** Defaults of requests. */
export const defaultsSchema = lazily(() =>
  z.strictObject({
    maxAge: milliseconds(requestDefaults.maxAge, 0, {
      title: 'Age of copies',
      description: 'The default `maxAge` of requests.',
    }),
    timeout: z
      .int()
      .min(1_000)
      .max(300_000)
      .meta({ title: 'Timeout', description: 'The default `timeout` of requests.', unit: 'ms' })
      .default(requestDefaults.timeout),
  }),
)

export type EngineLimits = z.output<ReturnType<typeof limitsSchema>>
export type EngineKeeping = z.output<ReturnType<typeof keepSchema>>

/** A value with these methods. The error names the first missing one. */
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
      ? 'is a function; call it to get the plugin, as in pdf()'
      : 'is not a plugin; make one with definePlugin'
  context.addIssue({ code: 'custom', message })
})

const secret = z.union([z.string(), z.array(z.string()).max(10)])

/** Options of `createEngine`. */
export const engineOptionsSchema = lazily(() =>
  z.strictObject({
    store: thing(['get', 'set', 'update', 'delete', 'close'], 'give a store, such as memoryStore()')
      .meta({ title: 'Store', description: 'Stores results, jobs and pages. Default: in memory.' })
      .optional(),
    queue: thing(['push', 'consume', 'close'], 'give a queue, such as embeddedQueue()')
      .meta({ title: 'Queue', description: 'Distributes jobs to engines. Default: within this process.' })
      .optional(),
    works: z
      .boolean()
      .meta({
        title: 'Works on jobs',
        description:
          'Whether this engine runs jobs as soon as one is started. Set false when other engines on the same store and queue run them; `work()` turns it on.',
      })
      .optional(),
    blobs: thing(['put', 'get', 'close'], 'give a file store, such as fileBlobs(folder)')
      .meta({
        title: 'Files',
        description: 'Stores screenshots and PDFs. Default: `data:` URLs in the document; on a server, the store.',
      })
      .optional(),
    fetcher: callable('it takes the address guard and returns a fetcher')
      .meta({ title: 'Fetcher', description: 'Makes HTTP requests. Default: undici.' })
      .optional(),
    browser: callable('it takes the address guard and returns a browser')
      .meta({
        title: 'Browser',
        description: 'The browser for actions, screenshots and pages rendered by scripts.',
      })
      .optional(),
    proxies: thing(['pick'], 'give a list, such as staticProxies({ basic })')
      .meta({
        title: 'Proxies',
        description: 'Picks the proxies of `proxy: basic`, `enhanced` and `auto`. Default: direct connections.',
      })
      .optional(),
    llm: thing(['ask'], 'give a language model')
      .meta({
        title: 'Language model',
        description: 'The model for formats that need one, such as `summary`.',
      })
      .optional(),
    ledger: thing(['hold', 'settle'], 'give a ledger, such as storeLedger(store)')
      .meta({ title: 'Ledger', description: 'Counts the credits of teams. Default: in the store.' })
      .optional(),
    search: thing(['find'], 'give a search backend')
      .meta({ title: 'Search', description: 'The search backend of `search`.' })
      .optional(),
    ports: z
      .array(z.unknown())
      .max(100)
      .meta({
        title: 'Ports of plugins',
        description: 'Services for the ports of plugins: `providePort(port, service)`.',
      })
      .optional(),
    clock: thing(['now', 'sleep'], 'omit it to use the system clock')
      .meta({ title: 'Clock', description: 'The clock. Default: the system clock.' })
      .optional(),
    observer: callable('it receives each event')
      .meta({ title: 'Observer', description: 'Receives events. The engine writes no logs itself.' })
      .optional(),
    plugins: z
      .array(plugin)
      .max(1_000)
      .meta({ title: 'Plugins', description: 'Plugins: more formats, actions, loaders, parsers and features.' })
      .optional(),
    webhookSecret: z
      .union([secret, callable('it returns the secrets of a team')])
      .meta({
        title: 'Webhook secret',
        description:
          'Signs webhook messages: one secret, the new and the old one during rotation, or a function that returns the secrets of a team.',
      })
      .optional(),
    webhook: z
      .string()
      .max(2_048)
      .meta({
        title: 'Webhook',
        description: 'The webhook URL for jobs without their own webhook. `{{JOB_ID}}` is replaced by the job id.',
      })
      .optional(),
    secretKey: z
      .string()
      .min(16)
      .meta({
        title: 'Secret key',
        description:
          'Encrypts credentials in stored requests: headers, actions, URLs with passwords or keys. All engines on a store need the same, also after a restart. Default: a key of this process.',
      })
      .optional(),
    allowPrivate: z
      .array(z.string())
      .max(1_000)
      .meta({
        title: 'Private addresses',
        description: 'Private addresses that may be visited: `CIDR` or `CIDR:port`. Default: none.',
      })
      .optional(),
    resolver: callable('it returns the addresses of a host name')
      .meta({ title: 'Resolver', description: 'Resolves host names. Default: the resolver of the system.' })
      .optional(),
    newId: callable('it returns a new id each time')
      .meta({ title: 'Ids', description: 'Makes the ids of requests. Default: `crypto.randomUUID`.' })
      .optional(),
    ...mannersFields(),
    limits: limitsSchema().prefault({}),
    keep: keepSchema().prefault({}),
    defaults: defaultsSchema().prefault({}),
  }),
)

/** Validates the options of `createEngine` and fills in the defaults. Throws `invalid_request` if one is invalid. */
export function readEngineOptions(options: object): z.output<ReturnType<typeof engineOptionsSchema>> {
  try {
    return check(engineOptionsSchema(), options)
  } catch (error) {
    if (!EngineError.is(error)) throw error
    throw new EngineError('invalid_request', `createEngine: ${error.message}`, { details: error.details })
  }
}
