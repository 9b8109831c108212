import type { SettledPage } from '../src/tab/page-results.ts'
import { hasNotice } from './banners.ts'
import { readPageState } from './state.ts'

const everything = { subtree: true, childList: true, characterData: true } as const

const isStatic = (): boolean => document.scripts.length === 0 && !document.querySelector('iframe,frame')

/**
 * Waits until the document is loaded and nothing was added for `quiet` milliseconds, at most `cap` milliseconds. Does not wait
 * for a page without scripts and frames. Ignores attributes, because animations change them forever. Returns the state of the
 * page and whether something looks like a cookie notice.
 */
export function waitUntilSettled(quiet: number, cap: number): Promise<SettledPage> {
  return new Promise((resolve) => {
    const start = performance.now()
    let last = start
    let timer: number | undefined
    const observer = new MutationObserver(() => {
      last = performance.now()
    })
    const end = (): void => {
      observer.disconnect()
      clearTimeout(timer)
      const state = readPageState()
      resolve({ notice: hasNotice(), state, isFinal: state.kind !== 'leaving' && isStatic() })
    }
    const look = (): void => {
      const now = performance.now()
      if (now - last >= quiet || now - start >= cap) return end()
      timer = setTimeout(look, Math.min(quiet - (now - last), cap - (now - start)) + 1)
    }
    const begin = (): void => {
      clearTimeout(timer)
      if (isStatic()) return end()
      last = performance.now()
      look()
    }
    observer.observe(document, everything)
    if (document.readyState !== 'loading') return begin()
    document.addEventListener('DOMContentLoaded', begin, { once: true })
    timer = setTimeout(end, cap)
  })
}

/** Waits until nodes or text of the page change, at most `ms` milliseconds. Returns whether they did. */
export function waitForChange(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasChanged: boolean): void => {
      observer.disconnect()
      clearTimeout(timer)
      resolve(hasChanged)
    }
    const observer = new MutationObserver(() => end(true))
    const timer = setTimeout(() => end(false), ms)
    observer.observe(document, everything)
  })
}
