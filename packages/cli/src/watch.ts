import { spawn } from 'node:child_process'

import type { Engine } from '@harvestman/core'
import { EngineError } from '@harvestman/ports'

import { withOwnEngine, type EngineFlags } from './follow.ts'
import { countOf } from './numbers.ts'
import type { Paint } from './paint.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface WatchFlags extends EngineFlags {
  readonly every?: string
  readonly tag?: string
  readonly times?: string
  readonly run?: string
  readonly webhook?: string
  readonly json?: boolean
  readonly options?: string
}

/** Result of one check of the page. */
export interface Look {
  readonly url: string
  readonly at: string
  readonly status: string
  readonly previousAt: string | null
  readonly diff?: string
}

const webhookTimeout = 10_000
const minPause = 1_000

/**
 * Checks a page at an interval (default: 10 minutes) and prints what changed, until Ctrl-C or for `--times` checks. `--run` and
 * `--webhook` receive changed and removed pages. A failure that may pass is printed, and the check is repeated at the next
 * interval; other errors, such as an invalid URL, reject. Resolves to the exit code.
 */
export async function watch(url: string, flags: WatchFlags, shell: Shell): Promise<number> {
  const pause = parseEvery(flags.every ?? '10m')
  const times = flags.times === undefined ? Infinity : countOf('--times', flags.times)
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return await withOwnEngine(flags, shell, async (engine) => {
      for (let turn = 1; !stop.signal.aborted; turn += 1) {
        await tellOf(() => lookAt(engine, url, flags, stop.signal), flags, shell, stop.signal)
        if (turn >= times || stop.signal.aborted) break
        await sleep(pause, stop.signal)
      }
      if (stop.signal.aborted) shell.err('Stopped. The versions are stored: harvestman changes shows them.\n')
      return exitCodes.done
    })
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

/**
 * Parses an interval such as `30s`, `10m`, `2h` or `1d` to milliseconds. Throws `invalid_request` for anything else, and outside
 * of 1 second to 24 days.
 */
export function parseEvery(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})\s*([smhd])$/.exec(text) ?? []
  const ms = Number(amount) * ({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? Number.NaN)
  // Node timers are limited to 24 days.
  if (!(ms >= minPause && ms <= 2_073_600_000))
    throw new EngineError('invalid_request', '--every must be a time such as 30s, 10m, 2h or 1d, from 1s to 24d.')
  return ms
}

async function lookAt(engine: Engine, url: string, { tag }: WatchFlags, signal: AbortSignal): Promise<Look> {
  const format = { type: 'changeTracking', modes: ['git-diff'], ...(tag !== undefined && { tag }) } as const
  const { changeTracking, warning } = await engine.scrape({ url, formats: ['markdown', format] }, { signal })
  if (!changeTracking) throw new EngineError('format_failed', warning ?? 'The page was not compared.')
  const { changeStatus, previousScrapeAt, diff } = changeTracking
  const text = (diff as { readonly text?: string } | undefined)?.text
  return {
    url,
    at: new Date().toISOString(),
    status: changeStatus,
    previousAt: previousScrapeAt,
    ...(text !== undefined && { diff: text }),
  }
}

/**
 * Performs one check. A temporary failure is printed and does not end the watch: the page is checked again at the next
 * interval.
 */
async function tellOf(look: () => Promise<Look>, flags: WatchFlags, shell: Shell, signal: AbortSignal): Promise<void> {
  try {
    const seen = await look()
    shell.out(flags.json ? `${JSON.stringify(seen)}\n` : shownLook(seen, shell.paint.out))
    if (seen.status !== 'changed' && seen.status !== 'removed') return
    if (flags.run !== undefined) await runCommand(flags.run, seen, shell, signal)
    if (flags.webhook !== undefined) await post(flags.webhook, seen, signal)
  } catch (error) {
    if (signal.aborted) return
    if (!EngineError.is(error) || !mayPass(error)) throw error
    shell.err(`${new Date().toISOString()}  ${shell.paint.err('bad', error.message)}\n`)
  }
}

const notPassing = new Set(['invalid_request', 'not_configured', 'url_blocked', 'store_failed'])

function mayPass({ code }: EngineError): boolean {
  return !notPassing.has(code)
}

const tones = { new: 'strong', same: 'quiet', changed: 'warn', removed: 'bad' } as const

/** Formats one check of a page: a line with time, status and URL, then the lines of its diff. */
export function shownLook({ at, status, url, diff }: Look, paint: Paint): string {
  const tone = tones[status as keyof typeof tones] ?? 'strong'
  const head = `${paint('quiet', at)}  ${paint(tone, status.padEnd(7))}  ${url}\n`
  if (diff === undefined) return head
  const lines = diff.trimEnd().split('\n')
  return head + lines.map((line) => `${shownLine(line, paint)}\n`).join('')
}

function shownLine(line: string, paint: Paint): string {
  if (/^(\+\+\+|---|@@|===|Index)/.test(line)) return paint('quiet', line)
  if (line.startsWith('+')) return paint('added', line)
  return line.startsWith('-') ? paint('removed', line) : line
}

/** Runs a command that receives the result as JSON on its standard input. */
async function runCommand(command: string, seen: Look, { env, err }: Shell, signal: AbortSignal): Promise<void> {
  const child = spawn(command, {
    shell: true,
    signal,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...env, HARVESTMAN_URL: seen.url, HARVESTMAN_STATUS: seen.status },
  })
  child.stdin.on('error', () => undefined).end(`${JSON.stringify(seen)}\n`)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null)).once('close', resolve)
  })
  if (code !== 0 && !signal.aborted) err(`The command ended with ${code ?? 'an error'}: ${command}\n`)
}

async function post(address: string, seen: Look, signal: AbortSignal): Promise<void> {
  try {
    const { status, body } = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(seen),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(webhookTimeout)]),
    })
    await body?.cancel()
    if (status < 400) return
    throw new EngineError('bad_response', `The webhook responded with status ${status}.`)
  } catch (cause) {
    if (EngineError.is(cause)) throw cause
    throw new EngineError('connection_failed', 'The webhook could not be reached. Check its URL.', { cause })
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
