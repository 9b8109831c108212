import type { Jail, LiveBrowser, Sandbox } from '@harvestman/ports'

export interface JailsOptions {
  readonly live: LiveBrowser
  readonly onFault: (fault: unknown) => void
}

/** The jails of one session. */
export type Jails = ReturnType<typeof makeJails>

/** Makes the jails that run the code of a session. A jail is opened when it is first needed. */
export function makeJails({ live, onFault }: JailsOptions) {
  let jail: Promise<Jail> | undefined
  const open = async (from: Sandbox, signal: AbortSignal): Promise<Jail> => {
    const opening = (jail ??= from.open({ connect: () => live.connect(), onFault }, signal))
    const one = await opening.catch((error: unknown) => {
      if (jail === opening) jail = undefined
      throw error
    })
    if (!one.gone.aborted) return one
    // It has ended, as one does whose code could not be stopped otherwise; the first call that finds out opens another.
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
