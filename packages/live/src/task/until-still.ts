import type { Clock, LiveBrowser } from '@harvestman/ports'

const pollInterval = 150
const maxPolls = 20

/**
 * Waits until two consecutive snapshots are equal. Resolves as well after 20 snapshots, about three seconds, because some pages
 * never stop changing. Rejects only with the signal's reason.
 */
export async function untilStill(live: LiveBrowser, clock: Clock, signal: AbortSignal): Promise<void> {
  let before = ''
  for (let look = 0; look < maxPolls; look++) {
    await clock.sleep(pollInterval, signal)
    // During a navigation there may be no page to read.
    const { url, text } = await live.snapshot(signal).catch(() => ({ url: '', text: '' }))
    signal.throwIfAborted()
    const now = `${url}\n${text}`
    if (now === before && text !== '') return
    before = now
  }
}
