import { readSignals } from './signals.ts'
import type { Element } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

const enoughText = 200
const hardlyAnyText = 60
const silent = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg'])

/** Whether the page is the shell of one that scripts will draw: hardly any words, and scripts or a wish for them. */
export function isScriptShell(root: Element): boolean {
  const length = textLengthUpTo(root, enoughText)
  if (length >= enoughText) return false
  const { scripts, scriptLength, noscriptLength, emptyAppRoot, asksForScripts } = readSignals(root)
  if (noscriptLength >= enoughText || scripts + scriptLength === 0) return false
  return emptyAppRoot || asksForScripts || length < hardlyAnyText
}

/** Most pages have so many words in their first elements, and no more of them is looked at. */
function textLengthUpTo(root: Element, most: number): number {
  let length = 0
  for (let node = nextNode(root, root); node && length < most;) {
    const isSilent = node.type === 'element' && silent.has(node.name)
    if (node.type === 'text') length += node.text.trim().length
    node = nextNode(node, root, isSilent)
  }
  return length
}
