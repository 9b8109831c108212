import { dirname } from 'node:path'

import { z } from 'zod'

import type * as core from '@harvestman/core'
import { check } from '@harvestman/core/schema'
import { EngineError, sandboxBounds, sandboxModes } from '@harvestman/ports'
import { lateLibrary } from '@harvestman/toolbox/late-library'
import { parseJson } from '@harvestman/toolbox/parse-json'

import { withoutComments } from './jsonc.ts'
import { fromFolder } from './plugins.ts'
import { parseProxyBudget } from './proxy-budget.ts'
import { groupNames, groupOf, groupSchemas, inGroups, fullNames, type Group, type GroupKey } from './setting-groups.ts'
import { isQueueUrl, isStoreUrl } from './services.ts'

const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
])

// The message does not quote the value, which may contain a password.
const store = z.string().refine(isStoreUrl, {
  message: 'must be memory:, sqlite:<file>, redis://<host> or postgres://<host>/<database>',
})
const queue = z.string().refine(isQueueUrl, { message: 'must be redis://<host> or postgres://<host>/<database>' })

const proxy = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .refine(isProxy, { message: 'is not the URL of a proxy; write scheme://user:password@host:port' })

const proxyBudget = z.string().refine((text) => parseProxyBudget(text) !== undefined, {
  message: 'is not a budget; write it as 5000 requests/day, as 20 GB/month, or as both with one period and a comma',
})

// The engine is loaded only if a proxy is configured.
const library = lateLibrary(import.meta.url, (require) => require('@harvestman/core') as typeof core)

function isProxy(url: string): boolean {
  try {
    library().staticProxies({ basic: [url] })
    return true
  } catch {
    return false
  }
}

// The message does not quote the value, which may be a key in the wrong setting.
const url = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  message: 'is not a URL; write it as https://api.openai.com/v1 or http://localhost:11434/v1',
})

// The message does not quote the value here either.
const headers = z.preprocess(
  (given) => (typeof given === 'string' ? parseJson(given) : given),
  z.record(z.string(), z.string(), { error: 'must be an object of strings, such as {"from": "me@example.com"}' }),
)

