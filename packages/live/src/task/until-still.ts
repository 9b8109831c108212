import type { Clock, LiveBrowser } from '@harvestman/ports'

const looksEvery = 150
const mostLooks = 20

/** Waits until two snapshots in a row are the same, for three seconds at most: a page that moves on is still looked at. */
export async function untilStill(live: LiveBrowser, clock: Clock, signal: AbortSignal): Promise<void> {
  let before = ''
  for (let look = 0; look < mostLooks; look++) {
    await clock.sleep(looksEvery, signal)
    // There may be nothing to look at in the middle of a navigation.
    const { url, text } = await live.snapshot(signal).catch(() => ({ url: '', text: '' }))
    signal.throwIfAborted()
    const now = `${url}\n${text}`
    if (now === before && text !== '') return
    before = now
  }
}
