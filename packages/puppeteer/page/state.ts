import {
  appRootIds,
  enoughText,
  loadingClass,
  loadingText,
  maxLoadingText,
  surroundings,
} from '@harvestman/html/internal'

import type { PageState } from '../src/tab/page-results.ts'

const appRoots = [...appRootIds.map((id) => `[id="${id}"]`), 'app-root', 'my-app', 'main', '[role="main"]'].join(',')
const silent = new Set(
  'script style template noscript head svg title option select iframe frame object video audio canvas'.split(' '),
)
const outside = new Set(surroundings)
const shownMedia = 'img,video,svg,object,embed,input:not([type="hidden"]),select,textarea'
const busy =
  '[aria-busy="true"],[role="progressbar"],[class*="load" i],[class*="skelet" i],[class*="spinner" i],[class*="shimmer" i],[class*="lds-"],[class*="sk-"],[class*="placeholder-" i]'

const maxNodes = 5_000
const maxDepth = 400
const maxMatches = 200

const isShown = (element: Partial<Pick<Element, 'checkVisibility'>>): boolean =>
  element.checkVisibility?.({ visibilityProperty: true }) ?? true

function isLarge(element: Element, side: number): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width >= side && height >= side && isShown(element)
}

function some(selector: string, accept: (element: Element) => boolean): boolean {
  const found = document.querySelectorAll(selector)
  for (let index = 0; index < found.length && index < maxMatches; index += 1) {
    const element = found[index]
    if (element && accept(element)) return true
  }
  return false
}

const refresh = /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=)?\s*["']?([^"']+)/i

const isLeaving = (): boolean =>
  some('meta[http-equiv="refresh" i]', (meta) => {
    const [, seconds, address] = refresh.exec(meta.getAttribute('content') ?? '') ?? []
    if (address === undefined || Number(seconds) > 10) return false
    try {
      return new URL(address.trim(), document.baseURI).href !== location.href
    } catch {
      return false
    }
  })

interface Texts {
  /** Number of characters outside navigation, headers and footers, up to the limit. */
  main: number
  total: number
  nodes: number
  isLoading: boolean
}

function readText({ data }: Text, root: Element | ShadowRoot, isMain: boolean, read: Texts): void {
  const text = data.trim()
  if (text === '' || !isShown('host' in root ? root.host : root)) return
  read.total += text.length
  if (isMain) read.main += text.length
  if (text.length <= maxLoadingText && loadingText.test(text)) read.isLoading = true
}

function readTexts(root: Element | ShadowRoot, isMain: boolean, depth: number, read: Texts): void {
  if (depth > maxDepth) return
  let node = root.firstChild
  for (; node && read.main < enoughText && read.nodes < maxNodes; node = node.nextSibling) {
    read.nodes += 1
    if (node.nodeType === 3) readText(node as Text, root, isMain, read)
    if (node.nodeType !== 1) continue
    const element = node as Element
    if (silent.has(element.localName)) continue
    const isInner = isMain && !outside.has(element.localName)
    if (element.shadowRoot) readTexts(element.shadowRoot, isInner, depth + 1, read)
    readTexts(element, isInner, depth + 1, read)
  }
}

const isEmptyRoot = (element: Element): boolean =>
  (element.textContent ?? '').trim() === '' &&
  !element.shadowRoot &&
  !element.querySelector(`${shownMedia},canvas,iframe`)

function isBusy(element: Element): boolean {
  const isSign =
    element.getAttribute('aria-busy') === 'true' ||
    loadingClass.test(element.getAttribute('class') ?? '') ||
    element.getAttribute('role') === 'progressbar'
  return isSign && isShown(element)
}

const busyInMain = ['main', '[role="main"]']
  .map((main) => `${main}[aria-busy="true"],${main} [aria-busy="true"]`)
  .join(',')
const maxBusyText = 60

/** Returns whether the element is a part of the window that announces content and is still empty. */
function isBusyRegion(element: Element): boolean {
  if ((element.textContent ?? '').trim().length > maxBusyText || element.querySelector(shownMedia)) return false
  const { top, bottom } = element.getBoundingClientRect()
  return isLarge(element, 40) && top < innerHeight && bottom > 0
}

function kindOf({ main, total, isLoading }: Texts): PageState['kind'] {
  if (main >= enoughText) return some(busyInMain, isBusyRegion) ? 'busy' : 'done'
  if (isLeaving()) return 'leaving'
  if (isLoading || some(busy, isBusy)) return 'loading'
  const isApp = main < 60 && document.scripts.length > 0 && some(appRoots, isEmptyRoot)
  if (isApp) return total === 0 ? 'empty' : 'loading'
  if (some('iframe,frame', (frame) => isLarge(frame, 100))) return 'frames'
  if (total > 0 || some(shownMedia, (element) => isLarge(element, 8))) return 'done'
  return some('canvas', (canvas) => isLarge(canvas, 100)) ? 'canvas' : 'empty'
}

/** Reads the state of a page. Stops when enough text was found, so that the size of the page does not matter. */
export function readPageState(): PageState {
  const read: Texts = { main: 0, total: 0, nodes: 0, isLoading: false }
  const body: HTMLElement | null = document.body
  if (body) readTexts(body, true, 0, read)
  return { kind: kindOf(read), length: read.main }
}
