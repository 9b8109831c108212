// Threads of jobs: runs that continue each other, such as the conversation of an agent.
import type { Http } from './http.ts'
import type { WaitOptions } from './job.ts'
import { pathOf, type Kind } from './kind.ts'

/** A thread, with the runs that have not expired. */
export interface Thread<Data = unknown> {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly status: 'idle' | 'running'
  /** In the order of their turns. */
  readonly runs: readonly ThreadRun<Data>[]
}

/** One run of a thread. Its id is that of its job. */
export interface ThreadRun<Data = unknown> {
  readonly id: string
  /** Position in the thread, from 1. */
  readonly turn: number
  readonly prompt: string
  readonly mode: 'extract' | 'chat'
  readonly effort: 'low' | 'medium' | 'high'
  readonly urls?: readonly string[]
  readonly schema?: unknown
  readonly status: 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'credit_limit_reached'
  readonly createdAt: string
  readonly finishedAt: string | null
  readonly creditsUsed: number | null
  /** The response of a completed chat. */
  readonly message: string | null
  /** The result, with `includeData`. */
  readonly data?: Data | null
}

/** Options for reading a thread. */
export interface ThreadOptions extends WaitOptions {
  /** True to return the result of each run. */
  readonly includeData?: boolean
}

/** Returns a thread of jobs of a kind. Rejects with the code `thread_not_found` if there is none under this id. */
export async function findThread<Data>(
  http: Http,
  kind: Kind | string,
  id: string,
  { includeData = false, signal }: ThreadOptions = {},
): Promise<Thread<Data>> {
  const path = `${pathOf(kind)}/threads/${encodeURIComponent(id)}${includeData ? '?includeData=true' : ''}`
  const ask = { method: 'GET', path, signal, isRepeatable: true } as const
  return (await http.ask<{ readonly thread: Thread<Data> }>(ask)).thread
}
