/** How long the thread that it runs in is kept from its other work. */
export interface StepMeter {
  /** The most processor time of one turn of the event loop, in milliseconds. */
  longest(): number
  reset(): void
}

/** By the processor time of this thread alone, between two turns of its loop: what other programs of the machine take is not in it. */
export function meterSteps(): StepMeter {
  let longest = 0
  let last = process.threadCpuUsage()
  setInterval(() => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, (now.user + now.system - last.user - last.system) / 1e3)
    last = now
  }, 1).unref()
  return {
    longest: () => longest,
    reset: () => {
      longest = 0
      last = process.threadCpuUsage()
    },
  }
}
