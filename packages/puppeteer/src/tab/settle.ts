import { closeBanners, noticeSelector } from './banners.ts'
import { pause } from '../lib/race.ts'
import { settled } from './scripts.ts'
import type { View } from './view.ts'
import { contextLost, runIn } from './worlds.ts'

export interface QuietTerms {
  /** Milliseconds without a change that count as quiet. */
  readonly quiet: number
  /** Milliseconds after which the page is taken as it is. */
  readonly cap: number
}

export const forPages: QuietTerms = { quiet: 100, cap: 6_000 }
export const forActions: QuietTerms = { quiet: 60, cap: 3_000 }

const pollEvery = 25

/**
 * Waits until the page is quiet: its document is there, nothing has been added for a moment, and no answer is under way
 * that could add something. Never waits for pictures, pings or streams, and never longer than the cap.
 */
export async function settle(view: View, { quiet, cap }: QuietTerms, signal: AbortSignal): Promise<void> {
  const { broken } = view.place
  const { main } = view.frames
  const end = performance.now() + cap
  const left = (): number => Math.max(0, end - performance.now())
  let notices = view.profile.blockAds ? noticeSelector : null
  while (left() > 0) {
    const still = await runIn<{ readonly notice: boolean }>(main, settled, [quiet, left(), notices], signal, broken)
    if (still === contextLost) {
      await pause(pollEvery, signal, broken)
      continue
    }
    if (view.network.pending() > 0) {
      while (view.network.pending() > 0 && left() > 0) await pause(pollEvery, signal, broken)
      continue
    }
    if (!still.notice || notices === null) return
    notices = null
    if ((await runIn<boolean>(main, closeBanners, [], signal, broken)) !== true) return
    view.note('A cookie notice was answered and closed.')
  }
}
