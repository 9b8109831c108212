import {
  appRootIds,
  enoughText,
  loadingClass,
  loadingText,
  maxLoadingText,
  surroundings,
} from '@harvestman/html/internal'

import type { PageScript } from './worlds.ts'

/** What a page shows, as far as its completeness can be told from that. */
export interface PageState {
  /**
   * `done`: it shows content. `empty`: it shows nothing. `loading`: a spinner, a skeleton or a text says that content is
   * to come. `leaving`: it is about to go to another URL. `frames`: what it shows is in frames. `canvas`: it is drawn.
   */
  readonly kind: 'done' | 'empty' | 'loading' | 'leaving' | 'frames' | 'canvas'
  /** Characters of its main text, up to a limit. */
  readonly length: number
}

/** True while more is to be expected of the page. */
export function isUnfinished({ kind }: PageState): boolean {
  return kind === 'empty' || kind === 'loading' || kind === 'leaving'
}

const appRoots = [...appRootIds.map((id) => `[id="${id}"]`), 'app-root', 'my-app', 'main', '[role="main"]'].join(',')
const silent =
  'script style template noscript head svg title option select iframe frame object video audio canvas'.split(' ')
const shownMedia = 'img,video,svg,object,embed,input:not([type="hidden"]),select,textarea'

/**
 * Reads the state of a page. Text is read until there is enough of it, so that a page with content costs little, whatever
 * its size.
 */
export const pageState: PageScript = /* js */ `(() => {
  const loadingText = ${String(loadingText)}
  const loadingClass = ${String(loadingClass)}
  const silent = new Set(${JSON.stringify(silent)})
  const outside = new Set(${JSON.stringify(surroundings)})
  const most = 5_000
  const isShown = (element) => !element.checkVisibility || element.checkVisibility({ visibilityProperty: true })
  const isLarge = (element, side) => {
    const { width, height } = element.getBoundingClientRect()
    return width >= side && height >= side && isShown(element)
  }
  const some = (selector, accept) => {
    const found = document.querySelectorAll(selector)
    for (let i = 0; i < found.length && i < 200; i++) if (accept(found[i])) return true
    return false
  }
  const isLeaving = () => some('meta[http-equiv="refresh" i]', ({ content }) => {
    const [, seconds, address] = /^\\s*([\\d.]+)\\s*[;,]\\s*(?:url\\s*=)?\\s*["']?([^"']+)/i.exec(content) ?? []
    if (address === undefined || Number(seconds) > 10) return false
    try { return new URL(address.trim(), document.baseURI).href !== location.href } catch { return false }
  })
  const read = () => {
    let main = 0, total = 0, nodes = 0, loading = false
    const texts = (root, isMain, depth) => {
      if (depth > 400) return
      for (let node = root.firstChild; node && main < ${enoughText} && nodes < most; node = node.nextSibling) {
        nodes += 1
        if (node.nodeType === 3) {
          const text = node.data.trim()
          if (text === '' || !isShown(root.host ?? root)) continue
          total += text.length
          if (isMain) main += text.length
          if (text.length <= ${maxLoadingText} && loadingText.test(text)) loading = true
        } else if (node.nodeType === 1 && !silent.has(node.localName)) {
          const isInner = isMain && !outside.has(node.localName)
          if (node.shadowRoot) texts(node.shadowRoot, isInner, depth + 1)
          texts(node, isInner, depth + 1)
        }
      }
    }
    if (document.body) texts(document.body, true, 0)
    return { main, total, loading }
  }
  const isEmptyRoot = (element) => element.textContent.trim() === '' && !element.shadowRoot && !element.querySelector(${JSON.stringify(shownMedia + ',canvas,iframe')})
  const isBusy = (element) => (element.getAttribute('aria-busy') === 'true' || loadingClass.test(element.getAttribute('class') ?? '') || element.getAttribute('role') === 'progressbar') && isShown(element)
  const kindOf = ({ main, total, loading }) => {
    if (main >= ${enoughText}) return 'done'
    if (isLeaving()) return 'leaving'
    if (loading) return 'loading'
    if (some('[aria-busy="true"],[role="progressbar"],[class*="load" i],[class*="skelet" i],[class*="spinner" i],[class*="shimmer" i],[class*="lds-"],[class*="sk-"],[class*="placeholder-" i]', isBusy)) return 'loading'
    if (main < 60 && document.scripts.length > 0 && some(${JSON.stringify(appRoots)}, isEmptyRoot)) return total === 0 ? 'empty' : 'loading'
    if (some('iframe,frame', (frame) => isLarge(frame, 100))) return 'frames'
    if (total > 0 || some(${JSON.stringify(shownMedia)}, (element) => isLarge(element, 8))) return 'done'
    return some('canvas', (canvas) => isLarge(canvas, 100)) ? 'canvas' : 'empty'
  }
  return () => {
    const text = read()
    return { kind: kindOf(text), length: text.main }
  }
})()`

/** Waits until nodes or texts of a page change, or for some milliseconds. Returns whether they did. */
export const changes: PageScript = /* js */ `(ms) => new Promise((resolve) => {
  const end = (changed) => {
    observer.disconnect()
    clearTimeout(timer)
    resolve(changed)
  }
  const observer = new MutationObserver(() => end(true))
  const timer = setTimeout(() => end(false), ms)
  observer.observe(document, { subtree: true, childList: true, characterData: true })
})`
