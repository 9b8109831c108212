// The client of the server that serves this page.
import { createClient, HarvestmanError, type ClientOf } from '@harvestman/client'
import { signal } from '@preact/signals'

import type { Document } from './document.ts'
import { addressOf } from './address.ts'

/** A failed call, with its message, code and details. */
export type Refusal = HarvestmanError

/** Whether the user is logged in; `undefined` until the server has responded once. */
export const access = signal<Access | undefined>(undefined)

interface Access {
  readonly isIn: boolean
  readonly isOpen: boolean
  /** The version of the server, for logged-in users. */
  readonly version?: string
}

/** Whether the server is reachable. Polls are retried while the connection is lost. */
export const connection = signal<'good' | 'lost'>('good')

/** Requests come from forms that the server describes, so only the server checks their options. */
interface PageEngine {
  scrape(request: unknown): Promise<Document>
  parse(bytes: never, request?: unknown): Promise<Document>
  search(request: unknown): Promise<object>
  crawl(request: unknown): Promise<object>
  batch(request: unknown): Promise<object>
  start(kind: string, request: unknown): Promise<object>
}

type Client = ClientOf<PageEngine>

// Users cancel requests themselves, and views that poll retry them.
const options = { url: addressOf('').href, retries: 0, timeout: 2_147_483_647, fetch: send }

/** The client of the server. The cookie of the page has the key. */
export const client: Client = createClient<PageEngine>(options)

/** Returns a client with another key, such as the admin key. The key is not stored. */
export function clientWith(key: string): Client {
  return createClient<PageEngine>({ ...options, key })
}

async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  // Other pages in this browser cannot set it.
  request.headers.set('x-harvestman-ui', '1')
  try {
    const response = await fetch(request)
    connection.value = 'good'
    // A rejected key of this call does not mean that the session has ended.
    if (response.status === 401 && !request.headers.has('authorization') && access.value)
      access.value = { ...access.value, isIn: false }
    return response
  } catch (error) {
    if (!request.signal.aborted) connection.value = 'lost'
    throw error
  }
}

/** Converts anything that was thrown to the error that the page shows. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof HarvestmanError))
    return new HarvestmanError(error instanceof Error ? error.message : String(error), { cause: error })
  if (error.code !== 'NETWORK') return error
  return new HarvestmanError('The server does not respond. Is it running?', { code: error.code, cause: error })
}

/** Loads whether this browser is logged in, into `access`. Rejects if the server does not respond. */
export async function askAccess(): Promise<void> {
  access.value = await client.request<Access>('/ui/session')
}
