import type { Traffic } from '@harvestman/ports'

/**
 * Combines two traffic handlers: both receive responses and failures. The script and the function `answer` come from `main`, or
 * from `watcher` if they are missing there. Without `watcher`, returns `main`.
 */
export function joinTraffic(main: Traffic, watcher: Traffic | undefined): Traffic {
  if (!watcher) return main
  return {
    ...watcher,
    ...main,
    maxBytes: Math.max(main.maxBytes, watcher.maxBytes),
    note: (asked, answer) => {
      main.note?.(asked, answer)
      watcher.note?.(asked, answer)
    },
    failed: (url, error) => {
      main.failed?.(url, error)
      watcher.failed?.(url, error)
    },
  }
}
