// What the tests of the API share: a real server of a real engine that may visit the fixture site.
import { answers } from '@harvestman/answers'
import { createEngine, type Engine, type EngineOptions } from '@harvestman/core'
import { hosting, type Hosting } from '@harvestman/hosting'
import { live, type Live, type LiveOptions } from '@harvestman/live'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll } from 'vitest'

import { servedPlugins } from './served-plugins.ts'

export const allowPrivate = ['127.0.0.0/8']

export interface House {
  readonly site: Site
  readonly server: Server
  readonly engine: Engine & Hosting & { readonly live: Live }
  /** An address of the site. */
  readonly at: (path: string) => string
}

/** Opens it for the tests of a file. */
export function openHouse(
  keys: string,
  { plugins = [], ...options }: EngineOptions = {},
  browsers: LiveOptions = {},
): House {
  const given = new Set(plugins.map(({ name }) => name))
  const own = servedPlugins().filter(({ name }) => !given.has(name))
  const engine = createEngine({
    allowPrivate,
    ...options,
    plugins: [answers, ...own, hosting(), live(browsers), ...plugins],
  })
  let site: Site
  let server: Server
  beforeAll(async () => {
    site = await startSite()
    server = await serve(createApi(engine, { authenticate: apiKeys(keys) }), { port: 0 })
  })
  afterAll(async () => {
    await server.close()
    await engine.close()
    await site.close()
  })
  return {
    engine,
    get site() {
      return site
    },
    get server() {
      return server
    },
    at: (path) => site.url + path,
  }
}

export interface Body {
  readonly success?: boolean
  readonly id: string
  readonly url: string
  readonly status?: string
  readonly total: number
  readonly completed: number
  readonly creditsUsed: number
  readonly next?: string
  readonly error?: string
  readonly data: readonly { readonly markdown?: string; readonly metadata: Readonly<Record<string, unknown>> }[]
  readonly [key: string]: unknown
}

export interface Sent {
  readonly body?: unknown
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks a server for JSON. */
export async function askServer(
  { server }: Pick<House, 'server'>,
  method: string,
  path: string,
  { body, key = 'key-one', headers }: Sent = {},
): Promise<{ readonly status: number; readonly body: Body }> {
  const response = await fetch(path.startsWith('http') ? path : server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}
