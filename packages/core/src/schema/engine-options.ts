import { z } from 'zod'

import { EngineError } from '@harvestman/ports'
import { lazily } from '../lib/lazily.ts'
import { defaultsSchema, keepSchema, limitsSchema } from './engine-limits.ts'
import { mannersFields } from './manners.ts'
import { check } from './problems.ts'

/** A value with these methods. The error names the first missing one. */
function thing(methods: readonly string[], remedy: string) {
  return z.unknown().superRefine((value, context) => {
    if (value === undefined) return
    const missing = methods.find((name) => typeof (value as Record<string, unknown> | null)?.[name] !== 'function')
    if (missing === undefined) return
    const type = typeof value
    const what = type === 'function' || type === 'string' ? `is a ${type}` : `has no ${missing}()`
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
    identityFetcher: callable('it takes the address guard and returns a fetcher, such as impitFetcher()')
      .meta({
        title: 'Fetcher with the identity of a browser',
        description:
          'Makes HTTP requests with the TLS and the HTTP/2 of a browser, for hosts that block the fetcher. Default: none.',
      })
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
