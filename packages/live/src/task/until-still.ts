import type { Clock, LiveBrowser } from '@harvestman/ports'

const looksEvery = 150
const mostLooks = 20

/** Waits until two consecutive snapshots are equal, at most three seconds, because some pages never stop changing. */
export async function untilStill(live: LiveBrowser, clock: Clock, signal: AbortSignal): Promise<void> {
  let before = ''
  for (let look = 0; look < mostLooks; look++) {
    await clock.sleep(looksEvery, signal)
    // During a navigation there may be no page to read.
    const { url, text } = await live.snapshot(signal).catch(() => ({ url: '', text: '' }))
    signal.throwIfAborted()
    const now = `${url}\n${text}`
    if (now === before && text !== '') return
    before = now
  }
}
