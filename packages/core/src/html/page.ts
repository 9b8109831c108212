import type { Content } from './content.ts'
import { inlineFrames, openShadowRoots } from './iframes.ts'
import { findMainContent } from './main-content/find-main-content.ts'
import { mayBeStreamed, placeStreamedParts } from './main-content/streamed.ts'
import { isInNoscript } from './noscript.ts'
import { parseHtml } from './parse.ts'
import { chooseTags } from './tags.ts'
import type { Element } from './tree.ts'
import { findBase, type Base } from './urls.ts'

/** Which part of a page is its content. */
export interface ReadingScope {
  readonly onlyMainContent: boolean
  readonly includeTags: readonly string[]
  readonly excludeTags: readonly string[]
}

/** A page as the readings see it. What they share is worked out once, when the first of them asks. */
export interface HtmlPage {
  readonly source: string
  readonly url: string
  readonly root: Element
  readonly base: Base
  /** The content that was asked for. */
  readonly content: Content
  /** The same without choosing a main part. */
  readonly whole: Content
  readonly warn: (sentence: string) => void
  readonly warnings: readonly string[]
}

export function openPage(source: { readonly html: string; readonly url: string }, scope: ReadingScope): HtmlPage {
  const { html, url } = source
  const warnings = new Set<string>()
  const warn = (sentence: string): void => {
    warnings.add(sentence)
  }
  const root = once(() => readTree(html, warn))
  const base = once(() => findBase(root(), url))
  const chosen = once(() => chooseTags(root(), scope, warn))
  const whole = once((): Content => {
    const root = chosen()
    return { root, removed: new Set(), noscript: isInNoscript(root), readsHidden: false }
  })
  // Who names the parts has chosen already.
  const isToFind = scope.onlyMainContent && scope.includeTags.length === 0
  const content = once(() => (isToFind ? mainPart(chosen(), url, warn) : whole()))
  return {
    source: html,
    url,
    get root() {
      return root()
    },
    get base() {
      return base()
    },
    get content() {
      return content()
    },
    get whole() {
      return whole()
    },
    warn,
    get warnings() {
      return [...warnings]
    },
  }
}

function readTree(html: string, warn: (sentence: string) => void): Element {
  const { root, warnings } = parseHtml(html)
  warnings.forEach(warn)
  if (html.includes('srcdoc')) inlineFrames(root)
  if (html.includes('shadowrootmode')) openShadowRoots(root)
  if (mayBeStreamed(html)) placeStreamedParts(root)
  return root
}

function mainPart(root: Element, url: string, warn: (sentence: string) => void): Content {
  const { removed, noscript, extraText, warning, explain } = findMainContent(root, url)
  if (warning !== undefined) warn(warning)
  return { root, removed, noscript, readsHidden: true, explain, ...(extraText !== undefined && { extraText }) }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
