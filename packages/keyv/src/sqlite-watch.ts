import { keyWatchers, type KeyWatchers } from '@harvestman/ports/stores'

import type { GroupCommit } from './group-commit.ts'

// Milliseconds. A poll only reads shared memory, not the file.
const pollInterval = 50

/**
 * Creates the watchers of a file. With `isShared`, other processes write to it as well, so it is polled every 50 ms: SQLite has
 * no notifications, and a poll only shows whether any process has written, so all watchers are called. A failed poll is
 * ignored.
 */
export function watchFile({ look }: Pick<GroupCommit, 'look'>, isShared: boolean): KeyWatchers {
  let looking: NodeJS.Timeout | undefined
  let version: number | undefined
  const askFile = async (): Promise<void> => {
    const now = await look((table) => table.version())
    if (version !== undefined && now !== version) watchers.tellAll()
    version = now
  }
  const start = (): void => {
    if (!isShared || looking) return
    version = undefined
    void askFile().catch(() => undefined)
    looking = setInterval(() => void askFile().catch(() => undefined), pollInterval).unref()
  }
  const stop = (): void => {
    if (watchers.keys.size > 0) return
    clearInterval(looking)
    looking = undefined
  }
  const watchers: KeyWatchers = keyWatchers({ began: start, ended: stop })
  return {
    ...watchers,
    clear: () => {
      watchers.clear()
      stop()
    },
  }
}
