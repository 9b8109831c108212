import { monitorEventLoopDelay } from 'node:perf_hooks'

// Ten wake-ups a second have no measurable cost for an idle process.
const resolution = 100

// One per process, because it has one event loop.
let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined

/**
 * Starts measuring at the first call, which returns an empty object. Each later call returns the delay of the event
 * loop in seconds since the last call, by quantile: 0.5, 0.99 and 1.
 */
export function readLoopDelay(): Readonly<Record<string, number>> {
  if (histogram === undefined) {
    histogram = monitorEventLoopDelay({ resolution })
    histogram.enable()
    return {}
  }
  const { count } = histogram
  // A sample is the time between two wake-ups.
  const delay = (nanoseconds: number): number => (count === 0 ? 0 : Math.max(0, nanoseconds / 1e6 - resolution) / 1_000)
  const quantiles = {
    '0.5': delay(histogram.percentile(50)),
    '0.99': delay(histogram.percentile(99)),
    '1': delay(histogram.max),
  }
  histogram.reset()
  return quantiles
}
