import type { Engine, Job, JobEvent, JobStatus } from '@harvestman/core'
import { openEngine, readConfig } from '@harvestman/node'

import { openOutlet, type Outlet, type OutletFlags } from './outlet.ts'
import { duration, showProgress, type Progress } from './progress.ts'
import { onDisk, sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface EngineFlags {
  readonly store?: string
  readonly allowPrivate?: string
  readonly config?: string
}

export interface JobFlags extends EngineFlags, OutletFlags {
  readonly fail?: boolean
  readonly resume?: string
}

/** Opens the engine that the flags ask for, has it do some work, and closes it. */
export async function withEngine<Result>(
  { config: file, store, allowPrivate }: EngineFlags,
  shell: Shell,
  work: (engine: Engine, store: string) => Promise<Result>,
): Promise<Result> {
  const { config } = readConfig(sources(file, { store, allowPrivate }, shell))
  const settled = { ...onDisk(config), log: 'silent' as const }
  const { engine, close } = openEngine(settled)
  try {
    return await work(engine, settled.store)
  } finally {
    await close()
  }
}

/** Starts a job, or goes on with one, and gives its pages as they come. */
export async function follow(
  name: 'crawl' | 'batch',
  start: (engine: Engine) => Promise<Job>,
  flags: JobFlags,
  shell: Shell,
): Promise<number> {
  return withEngine(flags, shell, async (engine, store) => {
    const stop = new AbortController()
    const interrupt = (): void => stop.abort()
    process.once('SIGINT', interrupt)
    try {
      const job = flags.resume === undefined ? await start(engine) : await engine.findJob(flags.resume)
      return await showJob(job, name, { flags, shell, store, signal: stop.signal })
    } finally {
      process.off('SIGINT', interrupt)
    }
  })
}

interface Showing {
  readonly flags: JobFlags
  readonly shell: Shell
  readonly store: string
  readonly signal: AbortSignal
}

async function showJob(job: Job, name: string, showing: Showing): Promise<number> {
  const { flags, shell, store, signal } = showing
  const began = performance.now()
  const { request } = await job.status()
  shell.err(`${name} ${job.id}\n`)
  const outlet = await openOutlet(flags, formatsOf(request), shell)
  const progress = openProgress(shell)
  try {
    const end = await tell(job, outlet, progress, showing)
    progress.end()
    const left = (await job.errors()).robotsBlocked.length
    shell.err(summary(end, { name, took: performance.now() - began, left, place: outlet.place }))
    return codeOf(end, flags)
  } catch (error) {
    progress.end()
    if (!signal.aborted) throw error
    shell.err(farewell(name, job.id, store, flags))
    return exitCodes.interrupted
  } finally {
    await outlet.close()
  }
}

function openProgress({ err, isTerminal, columns }: Shell): Progress {
  const every = (milliseconds: number, work: () => void) => {
    const timer = setInterval(work, milliseconds)
    return () => clearInterval(timer)
  }
  return showProgress({ write: err, isTerminal, columns, now: () => performance.now(), every })
}

// What a job knows of its total is in its status, and need not be asked for with each page.
const statusEvery = 500

async function tell(job: Job, outlet: Outlet, progress: Progress, { shell, signal }: Showing): Promise<JobStatus> {
  let [done, failed, total, askedAt] = [0, 0, 0, -Infinity]
  for await (const event of job.events({ signal })) {
    if (isEnd(event)) return event.status
    if (event.type === 'started') continue
    if (shell.isTerminal && performance.now() - askedAt > statusEvery) {
      ;({ total } = await job.status())
      askedAt = performance.now()
    }
    if (event.type === 'page') {
      done += 1
      await progress.print(() => outlet.take(event.document))
    } else {
      failed += 1
      const { url, error } = event.error
      progress.print(() => shell.err(`✗ ${url}  ${error}\n`))
    }
    const url = event.type === 'page' ? event.document.metadata.sourceURL : event.error.url
    progress.show({ done, failed, total: Math.max(total, done + failed), url })
  }
  return job.status()
}

type End = Extract<JobEvent, { readonly status: JobStatus }>

function isEnd(event: JobEvent): event is End {
  return 'status' in event
}

function formatsOf(request: unknown): readonly string[] {
  const { scrapeOptions, formats } = request as { scrapeOptions?: Wanted; formats?: Wanted['formats'] }
  return (scrapeOptions?.formats ?? formats ?? []).map(({ type }) => type)
}

interface Wanted {
  readonly formats?: readonly { readonly type: string }[]
}

interface Told {
  readonly name: string
  readonly took: number
  readonly left: number
  readonly place: string | undefined
}

/** The last line: how it ended, and what came of it. */
export function summary({ status, completed, failed, message }: JobStatus, { name, took, left, place }: Told): string {
  const facts = [
    `${completed} ${completed === 1 ? 'page' : 'pages'}${place === undefined ? '' : ` in ${place}`}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left > 0 ? [`${left} left out by robots.txt`] : []),
    duration(took),
  ]
  return `${name} ${status}: ${facts.join(', ')}.${message === undefined ? '' : ` ${message}`}\n`
}

function codeOf({ status, completed, failed, total }: JobStatus, { fail = false }: JobFlags): number {
  if (status === 'failed' || (completed === 0 && total > 0)) return exitCodes.notLoaded
  return fail && failed > 0 ? exitCodes.badStatus : exitCodes.done
}

function farewell(name: string, id: string, store: string, { config, store: given }: JobFlags): string {
  if (store === 'memory:') return `Stopped. The ${name} was kept in memory only, and is gone.\n`
  const options = [
    ...(given === undefined ? [] : [`--store ${given}`]),
    ...(config === undefined ? [] : [`--config ${config}`]),
  ]
  const more = options.length > 0 ? ` ${options.join(' ')}` : ''
  return `Stopped, and kept. Go on with: harvestman ${name} --resume ${id}${more}\nEnd it with: harvestman cancel ${id}${more}\n`
}
