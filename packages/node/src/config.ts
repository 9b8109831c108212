import { dirname } from 'node:path'

import { z } from 'zod'

import type * as core from '@harvestman/core'
import { check } from '@harvestman/core/schema'
import { EngineError } from '@harvestman/ports'
import { lateLibrary } from '@harvestman/ports/adapters'
import { sandboxBounds, sandboxModes } from '@harvestman/sandbox'

import { withoutComments } from './jsonc.ts'
import { fromFolder } from './plugins.ts'
import { groupNames, groupOf, groupSchemas, inGroups, wholeNames, type Group, type GroupKey } from './setting-groups.ts'
import { isQueueAddress, isStoreAddress } from './services.ts'

const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
])

// What is wrong must not be shown: it can hold a password.
const store = z.string().refine(isStoreAddress, {
  message: 'must be memory:, sqlite:<file>, redis://<host> or postgres://<host>/<database>',
})
const queue = z.string().refine(isQueueAddress, { message: 'must be redis://<host> or postgres://<host>/<database>' })

const proxy = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .refine(isProxy, { message: 'is not the address of a proxy; write scheme://user:password@host:port' })

// The engine is needed where a proxy is named, and by nobody else who reads a configuration.
const library = lateLibrary(import.meta.url, (require) => require('@harvestman/core') as typeof core)

function isProxy(url: string): boolean {
  try {
    library().staticProxies({ basic: [url] })
    return true
  } catch {
    return false
  }
}

// What is wrong must not be shown: keys end up in the wrong setting.
const url = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  message: 'is not an address; write it as https://api.openai.com/v1 or http://localhost:11434/v1',
})

