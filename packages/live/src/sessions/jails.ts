import type { Jail, LiveBrowser, Sandbox } from '@harvestman/ports'
import { shareByKey } from './shared-work.ts'

export interface JailsOptions {
  readonly live: LiveBrowser
  readonly onFault: (fault: unknown) => void
}

/** The sandboxes of one session. */
export type Jails = ReturnType<typeof makeJails>

/**
 * Creates the sandboxes that run a session's code. A sandbox is opened on first use, and replaced if it has ended. Concurrent
 * callers of `open` share one, and each may cancel only its own wait. `open` rejects if no sandbox can be started; the next
 * call tries again.
 */
export function makeJails({ live, onFault }: JailsOptions) {
  const share = shareByKey<Jail>()
  let jail: Jail | undefined
  let opening: Promise<unknown> | undefined
  // A sandbox may have ended, for example because its code could not be stopped. The first call that notices opens another.
  const isOpen = (one: Jail | undefined): one is Jail => one?.gone.aborted === false
  const open = async (from: Sandbox, signal: AbortSignal): Promise<Jail> => {
    if (isOpen(jail)) return jail
    const one = await share('', signal, async (all) => {
      // A cancelled opening may have succeeded meanwhile.
      if (isOpen(jail)) return jail
      const opened = from.open({ connect: () => live.connect(), onFault }, all)
      opening = opened
      return (jail = await opened)
    })
    return isOpen(one) ? one : open(from, signal)
  }
  return {
    open,
    close: async (): Promise<void> => {
      await opening?.catch(() => undefined)
      await jail?.close().catch(onFault)
    },
  }
}
