import type { Engine, ExplainedAddress, Job, PreviewKind } from '@harvestman/core'
import type { Observer } from '@harvestman/ports'
import { openEngine, readConfig, type ServedEngine } from '@harvestman/node'

import { showPreview, type PreviewFlags } from './preview.ts'
import { gather } from './report/data.ts'
import { onDisk, sources } from './settings.ts'
import type { Shell } from './shell.ts'
import { showJob, type ShowFlags } from './show-job.ts'

export interface EngineFlags {
  readonly store?: string
  readonly allowPrivate?: string
  readonly config?: string
}

export interface JobFlags extends EngineFlags, ShowFlags, Pick<PreviewFlags, 'preview'> {
  readonly resume?: string
}

/** Opens the engine that the flags ask for, has it do some work, and closes it. */
export async function withEngine<Result>(
  { config: file, store, allowPrivate }: EngineFlags,
  shell: Shell,
  work: (engine: ServedEngine, store: string) => Promise<Result>,
  observer?: Observer,
): Promise<Result> {
  const { config } = readConfig(sources(file, { store, allowPrivate }, shell))
  const settled = { ...onDisk(config), log: 'silent' as const }
  const { engine, close } = await openEngine(settled, { observer })
  try {
    return await work(engine, settled.store)
  } finally {
    await close()
  }
}

/** Says what a request would cost, in place of doing it. */
export function previewOf(
  kind: PreviewKind,
  request: object,
  flags: EngineFlags & PreviewFlags,
  shell: Shell,
): Promise<number> {
  return withEngine(flags, shell, async (engine) => showPreview(engine, kind, request, flags, shell))
}

/** A job of many pages as a command asks for it. */
export interface Followed {
  readonly name: PreviewKind
  readonly request: () => object
  start(engine: Engine, request: object): Promise<Job>
  /** What it decided about the addresses that it met, of a kind that finds its own. */
  addresses?(engine: Engine, id: string): AsyncIterable<ExplainedAddress>
}

/** Starts a job, or goes on with one, and gives its pages as they come; or says what it would cost. */
export async function follow(
  { name, request, start, addresses }: Followed,
  flags: JobFlags,
  shell: Shell,
): Promise<number> {
  if (flags.preview) return previewOf(name, request(), flags, shell)
  const held: { engine?: Engine } = {}
  const addressesOf = (id: string) => held.engine && addresses?.(held.engine, id)
  const gathering = flags.report === undefined ? undefined : gather(addressesOf)
  const work = async (engine: Engine, store: string): Promise<number> => {
    held.engine = engine
    const stop = new AbortController()
    const interrupt = (): void => stop.abort()
    process.once('SIGINT', interrupt)
    try {
      const job = flags.resume === undefined ? await start(engine, request()) : await engine.jobs.find(flags.resume)
      return await showJob(job, name, { flags, shell, store, signal: stop.signal, gathering })
    } finally {
      process.off('SIGINT', interrupt)
    }
  }
  return withEngine(flags, shell, work, gathering?.observer)
}
