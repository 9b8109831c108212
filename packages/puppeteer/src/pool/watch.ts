import { heartbeat, type RecycleOptions } from '../lib/options.ts'
import type { Host } from './host.ts'

/** Why a browser takes no further pages, when it has served its time. */
export interface Wear {
  ofAge(host: Host): string | undefined
  /** Its memory too, which takes a look at its processes. */
  now(host: Host): string | undefined
}

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
  /** Told of pages without an owner. */
  readonly tell: (reason: string) => void
  readonly wear: () => string | undefined
  readonly isIdle: () => boolean
  readonly retire: (kind: Retirement, reason: string) => Promise<void>
}

/** Looks at a browser again and again while it lives: ends it when it stops answering, retires it when it is worn or idle. */
export function watchHost(host: Host, { tell, wear, isIdle, retire }: Watch): void {
  const { running } = host
  let beats = 0
  let isLooking = false
  const look = async (): Promise<void> => {
    // What keeps it from answering is most likely one page: without that one, the others may go on.
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
  running.gone.addEventListener('abort', () => clearInterval(timer), { once: true })
}
