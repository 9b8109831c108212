import type { ExplainedUrl } from '@harvestman/client'
import type { Observer } from '@harvestman/ports'
import { openEngine, readConfig, type ServedEngine } from '@harvestman/node'

import { connect, findPages, type CommandClient, type CommandJob } from './client.ts'
import { localClient } from './local-client.ts'
import { explainFormats } from './page-options.ts'
import { showPreview, type PreviewFlags } from './preview.ts'
import { gather } from './report/data.ts'
import { serverFor } from './servers.ts'
import { onDisk, onStore, sources } from './settings.ts'
import type { Shell } from './shell.ts'
import { showJob, type ShowFlags } from './show-job.ts'

export interface EngineFlags {
  readonly store?: string
  readonly allowPrivate?: string
  readonly config?: string
  /** The server to use, by URL or name. */
  readonly server?: string
  readonly key?: string
}

export interface JobFlags extends EngineFlags, ShowFlags, Pick<PreviewFlags, 'preview'> {
  readonly resume?: string
}

/**
 * Runs `work` with the client that the flags choose: of a server, or of an engine in this process. `store` is where jobs are
 * stored: the URL of the server, or the store of the engine. Rejects if the named server is unknown, as `withOwnEngine` does,
 * or if `work` does. The engine is closed afterwards.
 */
export async function withClient<Result>(
  flags: EngineFlags,
  shell: Shell,
  work: (client: CommandClient, store: string) => Promise<Result>,
  observer?: Observer,
): Promise<Result> {
  const server = serverFor(flags, shell)
  if (server) return work(connect(server), server.url)
  return withOwnEngine(flags, shell, (engine, store) => work(localClient(engine), store), observer)
}

/**
 * Runs `work` with an engine in this process, even if a server is configured. Rejects if the configuration is invalid, the
 * store cannot be opened, or `work` does. The engine is closed afterwards.
 */
export async function withOwnEngine<Result>(
  { config: file, store, allowPrivate }: EngineFlags,
  shell: Shell,
  work: (engine: ServedEngine, store: string) => Promise<Result>,
  observer?: Observer,
): Promise<Result> {
  const { config } = readConfig(sources(file, { store, allowPrivate }, shell))
  const settled = { ...onDisk(config), log: 'silent' as const }
  return onStore(settled, async () => {
    const { engine, close } = await openEngine(settled, { observer, plugins: shell.plugins ?? [] })
    try {
      return await work(engine, settled.store)
    } finally {
      await close()
    }
  })
}

/**
 * Prints the price of a request instead of running it. Resolves to the exit code. Rejects if the request is invalid or the
 * server cannot be reached.
 */
export function previewOf(
  kind: string,
  request: object,
  flags: EngineFlags & PreviewFlags,
  shell: Shell,
): Promise<number> {
  return withClient(flags, shell, async ({ team }) => {
    const price = await team
      .preview({ kind, request: { ...request } })
      .catch((error: unknown) => Promise.reject(explainFormats(error, request)))
    return showPreview(price, flags, shell)
  })
}

/** How a command starts a job of many pages. */
export interface Followed {
  readonly name: string
  readonly request: () => object
  start(client: CommandClient, request: object): Promise<CommandJob>
  /** Returns the crawl's decision about each URL, for kinds that discover URLs. */
  explain?(client: CommandClient, id: string): AsyncIterable<ExplainedUrl>
}

/**
 * Starts or resumes a job and prints its pages as they finish. With `--preview`, only prints the price. Ctrl-C stops
 * following, not the job of a server. Resolves to the exit code, also if the job fails; rejects if it cannot be started or
 * found.
 */
export async function follow(
  { name, request, start, explain }: Followed,
  flags: JobFlags,
  shell: Shell,
): Promise<number> {
  if (flags.preview) return previewOf(name, request(), flags, shell)
  const held: { client?: CommandClient } = {}
  const addressesOf = (id: string) => held.client && explain?.(held.client, id)
  const gathering = flags.report === undefined ? undefined : gather(addressesOf)
  const started = (client: CommandClient, asked: object) =>
    start(client, asked).catch((error: unknown) => Promise.reject(explainFormats(error, asked)))
  const work = async (client: CommandClient, store: string): Promise<number> => {
    held.client = client
    const stop = new AbortController()
    const interrupt = (): void => stop.abort()
    process.once('SIGINT', interrupt)
    try {
      const job = flags.resume === undefined ? await started(client, request()) : undefined
      const found = await client.findJob(job?.id ?? flags.resume ?? '')
      return await showJob(job ?? findPages(client, found.job), found, {
        client,
        name,
        flags,
        shell,
        store,
        signal: stop.signal,
        gathering,
      })
    } finally {
      process.off('SIGINT', interrupt)
    }
  }
  return withClient(flags, shell, work, gathering?.observer)
}
