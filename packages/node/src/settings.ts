// The settings of a server.
import { z } from 'zod'

import { sandboxBounds, sandboxModes } from '@harvestman/ports'

import { headers, list, proxy, proxyBudget, queue, store, url } from './setting-values.ts'
import { groupOf, groupSchemas, type Group, type GroupKey } from './setting-groups.ts'

/** All settings of a server. A config file has these keys; their environment variables are in setting-variables.ts. */
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
      'The index of scraped pages, which searches use without SearXNG: `off`, `on`, a folder, or `postgres://…`, which several servers share. `auto` stores it next to a SQLite store; on a server with a memory store it stays in memory; with a shared store it is off. With a Postgres store, `on` stores it there.',
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
