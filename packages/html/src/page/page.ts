import type { Content } from './content.ts'
import { inlineFrames, openShadowRoots, unreadFrames } from '../parse/iframes.ts'
import { findMainContent } from '../main-content/find-main-content.ts'
import { mayBeStreamed, placeStreamedParts } from '../main-content/streamed.ts'
import { isInNoscript } from '../parse/noscript.ts'
import { parseHtml } from '../parse/parse.ts'
import { compileSelector, isProblem, selectAll } from '../select/select.ts'
import { chooseTags } from '../select/tags.ts'
import type { Element, Node } from '../tree/tree.ts'
import { cloneTree, elementsOf, lineOf, nextNode, textOf } from '../tree/walk.ts'
import { cleanTree, mayHaveInvisible } from '../visible/characters.ts'
import type { HiddenMarks, Marked } from '../tree/hidden-marks.ts'
import type { HiddenReason } from '../visible/causes.ts'
import { nothingHidden, type ExplainLimits, type Hidden, type HiddenText } from '../visible/hidden-text.ts'
import { findHidden } from '../visible/hidden.ts'
import { findBase, resolveUrl, type Base } from '../addresses/urls.ts'
import { isUnseen } from '../visible/hidden-links.ts'
import type { PageTree } from './page-tree.ts'

/** Selects the part of a page that is its content. */
export interface ReadingScope {
  readonly onlyMainContent: boolean
  readonly includeTags: readonly string[]
  readonly excludeTags: readonly string[]
  /** Whether the HTML was generated from a file, such as a PDF, so that it has no scripts or menus. */
  readonly isFile?: boolean
}

/** The HTML of a page and its URL. */
export interface PageSource {
  readonly html: string
  readonly url: string
  /** Elements that a browser does not show. Absent to determine them from the HTML. */
  readonly hidden?: HiddenMarks | undefined
}

/** A page as the format readers see it. Shared results are computed once, on first use. */
export interface HtmlPage extends PageTree {
  readonly root: Element
  /** All elements below the root, in document order. */
  readonly elements: readonly Element[]
  readonly base: Base
  /** The requested part of the page. */
  readonly content: Content
  /** Whether the caller selected tags. */
  readonly isPart: boolean
  /** Whether the HTML was generated from a file. */
  readonly isFile: boolean
  /** Like `content`, but without the search for main content. */
  readonly fullContent: Content
  /** The page without invisible elements, except data such as JSON-LD and microdata. */
  readonly visible: Element
  /** Returns text that is invisible when the page opens, whether it was removed from the content or not. */
  hiddenText(limits: ExplainLimits): readonly HiddenText[]
  /** Returns whether nobody can see the link, and a crawl should not follow it. */
  isUnseen(link: Element): boolean
  /** Why nodes are invisible, without those that something on the page can show. */
  readonly hiddenReasons: ReadonlyMap<Node, HiddenReason>
  /** Nodes that are invisible when the page opens, also those that something on the page can show. */
  readonly closed: ReadonlySet<Node>
  readonly warnings: readonly string[]
}

/** Opens a page. It is parsed on first access to its tree. */
export function openPage(source: PageSource, scope: ReadingScope): HtmlPage {
  return new OpenPage(source, scope)
}

// A class, because V8 creates a permanent hidden class for every object literal with getters, which would keep whole
// trees alive until the next full garbage collection.
class OpenPage implements HtmlPage {
  readonly html: string
  readonly url: string
  readonly #scope: ReadingScope
  readonly #warnings = new Set<string>()
  #root: Element | undefined
  #elements: readonly Element[] | undefined
  #mayHaveNoscript = true
  #base: Base | undefined
  #chosen: Element | undefined
  #content: Content | undefined
  #full: Content | undefined
  #hidden: Hidden | undefined
  readonly #marks: HiddenMarks | undefined
  #marked: Marked | undefined

  constructor({ html, url, hidden }: PageSource, scope: ReadingScope) {
    this.html = html
    this.url = url
    this.#marks = hidden
    this.#scope = scope
  }