/** All settings of a server. A config file has these keys; the environment variables are listed below. */
export const configSchema = z.strictObject({
  apiKeys: list
    .default([])
    .describe('Keys that may call the API: `key` or `team:key`. Without a key, only localhost may call it.'),
  adminKey: z
    .string()
    .min(1)
    .optional()
    .describe('The key for operator endpoints: teams, their keys and their limits.'),
  credits: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Credits the built-in team starts with. Default: unlimited.'),
  port: z.coerce.number().int().min(0).max(65_535).default(3002).describe('The port the server listens on.'),
  grace: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(10_000)
    .describe('How long a stopping server waits for running requests, in milliseconds. The remaining ones get 503.'),
  stuckTimeout: z.coerce
    .number()
    .int()
    .refine((value) => value === 0 || (value >= 1_000 && value <= 3_600_000), {
      error: 'must be 0, or between 1000 and 3600000',
    })
    .default(30_000)
    .describe(
      'How long the main thread may be blocked, in milliseconds. After that, the stack is logged and the process exits, so that jobs continue elsewhere or after a restart. `0`: no limit.',
    ),
  host: z.string().min(1).default('127.0.0.1').describe('The address the server listens on.'),
  store: store
    .optional()
    .describe('Where results and pages are stored: `memory:`, `sqlite:<file>`, `redis://…` or `postgres://…`.'),
  uploadBytes: z.coerce
    .number()
    .int()
    .min(1)
    .default(2_000_000_000)
    .describe('The maximum total size of uploaded files, in bytes. One team may use a quarter of it.'),
  secretKey: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Encrypts credentials in stored requests: headers, actions, URLs with passwords or keys. Must be the same in all processes on a store. Default: a key in a file next to a SQLite store, otherwise a random key for each process.',
    ),
  storeWait: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .describe('How long to wait at start for a store that is locked or not up yet, in milliseconds.'),
  queue: queue
    .optional()
    .describe(
      'The queue that distributes jobs to processes: `redis://…` or `postgres://…`. Default: the server of the store.',
    ),
  files: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where screenshots and PDFs are stored for a day: a folder, or `s3://<bucket>`. Default: the store. On S3, documents and cached pages are stored there, too (`keep.filesFrom`).',
    ),
  filesBytes: z.coerce
    .number()
    .int()
    .min(1)
    .default(2_000_000_000)
    .describe(
      'The maximum size of the folder of `files`, in bytes. The oldest screenshots and cached pages are removed first; job documents that do not fit are stored in the store.',
    ),
  s3Endpoint: url.optional().describe('The endpoint of `s3://<bucket>`. Default: Amazon S3 in the region.'),
  s3Region: z.string().min(1).default('us-east-1').describe('The region of `s3://<bucket>`.'),
  s3KeyId: z.string().min(1).optional().describe('The access key id for `s3://<bucket>`.'),
  s3Secret: z.string().min(1).optional().describe('The secret access key.'),
  s3Public: z
    .union([z.boolean(), z.stringbool()])
    .default(false)
    .describe('Whether callers can reach S3. They then get signed S3 URLs, which expire with the file.'),
  ocr: list
    .default([])
    .describe(
      'Languages of text in scans and images, such as `eng,deu`. Needs `tesseract.js-core`, `@tesseract.js-data/<language>`, and `@hyzyla/pdfium` for PDF. Empty: text in images is not recognized.',
    ),
  allowPrivate: list.default([]).describe('Private addresses that may be visited: `CIDR` or `CIDR:port`.'),
  browser: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The browser: the path of an executable, or a comma-separated list of endpoints of running browsers (`ws://…,http://…`).',
    ),
  reachableAt: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The address at which browsers on other machines reach this one. Their pages load through its address guard.',
    ),
  sandbox: z
    .enum(sandboxModes)
    .default('off')
    .describe('The sandbox for code that callers run in live browsers. `off` refuses code.'),
  sandboxBound: z
    .enum(sandboxBounds)
    .default('kernel')
    .describe(
      'How to limit the memory of that code. `kernel` refuses code if the kernel cannot limit it. `watched` measures it in the sandbox, which is weaker.',
    ),
  proxies: list
    .pipe(z.array(proxy))
    .default([])
    .describe('Proxies for every request: `scheme://user:password@host:port`, with http, https or socks5.'),
  enhancedProxies: list
    .pipe(z.array(proxy))
    .default([])
    .describe('Proxies for requests with `proxy: enhanced`, and for `auto` when a host refuses.'),
  proxyBudget: proxyBudget
    .optional()
    .describe(
      'The budget of all proxies for every request, such as `5000 requests/day` or `20 GB/month`. Of this process.',
    ),
  enhancedProxyBudget: proxyBudget.optional().describe('The same for enhanced proxies.'),
  proxyUsername: z.string().optional().describe('The user name for proxies without one in their URL.'),
  proxyPassword: z.string().optional().describe('The password for proxies without one in their URL.'),
  httpIdentity: z
    .union([z.boolean(), z.stringbool()])
    .default(true)
    .describe(
      'Whether blocked pages are fetched with the TLS and the HTTP/2 of a browser before the browser loads them, if the npm package `impit` is installed.',
    ),
  webhook: z
    .string()
    .min(1)
    .optional()
    .describe('The webhook URL for jobs without their own webhook. `{{JOB_ID}}` is replaced by the job id.'),
  trustedProxies: list
    .optional()
    .describe(
      'Reverse proxies whose `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` are read: IP addresses and CIDR blocks. By default, proxies on localhost may set the first two.',
    ),
  peerUrl: url
    .optional()
    .describe(
      'The URL at which other processes on the same store reach this one, to forward requests for its live browsers.',
    ),
  peerSecret: z
    .string()
    .min(16)
    .optional()
    .describe('The shared secret that processes use to authenticate each other. Required on more than one machine.'),
  mail: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'The SMTP server for mails of monitors, as smtp://user:password@mail.example.com:587; smtps:// for TLS from the first byte.',
    ),
  mailFrom: z.string().min(3).optional().describe('The sender of mails of monitors.'),
  mailTo: list
    .default([])
    .describe(
      'Allowed recipients of mails: addresses and domains (`@example.com`) of your own team, and `*` for anyone else who confirms. Other recipients of monitors get no mails.',
    ),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#@]+$/, { message: 'is not a URL; write it as https://example.com' })
    .optional()
    .describe(
      'The URL of this server for others, with the path before `/v2`. Links in responses and mails begin with it. Default: the URL of the request; mails have no links then, and nobody can confirm.',
    ),
  peopleMail: list
    .default([])
    .describe('Recipients of mails with the link to a page that needs a person. They need `mail` and `publicUrl`.'),
  monitorFiles: z.string().min(1).optional().describe('The folder for the message files of monitors.'),
  records: z
    .union([z.boolean(), z.stringbool()])
    .default(false)
    .describe('Whether requests may set `record: true`, which stores their network traffic as WARC with the result.'),
  siteApis: z
    .union([z.boolean(), z.stringbool()])
    .default(false)
    .describe('Whether requests may have the format `siteApi`, which learns and repeats the requests of a page.'),
  sessionReplay: z
    .union([z.boolean(), z.stringbool()])
    .default(false)
    .describe('Whether to store a video of live browsers with their session.'),
  webhookSecrets: list
    .pipe(z.array(z.string()).max(2))
    .default([])
    .describe('Signs webhook messages: one secret, or the new and the old one during rotation.'),
  llmUrl: url
    .optional()
    .describe('The base URL of the language model, a chat-completions endpoint. Harvestman trusts this URL.'),
  llmKey: z
    .string()
    .min(1)
    .optional()
    .describe('The API key of the model. Without `llmUrl`, the key for api.openai.com.'),
  llmModel: z.string().min(1).optional().describe('The name of the model. Default: the only model of the endpoint.'),
  llmContext: z.coerce
    .number()
    .int()
    .min(2_048)
    .max(10_000_000)
    .default(16_000)
    .describe('The context window of the model in tokens, prompt and answer together.'),
  ollamaUrl: url.optional().describe('The URL of a language model in Ollama. It does not receive the key.'),
  embeddingModel: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The name of the embedding model of the index of scraped pages. Without `embeddingUrl`, a model of the endpoint of the language model.',
    ),
  embeddingUrl: url
    .optional()
    .describe('The base URL of an endpoint with the embeddings API of OpenAI. Harvestman trusts this URL.'),
  embeddingKey: z.string().min(1).optional().describe('The API key of `embeddingUrl`.'),
  searxngEndpoint: url
    .optional()
    .describe('The URL of the SearXNG instance for searches. It must return JSON. Harvestman trusts this URL.'),
  searxngEngines: list.default([]).describe('SearXNG engines to use. Default: the engines of the category.'),
  searxngCategories: list.default([]).describe('SearXNG categories for web results. Default: `general`.'),
  userAgent: z
    .string()
    .min(1)
    .optional()
    .describe('The user agent this server sends to every host, such as `Name/1.0 (+https://…)`. Default: a browser.'),
  headers: headers
    .default({})
    .describe('Headers sent to the host of every page: an object, or its JSON. They do not bypass the cache.'),
  robots: z
    .enum(['crawls', 'always', 'never'])
    .default('crawls')
    .describe('When to check robots.txt: for `crawls` and maps, `always`, or `never`.'),
  uses: list
    .default([])
    .describe(
      'What pages are used for: `search`, `ai-input`, `ai-train` or `tdm`, or `team:use` for one team. Pages whose site forbids a use are refused. Default: nothing is refused.',
    ),
  licensedHosts: list
    .default([])
    .describe('Hosts with which you have an agreement about uses. Their pages are not refused.'),
  botKeys: list
    .default([])
    .describe(
      'Private Ed25519 keys that sign requests to sites (Web Bot Auth): the first one signs, all are in the key directory. Create one with `harvestman bot-key`. Needs `userAgent`.',
    ),
  botAgent: url
    .optional()
    .describe(
      'The HTTPS origin at which sites find the key directory of this server, such as `https://bot.example.com`. Default: `publicUrl`.',
    ),
  searchIndex: z
    .string()
    .min(1)
    .default('auto')
    .describe(
      'The index of scraped pages, which searches use without SearXNG: `off`, `on`, or a folder. `auto` stores it next to a SQLite store; on a server with a memory store it stays in memory; with a shared store it is off.',
    ),
  plugins: list
    .default([])
    .describe(
      'Modules with your plugins: package names, or paths that begin with `.` or `/`, relative to the config file. Harvestman trusts them.',
    ),
  log: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info').describe('The log level on stderr.'),
  logFormat: z
    .enum(['json', 'text'])
    .default('json')
    .describe('`json` logs one JSON line per event, `text` a readable line.'),
  maxAge: z.coerce.number().int().min(0).default(0).describe('The default `maxAge` of requests, in milliseconds.'),
  timeout: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(300_000)
    .default(30_000)
    .describe('The default `timeout` of requests, in milliseconds.'),
  limits: groupOf(groupSchemas.limits),
  keep: groupOf(groupSchemas.keep),
  live: groupOf(groupSchemas.live),
})

