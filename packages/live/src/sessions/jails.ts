import type { Jail, LiveBrowser, Sandbox } from '@harvestman/ports'

export interface JailsOptions {
  readonly live: LiveBrowser
  readonly onFault: (fault: unknown) => void
}

/** The sandboxes of one session. */
export type Jails = ReturnType<typeof makeJails>

/**
 * Creates the sandboxes that run a session's code. A sandbox is opened on first use, and replaced if it has ended.
 * `open` rejects if no sandbox can be started; the next call tries again.
 */
export function makeJails({ live, onFault }: JailsOptions) {
  let jail: Promise<Jail> | undefined
  const open = async (from: Sandbox, signal: AbortSignal): Promise<Jail> => {
    const opening = (jail ??= from.open({ connect: () => live.connect(), onFault }, signal))
    const one = await opening.catch((error: unknown) => {
      if (jail === opening) jail = undefined
      throw error
    })
    if (!one.gone.aborted) return one
    // The sandbox has ended, for example because its code could not be stopped. The first call that notices opens another.
    if (jail === opening) jail = undefined
    return open(from, signal)
  }
  return {
    open,
    close: async (): Promise<void> => {
      const jailed = await jail?.catch(() => undefined)
      await jailed?.close().catch(onFault)
    },
  }
}
