import { heartbeat, type RecycleOptions } from '../lib/options.ts'
import type { Host } from './host.ts'

/** Returns the reason why a browser must be replaced, if any. */
export interface Wear {
  ofAge(host: Host): string | undefined
  /** Also checks the memory, which reads the list of processes. */
  now(host: Host): string | undefined
}

/**
 * Creates the check for browsers that should be replaced. It returns the reason as a sentence: too many pages, too old (`age`
 * in milliseconds) or too much memory (bytes). `undefined` if there is none.
 */
export function wearOf({ pages, age, memory }: RecycleOptions): Wear {
  const ofAge = ({ served, startedAt }: Host): string | undefined => {
    if (served >= pages) return `It has opened ${served} pages.`
    return performance.now() - startedAt >= age ? 'It has lived long enough.' : undefined
  }
  return {
    ofAge,
    now: (host) => ofAge(host) ?? (host.running.memory() >= memory ? 'Its processes hold too much memory.' : undefined),
  }
}

export type Retirement = 'recycled' | 'idle'

interface Watch {
  /** Called when pages without an owner were closed. */
  readonly tell: (reason: string) => void
  readonly wear: () => string | undefined
  readonly isIdle: () => boolean
  readonly retire: (kind: Retirement, reason: string) => Promise<void>
}

/**
 * Checks a browser periodically until it ends. If it stops responding, kills first its busiest page and then the browser;
 * retires it when it is worn out or idle.
 */
export function watchHost(host: Host, { tell, wear, isIdle, retire }: Watch): void {
  const { running } = host
  let beats = 0
  let isLooking = false
  const look = async (): Promise<void> => {
    // Most likely one page blocks the browser. Killing that page lets the others continue.
    const answers = async (): Promise<boolean> =>
      (await host.isAwake(heartbeat.within)) || (running.endBusiest() && (await host.isAwake(2 * heartbeat.within)))
    if (!(await answers())) {
      return running.kill('The browser stopped answering and was ended. Scrape the page again.')
    }
    const strangers = ++beats % 3 === 0 ? await host.sweep() : 0
    if (strangers > 0) tell(`${strangers} pages without an owner were closed.`)
    const reason = wear()
    if (reason) return retire('recycled', reason)
    if (isIdle()) await retire('idle', 'It was not needed.')
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .catch(() => undefined)
      .finally(() => (isLooking = false))
  }, heartbeat.every)
  timer.unref()
  running.closed.addEventListener('abort', () => clearInterval(timer), { once: true })
}