/** Configuration of a server, including defaults. */
export type Config = z.output<typeof configSchema>
/** The name of a setting. */
export type SettingKey = Exclude<keyof Config, Group> | GroupKey

/** Environment variables of each setting, ours first: the first one that is set wins. */
export const environmentNames: Readonly<Record<SettingKey, readonly string[]>> = {
  apiKeys: ['HARVESTMAN_API_KEY', 'FIRECRAWL_API_KEY'],
  adminKey: ['HARVESTMAN_ADMIN_KEY'],
  credits: ['HARVESTMAN_CREDITS'],
  port: ['HARVESTMAN_PORT', 'PORT'],
  host: ['HARVESTMAN_HOST', 'HOST'],
  grace: ['HARVESTMAN_GRACE'],
  stuckTimeout: ['HARVESTMAN_STUCK_TIMEOUT'],
  store: ['HARVESTMAN_STORE'],
  uploadBytes: ['HARVESTMAN_UPLOAD_BYTES'],
  secretKey: ['HARVESTMAN_SECRET_KEY'],
  storeWait: ['HARVESTMAN_STORE_WAIT'],
  queue: ['HARVESTMAN_QUEUE'],
  files: ['HARVESTMAN_FILES'],
  filesBytes: ['HARVESTMAN_FILES_BYTES'],
  s3Endpoint: ['HARVESTMAN_S3_ENDPOINT'],
  s3Region: ['HARVESTMAN_S3_REGION', 'AWS_REGION'],
  s3KeyId: ['HARVESTMAN_S3_KEY_ID', 'AWS_ACCESS_KEY_ID'],
  s3Secret: ['HARVESTMAN_S3_SECRET', 'AWS_SECRET_ACCESS_KEY'],
  s3Public: ['HARVESTMAN_S3_PUBLIC'],
  ocr: ['HARVESTMAN_OCR'],
  allowPrivate: ['HARVESTMAN_ALLOW_PRIVATE'],
  browser: ['HARVESTMAN_BROWSER'],
  reachableAt: ['HARVESTMAN_REACHABLE_AT'],
  sandbox: ['HARVESTMAN_SANDBOX'],
  sandboxBound: ['HARVESTMAN_SANDBOX_BOUND'],
  proxies: ['HARVESTMAN_PROXY', 'PROXY_SERVER'],
  enhancedProxies: ['HARVESTMAN_PROXY_ENHANCED'],
  proxyBudget: ['HARVESTMAN_PROXY_BUDGET'],
  enhancedProxyBudget: ['HARVESTMAN_PROXY_ENHANCED_BUDGET'],
  proxyUsername: ['HARVESTMAN_PROXY_USERNAME', 'PROXY_USERNAME'],
  proxyPassword: ['HARVESTMAN_PROXY_PASSWORD', 'PROXY_PASSWORD'],
  httpIdentity: ['HARVESTMAN_HTTP_IDENTITY'],
  webhook: ['HARVESTMAN_WEBHOOK', 'SELF_HOSTED_WEBHOOK_URL'],
  trustedProxies: ['HARVESTMAN_TRUSTED_PROXIES'],
  peerUrl: ['HARVESTMAN_PEER_URL'],
  peerSecret: ['HARVESTMAN_PEER_SECRET'],
  mail: ['HARVESTMAN_MAIL'],
  mailFrom: ['HARVESTMAN_MAIL_FROM'],
  mailTo: ['HARVESTMAN_MAIL_TO'],
  publicUrl: ['HARVESTMAN_PUBLIC_URL'],
  peopleMail: ['HARVESTMAN_PEOPLE_MAIL'],
  monitorFiles: ['HARVESTMAN_MONITOR_FILES'],
  records: ['HARVESTMAN_RECORDS'],
  siteApis: ['HARVESTMAN_SITE_APIS'],
  sessionReplay: ['HARVESTMAN_SESSION_REPLAY'],
  webhookSecrets: ['HARVESTMAN_WEBHOOK_SECRET', 'SELF_HOSTED_WEBHOOK_HMAC_SECRET'],
  llmUrl: ['HARVESTMAN_LLM_URL', 'OPENAI_BASE_URL'],
  llmKey: ['HARVESTMAN_LLM_KEY', 'OPENAI_API_KEY'],
  llmModel: ['HARVESTMAN_LLM_MODEL', 'MODEL_NAME'],
  llmContext: ['HARVESTMAN_LLM_CONTEXT'],
  ollamaUrl: ['OLLAMA_BASE_URL'],
  embeddingModel: ['HARVESTMAN_EMBEDDING_MODEL'],
  embeddingUrl: ['HARVESTMAN_EMBEDDING_URL'],
  embeddingKey: ['HARVESTMAN_EMBEDDING_KEY'],
  searxngEndpoint: ['HARVESTMAN_SEARXNG_ENDPOINT', 'SEARXNG_ENDPOINT'],
  searxngEngines: ['HARVESTMAN_SEARXNG_ENGINES', 'SEARXNG_ENGINES'],
  searxngCategories: ['HARVESTMAN_SEARXNG_CATEGORIES', 'SEARXNG_CATEGORIES'],
  userAgent: ['HARVESTMAN_USER_AGENT'],
  headers: ['HARVESTMAN_HEADERS'],
  robots: ['HARVESTMAN_ROBOTS'],
  uses: ['HARVESTMAN_USES'],
  licensedHosts: ['HARVESTMAN_LICENSED_HOSTS'],
  botKeys: ['HARVESTMAN_BOT_KEYS'],
  botAgent: ['HARVESTMAN_BOT_AGENT'],
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

/** Sources of a configuration. */
export interface ConfigSources {
  readonly env?: Environment
  /** Content and name of a config file. */
  readonly file?: { readonly name: string; readonly text: string }
  /** Settings from the command line or from code; they take precedence. */
  readonly given?: Readonly<Record<string, unknown>>
}

/** A configuration and the origins of its values. */
export interface ReadConfig {
  readonly config: Config
  /** The origin of each value that is not a default. */
  readonly origins: Readonly<Partial<Record<SettingKey, string>>>
}

/**
 * Merges the sources in this order of precedence: given settings, environment, file, defaults. Empty strings count as not set.
 * Throws `invalid_request` if the file is no JSON object, a setting is unknown, or a value is invalid; the error names the
 * source of the value.
 */
export function readConfig({ env = {}, file, given = {} }: ConfigSources): ReadConfig {
  const values = new Map<string, unknown>()
  const origins: Partial<Record<SettingKey, string>> = {}
  const take = (key: string, value: unknown, origin: string): void => {
    if (value === undefined || value === '') return
    values.set(key, value)
    origins[key as SettingKey] = origin
  }
  if (file) for (const [key, value] of fullNames(parseFile(file))) take(key, value, file.name)
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

/** Adds the origin of the invalid setting to the message, since operators know the name that they set. */
function namingOrigins(error: EngineError, origins: Readonly<Partial<Record<SettingKey, string>>>): EngineError {
  const key = Object.keys(origins).find((name) => error.message.startsWith(name)) as SettingKey | undefined
  const origin = key && origins[key]
  if (!key || !origin) return error
  return new EngineError('invalid_request', `${error.message} (from ${origin})`, {
    details: error.details,
    cause: error,
  })
}