// What is wrong is not shown here either.
const headers = z.preprocess(
  (given) => (typeof given === 'string' ? jsonOf(given) : given),
  z.record(z.string(), z.string(), { error: 'must be an object of texts, such as {"from": "me@example.com"}' }),
)

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Everything an operator can set, in one place. A config file has these keys; the environment has the names below. */
export const configSchema = z.strictObject({
  apiKeys: list
    .default([])
    .describe('Keys that may call the API: `key` or `team:key`. Without one, only this machine may.'),
  adminKey: z
    .string()
    .min(1)
    .optional()
    .describe('Opens the endpoints for operators: teams, their keys and their limits.'),
  credits: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Credits that the built-in team starts with; it has no bound when absent.'),
  port: z.coerce.number().int().min(0).max(65_535).default(3002).describe('The port of the server.'),
  grace: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(10_000)
    .describe(
      'How long running requests are waited for when the server is told to stop, in milliseconds; the rest are answered 503.',
    ),
  host: z.string().min(1).default('127.0.0.1').describe('The address the server listens on.'),
  store: store
    .optional()
    .describe('Where results and pages are kept: `memory:`, `sqlite:<file>`, `redis://…` or `postgres://…`.'),
  uploadBytes: z.coerce
    .number()
    .int()
    .min(1)
    .default(2_000_000_000)
    .describe(
      'The most that files have together which were sent before they are read, in bytes, wherever they are kept; those of one team a quarter of it.',
    ),
  storeWait: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .describe('How long a start waits for a store that is locked or not up yet, in milliseconds.'),
  queue: queue
    .optional()
    .describe('What hands out jobs to processes: `redis://…` or `postgres://…`; the server of the store when absent.'),
  files: z
    .string()
    .min(1)
    .optional()
    .describe('Where screenshots and PDFs are kept for a day: a folder, or `s3://<bucket>`; in the store when absent.'),
  s3Endpoint: url
    .optional()
    .describe('Where the storage of `s3://<bucket>` is; that of Amazon for the region when absent.'),
  s3Region: z.string().min(1).default('us-east-1').describe('The region of `s3://<bucket>`.'),
  s3KeyId: z.string().min(1).optional().describe('The id of the access key for `s3://<bucket>`.'),
  s3Secret: z.string().min(1).optional().describe('The secret of that key.'),
  s3Public: z
    .union([z.boolean(), z.stringbool()])
    .default(false)
    .describe('Whether callers reach S3 themselves: they are given signed addresses of it, which end with the file.'),
  allowPrivate: list.default([]).describe('Private addresses that may be visited: `CIDR` or `CIDR:port`.'),
  browser: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The browser: the path of a program, or the endpoints of running ones with commas between them (`ws://…,http://…`).',
    ),
  reachableAt: z
    .string()
    .min(1)
    .optional()
    .describe('The address of this machine that browsers on others reach: their pages are loaded through its guard.'),
  sandbox: z
    .enum(sandboxModes)
    .default('off')
    .describe('How the code of callers is fenced in that drives live browsers; `off` refuses code.'),
  sandboxBound: z
    .enum(sandboxBounds)
    .default('kernel')
    .describe('Who bounds the memory of code: the kernel, or code is refused; `watched` counts less, in the jail.'),
  proxies: list
    .pipe(z.array(proxy))
    .default([])
    .describe('Proxies of every request: `scheme://user:password@host:port`, with http, https or socks5.'),
  enhancedProxies: list
    .pipe(z.array(proxy))
    .default([])
    .describe('Proxies of requests with `proxy: enhanced`, and of `auto` when a host refuses.'),
  proxyUsername: z.string().optional().describe('The name for proxies whose address has none.'),
  proxyPassword: z.string().optional().describe('The password for proxies whose address has none.'),
  webhook: z
    .string()
    .min(1)
    .optional()
    .describe('Where jobs tell of themselves that have no webhook; `{{JOB_ID}}` in it stands for the id of the job.'),
  peerUrl: url
    .optional()
    .describe('Where the other processes on the same store reach this one, for what is asked about its live browsers.'),
  peerSecret: z
    .string()
    .min(16)
    .optional()
    .describe('Shows processes that a request comes from one of them; the same for all. Needed beyond one machine.'),
  webhookSecrets: list
    .pipe(z.array(z.string()).max(2))
    .default([])
    .describe('Signs what webhooks are sent: one secret, or the new and the old one while it is being replaced.'),
  llmUrl: url
    .optional()
    .describe('The language model: the base URL of an endpoint that speaks chat-completions. Trusted as it stands.'),
  llmKey: z.string().min(1).optional().describe('Its key. Without a URL, that of api.openai.com.'),
  llmModel: z.string().min(1).optional().describe('The name of the model; the only one of the endpoint when absent.'),
  llmContext: z.coerce
    .number()
    .int()
    .min(2_048)
    .max(10_000_000)
    .default(16_000)
    .describe('Tokens that the model has room for, question and answer together.'),
  ollamaUrl: url.optional().describe('A language model in Ollama: its address. It is not sent the key.'),
  searxngEndpoint: url
    .optional()
    .describe('What a search asks: the address of an instance of SearXNG that gives JSON. Trusted as it stands.'),
  searxngEngines: list
    .default([])
    .describe('Engines of that instance that are asked; those of the category when absent.'),
  searxngCategories: list
    .default([])
    .describe('Categories of that instance that stand for the web; `general` when absent.'),
  userAgent: z
    .string()
    .min(1)
    .optional()
    .describe('How this server names itself to every host, as `Name/1.0 (+https://…)`; as a browser when absent.'),
  headers: headers
    .default({})
    .describe('Headers for the host of every page: an object, or its JSON. They leave kept copies in use.'),
  robots: z
    .enum(['crawls', 'always', 'never'])
    .default('crawls')
    .describe('Which pages are asked for in robots.txt first: those of `crawls` and maps, `always` all, or `never`.'),
  searchIndex: z
    .string()
    .min(1)
    .default('auto')
    .describe(
      'The index of scraped pages, which a search asks when there is no SearXNG: `off`, `on`, or a folder. `auto` keeps it beside a SQLite store, and on a server in memory where the store is; not where machines share one.',
    ),
  plugins: list
    .default([])
    .describe(
      'Modules with plugins of yours: packages, or paths that begin with `.` or `/`, of the folder of the config file. Trusted as they stand.',
    ),
  log: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('What the server tells on stderr.'),
  logFormat: z.enum(['json', 'text']).default('json').describe('A line of JSON for each event, or a line for people.'),
  maxAge: z.coerce.number().int().min(0).default(0).describe('`maxAge` of requests that do not say, in milliseconds.'),
  timeout: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(300_000)
    .default(30_000)
    .describe('`timeout` of requests that do not say, in milliseconds.'),
  limits: groupOf(groupSchemas.limits),
  keep: groupOf(groupSchemas.keep),
  live: groupOf(groupSchemas.live),
})

/** The configuration of a server, defaults filled in. */
export type Config = z.output<typeof configSchema>
/** The name of a setting. */
export type SettingKey = Exclude<keyof Config, Group> | GroupKey

