import { countText } from '../parse/noscript.ts'
import { appRootIds } from './loading.ts'
import type { Element } from '../tree/tree.ts'
import { elementsOf, textOf } from '../tree/walk.ts'

/**
 * Statistics that distinguish a page with content from one that scripts still have to render. Lengths are in
 * characters.
 */
export interface Signals {
  /** Of inline scripts. */
  readonly scriptLength: number
  /** Number of external scripts. */
  readonly scripts: number
  readonly noscriptLength: number
  readonly elements: number
  readonly links: number
  /** Whether an element that frameworks render into is empty or contains no text. */
  readonly emptyAppRoot: boolean
  /** Whether the page asks to enable JavaScript. */
  readonly asksForScripts: boolean
  /** Milliseconds until a redirect by `<meta http-equiv=refresh>`. */
  readonly refresh: number | null
}

const appRoots = new Set(appRootIds)
const appTags = new Set(['app-root', 'my-app', 'ng-app'])
const request =
  /\b(?:enable|activate|turn on|requires?|needs?|aktivieren|activer|habilit\w*|включ\w*)\b.{0,40}\bjavascript\b|\bjavascript\b.{0,40}\b(?:enabled?|required|disabled|aktivier\w*|erforderlich|activ\w*|habilit\w*|включ\w*)/i
const maxNoticeLength = 2_000
// Limit, as counting text takes time in proportion to the element's size, and these elements can be nested.
const maxAppRoots = 10

/** Counts what indicates that scripts render the page: scripts, empty app containers, notices to enable scripts. */
export function readSignals(root: Element): Signals {
  const found = { scriptLength: 0, scripts: 0, noscriptLength: 0, elements: 0, links: 0 }
  let emptyAppRoot = false
  let appRootsSeen = 0
  let notice = ''
  let refresh: number | null = null
  for (const element of elementsOf(root)) {
    const { name, attributes } = element
    found.elements++
    if (name === 'script') {
      if (attributes['src']) found.scripts++
      else found.scriptLength += textOf(element).length
    } else if (name === 'noscript') {
      found.noscriptLength += countText(element)
      if (notice.length < maxNoticeLength) notice += ` ${textOf(element).slice(0, maxNoticeLength)}`
    } else if (name === 'a' && attributes['href']) found.links++
    else if (name === 'meta' && /^refresh$/i.test(attributes['http-equiv'] ?? ''))
      refresh ??= readRefresh(attributes['content'])
    if (isAppRoot(element) && appRootsSeen++ < maxAppRoots && countText(element) === 0) emptyAppRoot = true
  }
  const textLength = countText(root)
  if (textLength < maxNoticeLength) notice += ` ${textOf(root).slice(0, maxNoticeLength)}`
  return { ...found, emptyAppRoot, asksForScripts: request.test(notice), refresh }
}

function isAppRoot({ name, attributes }: Element): boolean {
  return (
    appTags.has(name) ||
    appRoots.has(attributes['id'] ?? '') ||
    'data-reactroot' in attributes ||
    'ng-app' in attributes
  )
}

function readRefresh(content: string | undefined): number | null {
  const seconds = Number.parseFloat(content ?? '')
  return seconds >= 0 ? seconds * 1000 : null
}