  get root(): Element {
    return (this.#root ??= this.#readTree())
  }

  get elements(): readonly Element[] {
    return (this.#elements ??= elementsOf(this.root))
  }

  get base(): Base {
    return (this.#base ??= findBase(this.elements, this.url))
  }

  get content(): Content {
    return (this.#content ??= this.#findContent())
  }

  get isPart(): boolean {
    return this.#scope.includeTags.length > 0 || this.#scope.excludeTags.length > 0
  }

  get isFile(): boolean {
    return this.#scope.isFile === true
  }

  get fullContent(): Content {
    return (this.#full ??= this.#findFull())
  }

  get visible(): Element {
    const { nodes } = this.#findHidden()
    if (nodes.size === 0) return this.root
    return cloneTree(this.root, new Set([...nodes].filter((node) => !holdsData(node))))
  }

  hiddenText(limits: ExplainLimits): readonly HiddenText[] {
    return this.#findHidden().explain(limits)
  }

  isUnseen(link: Element): boolean {
    const { nodes } = this.#findHidden()
    return nodes.size > 0 && isUnseen(link, nodes)
  }

  get hiddenReasons(): ReadonlyMap<Node, HiddenReason> {
    return this.#findHidden().reasons()
  }

  get closed(): ReadonlySet<Node> {
    return this.#findHidden().closed()
  }

  select(selector: string, within: Element = this.root): readonly Element[] {
    const compiled = compileSelector(selector)
    const found = isProblem(compiled) ? compiled : selectAll(compiled, within)
    if (isProblem(found)) throw new Error(found.problem)
    return found
  }

  textOf(node: Node): string {
    return lineOf(textOf(node))
  }

  resolve(href: string): string | undefined {
    return resolveUrl(href, this.base)
  }

  readonly warn = (sentence: string): void => {
    this.#warnings.add(sentence)
  }

  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  #readTree(): Element {
    const { root, has, warnings, marked } = parseHtml(this.html, {}, this.#marks)
    this.#marked = marked
    warnings.forEach(this.warn)
    if (has.frames) {
      inlineFrames(root, marked)
      this.#nameUnread(root)
    }
    if (has.templates) openShadowRoots(root)
    if (mayBeStreamed(this.html)) placeStreamedParts(root)
    if (mayHaveInvisible(this.html)) cleanTree(root)
    this.#mayHaveNoscript = has.noscript || has.frames
    return root
  }

  #nameUnread(root: Element): void {
    const elements = elementsOf(root)
    const frames = unreadFrames(elements, findBase(elements, this.url), this.url)
    if (frames.length > 0) this.warn(unread(frames))
  }

  #findHidden(): Hidden {
    // Sets the marks.
    this.#root ??= this.#readTree()
    return (this.#hidden ??= this.isFile ? nothingHidden : findHidden(this, this.#marked))
  }

  #choose(): Element {
    return (this.#chosen ??= this.isPart ? this.#choosePart() : this.root)
  }

  #choosePart(): Element {
    const { nodes } = this.#findHidden()
    if (nodes.size === 0) return chooseTags(this.root, this.#scope, this.warn)
    // Select from a copy without hidden nodes, because selected elements are copied and `nodes` would not match them.
    const problems: string[] = []
    const chosen = chooseTags(cloneTree(this.root, nodes), this.#scope, (problem) => problems.push(problem))
    // If only hidden elements match `includeTags`, the caller wants them.
    if (!chosen.first && this.#scope.includeTags.length > 0) return chooseTags(this.root, this.#scope, this.warn)
    problems.forEach(this.warn)
    return chosen
  }

  #findFull(): Content {
    const root = this.#choose()
    const noscript = this.#mayHaveNoscript && isInNoscript(root)
    return { root, removed: this.#findHidden().nodes, noscript, readsHidden: true }
  }

  #findContent(): Content {
    const { onlyMainContent, includeTags } = this.#scope
    // Callers that include tags have already chosen the content.
    if (!onlyMainContent || includeTags.length > 0) return this.fullContent
    return mainPart(this.#choose(), this.#findHidden().nodes, this.url, this.warn)
  }
}

const maxNamed = 3

function unread(frames: readonly string[]): string {
  const more = frames.length > maxNamed ? ` and ${frames.length - maxNamed} more` : ''
  const named = `${frames.slice(0, maxNamed).join(', ')}${more}`
  return `Frames of this site were not read: ${named}. Scrape their URLs, or set waitFor to read them with a browser.`
}

function mainPart(root: Element, hidden: ReadonlySet<Node>, url: string, warn: (sentence: string) => void): Content {
  const { removed, noscript, extraText, warning, explain } = findMainContent(root, url)
  if (warning !== undefined) warn(warning)
  const all = hidden.size === 0 ? removed : new Set([...removed, ...hidden])
  return { root, removed: all, noscript, readsHidden: true, explain, ...(extraText !== undefined && { extraText }) }
}

const dataNames = new Set(['script', 'meta', 'link'])

function holdsData(node: Node): boolean {
  for (let at: Node | null = node; at; at = node.type === 'element' ? nextNode(at, node) : null) {
    if (at.type === 'element' && (dataNames.has(at.name) || 'itemprop' in at.attributes)) return true
  }
  return false
}
