// The watchdog thread. It shares only a block of memory with the main thread, so it runs while the main thread is stuck.
import { setInterval, setTimeout } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

import { readMainStack } from './main-stack.ts'
import { readThreadTimes, since } from './main-thread.ts'
import { lineOfReport, writeReport } from './report.ts'
import { openSharedState, type SharedState } from './shared-state.ts'
import { listenInWorker, type EndSignal } from './signals.ts'
import { makeStuckTime } from './stuck-time.ts'
import type { WatchdogData } from './watchdog.ts'

const stackTimeout = 10_000

await watch(workerData as WatchdogData)

async function watch({ memory, interval, limit, signalLimit, action, format, file }: WatchdogData): Promise<void> {
  const state = openSharedState(memory)
  const time = makeStuckTime(interval)
  const isUnheard = action === 'end' ? watchSignals(state, signalLimit) : () => undefined
  let [last, times, reportedAt] = [performance.now(), readThreadTimes(), -1]
  let [movedTo, running] = [-1, times?.running]
  for await (const _ of setInterval(interval)) {
    const [before, beats, now] = [{ last, times }, state.beats(), performance.now()]
    ;[last, times] = [now, readThreadTimes()]
    const used = times && before.times ? since(before.times, times) : { running: 0, starved: 0 }
    const stuck = time.add({ beats, elapsed: now - before.last, ...used })
    if (beats !== movedTo) [movedTo, running] = [beats, times?.running]
    const signal = isUnheard(stuck)
    if ((stuck < limit && signal === undefined) || beats === reportedAt) continue
    const stack = await readMainStack(stackTimeout)
    // A long turn may have just ended. While the main thread runs native code, this thread's event loop waits for the
    // inspector.
    if (stack.kind === 'stack') await setTimeout(interval * 2)
    if (stack.kind === 'debugged' || state.beats() !== beats) {
      time.reset()
      continue
    }
    const cpu = times && running !== undefined ? times.running - running : undefined
    const ends = action === 'end'
    writeReport(lineOfReport({ stuck, cpu, stack, recent: state.recent(), ends, signal }, format), file)
    if (ends) process.kill(process.pid, 'SIGKILL')
    reportedAt = beats
  }
}

/**
 * Returns a function of the milliseconds that the main thread has been stuck. It returns a signal that the main thread has left
 * unhandled for the limit.
 */
function watchSignals(state: SharedState, limit: number): (stuck: number) => EndSignal | undefined {
  const before = state.signals()
  let count = 0
  let last: EndSignal | undefined
  let from = Infinity
  listenInWorker((signal) => {
    count += 1
    ;[last, from] = [signal, Infinity]
  })
  return (stuck) => {
    if (state.signals() - before >= count) return undefined
    from = Math.min(from, stuck)
    return stuck - from >= limit ? last : undefined
  }
}
