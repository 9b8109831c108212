// Monitors of this machine, or of a server.
import type { CommandCheck, CommandEngine, CommandMonitor } from './command-engine.ts'
import { withEngine, type EngineFlags } from './follow.ts'
import { printable } from './printable.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'

export interface MonitorFlags extends EngineFlags {
  readonly json?: boolean
  readonly name?: string
  readonly schedule?: string
  readonly webhook?: string
}

const atOnce = 100
const pause = 250

/** Makes a monitor of pages, and prints its id. A server keeps its schedule. */
export async function createMonitor(urls: readonly string[], flags: MonitorFlags, shell: Shell): Promise<number> {
  const { name = urls[0], schedule: text = 'daily', webhook } = flags
  const monitor = { name, schedule: { text }, targets: [{ type: 'scrape', urls }], ...(webhook && { webhook }) }
  return withEngine(flags, shell, async ({ monitors }) => {
    const { id, nextRunAt } = await monitors.create(monitor)
    shell.out(`${id}\n`)
    shell.err(`A server checks it next at ${nextRunAt ?? 'no time'}. Check it now: harvestman monitors run ${id}\n`)
    return exitCodes.done
  })
}

export async function listMonitors(flags: MonitorFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ monitors }, store) => {
    let offset = 0
    for (let count = atOnce; count === atOnce; offset += count) {
      const some = await monitors.list({ limit: atOnce, offset })
      for (const monitor of some) shell.out(flags.json ? `${JSON.stringify(monitor)}\n` : lineOf(monitor))
      count = some.length
    }
    if (offset === 0 && !flags.json) shell.err(`There is no monitor in ${store}.\n`)
    return exitCodes.done
  })
}

function lineOf({ id, name, status, nextRunAt, lastCheckSummary }: CommandMonitor): string {
  const last = lastCheckSummary ? inWords(lastCheckSummary) : 'not checked yet'
  const next = status === 'paused' ? 'paused' : `next ${nextRunAt ?? 'never'}`
  return `${[id, next.padEnd(29), last, printable(name).slice(0, 200)].join('  ')}\n`
}

/** Checks a monitor now, and prints what has changed. */
export async function runMonitor(id: string, flags: MonitorFlags, shell: Shell): Promise<number> {
  return untilStopped(
    (signal) =>
      withEngine(flags, shell, async ({ monitors }) => {
        const { id: check } = await monitors.run(id)
        for (;;) {
          signal.throwIfAborted()
          const { status } = await monitors.check(id, check, { limit: 1 })
          if (status !== 'queued' && status !== 'running') break
          await new Promise((resolve) => setTimeout(resolve, pause))
        }
        return tell(monitors, id, check, flags, shell)
      }),
    shell,
  )
}

/** Prints what the last check of a monitor has found. */
export async function showMonitor(id: string, flags: MonitorFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ monitors }) => {
    const [last] = await monitors.checks(id, { limit: 1 })
    if (last) return tell(monitors, id, last.id, flags, shell)
    shell.err(`It has not been checked yet. Check it now: harvestman monitors run ${id}\n`)
    return exitCodes.done
  })
}

/** Changes a monitor in a way that is told in one word. */
export async function changeMonitor(
  id: string,
  how: 'pause' | 'resume' | 'delete',
  flags: MonitorFlags,
  shell: Shell,
): Promise<number> {
  return withEngine(flags, shell, async ({ monitors }) => {
    await monitors[how](id)
    shell.err(`The monitor is ${how}d.\n`)
    return exitCodes.done
  })
}

async function tell(
  monitors: CommandEngine['monitors'],
  id: string,
  checkId: string,
  flags: MonitorFlags,
  shell: Shell,
): Promise<number> {
  let check: CommandCheck
  for (let skip = 0; ; skip += atOnce) {
    check = await monitors.check(id, checkId, { limit: atOnce, skip })
    for (const page of check.pages) {
      const { status, url, error, diff } = page
      if (flags.json) shell.out(`${JSON.stringify(page)}\n`)
      else if (status !== 'same')
        shell.out(`${status.padEnd(7)}  ${url}${error === null ? '' : `  ${printable(error)}`}\n`)
      if (!flags.json && diff?.text !== undefined) shell.out(`${diff.text}\n`)
    }
    if (check.pages.length < atOnce) break
  }
  const { status, summary, error } = check
  if (!flags.json) shell.err(`${error === null ? inWords(summary) : printable(error)}\n`)
  return status === 'failed' ? exitCodes.fault : exitCodes.done
}

function inWords({ totalPages, changed, removed, error, new: first }: CommandCheck['summary']): string {
  const counts = { changed, removed, new: first, failed: error }
  const told = Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []))
  return told.length > 0 ? told.join(', ') : `no change on ${totalPages} ${totalPages === 1 ? 'page' : 'pages'}`
}
