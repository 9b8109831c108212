// Schemas of the values of settings. Messages do not quote values that may contain a password or a key.
import { z } from 'zod'

import type * as core from '@harvestman/core'
import { lateLibrary } from '@harvestman/toolbox/late-library'
import { parseJson } from '@harvestman/toolbox/parse-json'

import { parseProxyBudget } from './proxy-budget.ts'
import { isQueueUrl, isStoreUrl } from './services.ts'

/** A list, or its elements with commas between them. */
export const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
])

/** The URL of a store. */
export const store = z.string().refine(isStoreUrl, {
  message: 'must be memory:, sqlite:<file>, redis://<host> or postgres://<host>/<database>',
})

/** The URL of a queue. */
export const queue = z
  .string()
  .refine(isQueueUrl, { message: 'must be redis://<host> or postgres://<host>/<database>' })

/** The URL of a proxy. Without a scheme it is an HTTP proxy. */
export const proxy = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .refine(isProxy, { message: 'is not the URL of a proxy; write scheme://user:password@host:port' })

/** A budget of proxies, such as `20 GB/month`. */
export const proxyBudget = z.string().refine((text) => parseProxyBudget(text) !== undefined, {
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

/** An HTTP URL. */
export const url = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  message: 'is not a URL; write it as https://api.openai.com/v1 or http://localhost:11434/v1',
})

/** Headers: an object of strings, or its JSON. */
export const headers = z.preprocess(
  (given) => (typeof given === 'string' ? parseJson(given) : given),
  z.record(z.string(), z.string(), { error: 'must be an object of strings, such as {"from": "me@example.com"}' }),
)