/** The names in the environment, ours first: the first that is set wins. */
export const environmentNames: Readonly<Record<SettingKey, readonly string[]>> = {
  apiKeys: ['HARVESTMAN_API_KEY', 'FIRECRAWL_API_KEY'],
  adminKey: ['HARVESTMAN_ADMIN_KEY'],
  credits: ['HARVESTMAN_CREDITS'],
  port: ['HARVESTMAN_PORT', 'PORT'],
  host: ['HARVESTMAN_HOST', 'HOST'],
  grace: ['HARVESTMAN_GRACE'],
  store: ['HARVESTMAN_STORE'],
  uploadBytes: ['HARVESTMAN_UPLOAD_BYTES'],
  storeWait: ['HARVESTMAN_STORE_WAIT'],
  queue: ['HARVESTMAN_QUEUE'],
  files: ['HARVESTMAN_FILES'],
  s3Endpoint: ['HARVESTMAN_S3_ENDPOINT'],
  s3Region: ['HARVESTMAN_S3_REGION', 'AWS_REGION'],
  s3KeyId: ['HARVESTMAN_S3_KEY_ID', 'AWS_ACCESS_KEY_ID'],
  s3Secret: ['HARVESTMAN_S3_SECRET', 'AWS_SECRET_ACCESS_KEY'],
  s3Public: ['HARVESTMAN_S3_PUBLIC'],
  allowPrivate: ['HARVESTMAN_ALLOW_PRIVATE'],
  browser: ['HARVESTMAN_BROWSER'],
  reachableAt: ['HARVESTMAN_REACHABLE_AT'],
  sandbox: ['HARVESTMAN_SANDBOX'],
  sandboxBound: ['HARVESTMAN_SANDBOX_BOUND'],
  proxies: ['HARVESTMAN_PROXY', 'PROXY_SERVER'],
  enhancedProxies: ['HARVESTMAN_PROXY_ENHANCED'],
  proxyUsername: ['HARVESTMAN_PROXY_USERNAME', 'PROXY_USERNAME'],
  proxyPassword: ['HARVESTMAN_PROXY_PASSWORD', 'PROXY_PASSWORD'],
  webhook: ['HARVESTMAN_WEBHOOK', 'SELF_HOSTED_WEBHOOK_URL'],
  peerUrl: ['HARVESTMAN_PEER_URL'],
  peerSecret: ['HARVESTMAN_PEER_SECRET'],
  webhookSecrets: ['HARVESTMAN_WEBHOOK_SECRET', 'SELF_HOSTED_WEBHOOK_HMAC_SECRET'],
  llmUrl: ['HARVESTMAN_LLM_URL', 'OPENAI_BASE_URL'],
  llmKey: ['HARVESTMAN_LLM_KEY', 'OPENAI_API_KEY'],
  llmModel: ['HARVESTMAN_LLM_MODEL', 'MODEL_NAME'],
  llmContext: ['HARVESTMAN_LLM_CONTEXT'],
  ollamaUrl: ['OLLAMA_BASE_URL'],
  searxngEndpoint: ['HARVESTMAN_SEARXNG_ENDPOINT', 'SEARXNG_ENDPOINT'],
  searxngEngines: ['HARVESTMAN_SEARXNG_ENGINES', 'SEARXNG_ENGINES'],
  searxngCategories: ['HARVESTMAN_SEARXNG_CATEGORIES', 'SEARXNG_CATEGORIES'],
  userAgent: ['HARVESTMAN_USER_AGENT'],
  headers: ['HARVESTMAN_HEADERS'],
  robots: ['HARVESTMAN_ROBOTS'],
  searchIndex: ['HARVESTMAN_SEARCH_INDEX'],
  plugins: ['HARVESTMAN_PLUGINS'],
  log: ['HARVESTMAN_LOG'],
  logFormat: ['HARVESTMAN_LOG_FORMAT'],
  maxAge: ['HARVESTMAN_MAX_AGE'],
  timeout: ['HARVESTMAN_TIMEOUT'],
  ...groupNames,
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where a configuration is read from. */
export interface ConfigSources {
  readonly env?: Environment
  /** The text of a config file, and its name for messages. */
  readonly file?: { readonly name: string; readonly text: string }
  /** What was said last, on a command line or in code; it wins. */
  readonly given?: Readonly<Record<string, unknown>>
}

/** A configuration, and where its values came from. */
export interface ReadConfig {
  readonly config: Config
  /** Where each value came from that is not a default. */
  readonly origins: Readonly<Partial<Record<SettingKey, string>>>
}

/** Joins the sources: what is given wins over the environment, the environment over the file, the file over the defaults. */
export function readConfig({ env = {}, file, given = {} }: ConfigSources): ReadConfig {
  const values = new Map<string, unknown>()
  const origins: Partial<Record<SettingKey, string>> = {}
  const take = (key: string, value: unknown, origin: string): void => {
    if (value === undefined || value === '') return
    values.set(key, value)
    origins[key as SettingKey] = origin
  }
  if (file) for (const [key, value] of wholeNames(parseFile(file))) take(key, value, file.name)
  for (const [key, names] of Object.entries(environmentNames)) {
    const name = names.find((candidate) => env[candidate])
    if (name) take(key, env[name], name)
  }
  for (const [key, value] of Object.entries(given)) take(key, value, 'command line')
  try {
    const config = check(configSchema, inGroups(values))
    if (!file || origins.plugins !== file.name) return { config, origins }
    return { config: { ...config, plugins: [...fromFolder(config.plugins, dirname(file.name))] }, origins }
  } catch (error) {
    throw EngineError.is(error) ? namingOrigins(error, origins) : error
  }
}

function parseFile({ name, text }: { readonly name: string; readonly text: string }): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(withoutComments(text))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw new EngineError('invalid_request', `The config file ${name} is not JSON. Check its commas and quotes.`, {
      cause,
    })
  }
  throw new EngineError('invalid_request', `The config file ${name} must hold one JSON object.`)
}

/** Operators know the name they set, not ours for it. */
function namingOrigins(error: EngineError, origins: Readonly<Partial<Record<SettingKey, string>>>): EngineError {
  const key = Object.keys(origins).find((name) => error.message.startsWith(name)) as SettingKey | undefined
  const origin = key && origins[key]
  if (!key || !origin) return error
  return new EngineError('invalid_request', `${error.message} (from ${origin})`, {
    details: error.details,
    cause: error,
  })
}
