import type { Traffic, TrafficAnswer } from '@harvestman/ports'

/**
 * Combines two traffic handlers: both receive responses and failures, each with bodies up to its own `maxBytes`. The script and
 * the function `answer` come from `main`, or from `watcher` if they are missing there. Without `watcher`, returns `main`.
 */
export function joinTraffic(main: Traffic, watcher: Traffic | undefined): Traffic {
  if (!watcher) return main
  return {
    ...watcher,
    ...main,
    maxBytes: Math.max(main.maxBytes, watcher.maxBytes),
    note: (asked, answer) => {
      main.note?.(asked, cutBody(answer, main.maxBytes))
      watcher.note?.(asked, cutBody(answer, watcher.maxBytes))
    },
    failed: (url, error) => {
      main.failed?.(url, error)
      watcher.failed?.(url, error)
    },
  }
}

function cutBody(answer: TrafficAnswer, maxBytes: number): TrafficAnswer {
  if (answer.body.length <= maxBytes) return answer
  return { ...answer, body: answer.body.subarray(0, maxBytes), isCut: true }
}
