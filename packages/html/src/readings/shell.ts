import { enoughText, loadingClass, loadingText, maxLoadingText, surroundings } from './loading.ts'
import { readSignals } from './signals.ts'
import { isContentFrame } from '../parse/iframes.ts'
import type { Element } from '../tree/tree.ts'
import { elementsOf, nextNode } from '../tree/walk.ts'

/** Why a page's content is not in its HTML: scripts render it, or it is in frames. */
export type ShellReason = 'scripts' | 'frames'

const hardlyAnyText = 60
const silent = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg'])
const outside = new Set(surroundings)

/** Returns why the page's content is missing from its HTML, or `null` if it is not. */
export function whyShell(root: Element): ShellReason | null {
  const { main, total } = readText(root)
  if (main >= enoughText) return null
  const { scripts, scriptLength, noscriptLength, emptyAppRoot, asksForScripts } = readSignals(root)
  const hasScripts = scripts + scriptLength > 0
  if (noscriptLength < enoughText && hasScripts) {
    if (emptyAppRoot || hasLoadingMark(root) || hasLoadingText(root)) return 'scripts'
    if (total < enoughText && (asksForScripts || total < hardlyAnyText)) return 'scripts'
  }
  return hasContentFrame(root) ? 'frames' : null
}

interface ShownText {
  /** Characters outside of navigation, headers and footers, up to `enoughText`. */
  readonly main: number
  readonly total: number
}

/** Counts the visible characters. Stops at `enoughText` of main text, on most pages after a few elements. */
function readText(root: Element): ShownText {
  let [main, total] = [0, 0]
  let around: Element | null = null
  for (let node = nextNode(root, root); node && main < enoughText;) {
    const isSilent = node.type === 'element' && silent.has(node.name)
    if (node.type === 'text') {
      const text = node.text.trim()
      total += text.length
      if (around && !isWithin(node.parent, around)) around = null
      if (!around) main += text.length
    } else if (!isSilent && outside.has(node.name) && !(around && isWithin(node, around))) around = node
    node = nextNode(node, root, isSilent)
  }
  return { main, total }
}

function isWithin(element: Element | null, outer: Element): boolean {
  for (let at = element; at; at = at.parent) if (at === outer) return true
  return false
}

function hasLoadingText(root: Element): boolean {
  for (let node = nextNode(root, root); node;) {
    if (node.type === 'text') {
      const text = node.text.trim()
      if (text !== '' && text.length <= maxLoadingText && loadingText.test(text)) return true
    }
    node = nextNode(node, root, node.type === 'element' && silent.has(node.name))
  }
  return false
}

function hasLoadingMark(root: Element): boolean {
  for (const { attributes } of elementsOf(root)) {
    if (attributes['aria-busy'] === 'true' || loadingClass.test(attributes['class'] ?? '')) return true
  }
  return false
}

function hasContentFrame(root: Element): boolean {
  for (const element of elementsOf(root)) if (isContentFrame(element)) return true
  return false
}
