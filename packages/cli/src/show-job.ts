// Shows a job on the command line: its pages as they finish, its progress and its end.
import { writeFile } from 'node:fs/promises'

import type { AnyJob, ListedJob } from '@harvestman/client'
import { EngineError } from '@harvestman/ports'

import type { CommandClient, CommandJob } from './client.ts'
import { cancelCommand, goOnCommand } from './go-on.ts'
import { openOutlet, type Outlet, type OutletFlags } from './outlet.ts'
import { duration, showProgress, type Progress } from './progress.ts'
import { printable } from './printable.ts'
import type { Gathering } from './report/data.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface ShowFlags extends OutletFlags {
  readonly fail?: boolean
  readonly report?: string
  readonly store?: string
  readonly config?: string
  readonly server?: string
}

export interface Showing {
  readonly client: CommandClient
  readonly name: string
  readonly flags: ShowFlags
  readonly shell: Shell
  readonly store: string
  readonly signal: AbortSignal
  /** Collects the report data; only with `--report`. */
  readonly gathering: Gathering | undefined
}

/**
 * Prints the pages of a job as they finish, its progress and its end. Resolves to the exit code. If the signal is aborted,
 * prints how to resume the job. Rejects if the job cannot be read, and with `invalid_request` if an output file cannot be
 * written.
 */
export async function showJob(job: CommandJob, { request }: AnyJob, showing: Showing): Promise<number> {
  const { name, flags, shell, store, signal, gathering } = showing
  const began = performance.now()
  shell.err(`${shell.paint.err('quiet', `${name} ${job.id}`)}\n`)
  const outlet = await openOutlet(flags, formatsOf(request), shell)
  const progress = openProgress(shell)
  try {
    const end = await tell(job, outlet, progress, showing)
    progress.end()
    const took = performance.now() - began
    const left = (await job.errors()).robotsBlocked.length
    shell.err(`${mark(end, shell)} ${summary(end, { name, took, left, place: outlet.place })}`)
    if (gathering && flags.report !== undefined)
      await report(gathering, { request, end, took, file: flags.report, shell })
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

interface Reporting {
  readonly request: AnyJob['request']
  readonly end: ListedJob
  readonly took: number
  readonly file: string
  readonly shell: Shell
}

async function report(gathering: Gathering, { request, end, took, file, shell }: Reporting): Promise<void> {
  const { reportHtml } = await import('./report/report.ts')
  const text = reportHtml(await gathering.end(end, request, took))
  try {
    await writeFile(file, text)
  } catch (cause) {
    throw new EngineError('invalid_request', `${file} cannot be written. Check its folder and permissions.`, { cause })
  }
  shell.err(`Report: ${file}\n`)
}

/** Creates the progress display for the shell's terminal. */
export function openProgress({ err, isTerminal, columns }: Shell): Progress {
  const every = (milliseconds: number, work: () => void) => {
    const timer = setInterval(work, milliseconds)
    return () => clearInterval(timer)
  }
  return showProgress({ write: err, isTerminal, columns, now: () => performance.now(), every })
}

// Minimum milliseconds between status requests. The total comes from the status, which is not requested for each page.
const statusEvery = 500

async function tell(job: CommandJob, outlet: Outlet, progress: Progress, showing: Showing): Promise<ListedJob> {
  const { client, shell, signal, gathering } = showing
  const stateOf = (): Promise<ListedJob> => client.jobStatus(job.id)
  let [done, failed, total, credits, askedAt] = [0, 0, 0, 0, -Infinity]
  for await (const event of job.events({ signal })) {
    if ('status' in event) break
    if (event.type === 'started') continue
    if (performance.now() - askedAt > statusEvery) {
      ;({ total, creditsUsed: credits } = await stateOf())
      askedAt = performance.now()
    }
    if (event.type === 'page') {
      done += 1
      gathering?.page(event.document, event.at)
      await progress.print(() => outlet.take(event.document))
    } else {
      failed += 1
      gathering?.failed(event.error)
      const { url, error } = event.error
      progress.print(() => shell.err(`${shell.paint.err('bad', '✗')} ${url}  ${printable(error)}\n`))
    }
    const url = event.type === 'page' ? event.document.metadata.sourceURL : event.error.url
    progress.show({ done, failed, total: Math.max(total, done + failed), credits, url })
  }
  return stateOf()
}

function formatsOf(request: unknown): readonly string[] {
  const { scrapeOptions, formats } = request as { scrapeOptions?: Wanted; formats?: Wanted['formats'] }
  return (scrapeOptions?.formats ?? formats ?? []).map(({ type }) => type)
}

interface Wanted {
  readonly formats?: readonly { readonly type: string }[]
}

interface ShownProgress {
  readonly name: string
  readonly took: number
  readonly left: number
  readonly place: string | undefined
}

function mark({ outcome }: ListedJob, { paint }: Shell): string {
  if (outcome === 'completed') return paint.err('good', '✓')
  if (outcome === 'completed_with_failures') return paint.err('warn', '!')
  return paint.err('bad', '✗')
}

/**
 * Formats the final line of a job: outcome, number of pages, credits, duration (`took`, in milliseconds), and the
 * error if it failed.
 */
export function summary(
  { outcome, total, completed, failed, creditsUsed, error }: ListedJob,
  { name, took, left, place }: ShownProgress,
): string {
  const facts = [
    `${failed > 0 ? `${completed} of ${total}` : completed} ${completed === 1 && failed === 0 ? 'page' : 'pages'}${place === undefined ? '' : ` in ${place}`}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left > 0 ? [`${left} disallowed by robots.txt`] : []),
    ...(creditsUsed > 0 ? [`${creditsUsed} ${creditsUsed === 1 ? 'credit' : 'credits'}`] : []),
    duration(took),
  ]
  return `${name} ${outcome.replaceAll('_', ' ')}: ${facts.join(', ')}.${error === undefined ? '' : ` ${error}`}\n`
}

function codeOf({ status, outcome, completed, failed, total }: ListedJob, { fail = false }: ShowFlags): number {
  if (status === 'failed' || (completed === 0 && total > 0)) return exitCodes.notLoaded
  if (fail && failed > 0) return exitCodes.badStatus
  return outcome === 'completed_with_failures' ? exitCodes.someFailed : exitCodes.done
}

function farewell(name: string, id: string, store: string, flags: ShowFlags): string {
  if (store === 'memory:') return `Stopped. The ${name} was stored in memory only, and is lost.\n`
  return `Stopped, and stored. Continue with: ${goOnCommand(name, id, flags)}\nEnd it with: ${cancelCommand(id, flags)}\n`
}
