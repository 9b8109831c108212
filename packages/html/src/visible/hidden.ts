// Finds hidden content, from the findings of a browser, or from attributes, inline styles and the page's own style sheets.
import { wordless } from '../parse/noscript.ts'
import type { Marked } from '../tree/hidden-marks.ts'
import type { Element, Node } from '../tree/tree.ts'
import { lineOf, nextNode } from '../tree/walk.ts'
import type { Group, Style } from './cascade.ts'
import { boxReason, fontSizeOf, isIndentedAway, shownBy, type HiddenReason } from './causes.ts'
import { mayHide } from './css.ts'
import { Declared } from './declared.ts'
import { controlsOf, hasVisibleNeighbor, isOpenable, type Controls } from './folded.ts'
import { addEmptyLinks } from './hidden-links.ts'
import { Findings, shown, type Inherited } from './marks.ts'
import { isRevealedByScript, namesHiddenImage, paywallOf, type Paywall } from './revealed.ts'

/** Why initially hidden text still counts as content. */
export type KeptReason =
  /** A control on the page opens it, such as a tab, button, menu or link. */
  | 'control'
  /** Scripts show it, on load or on scroll. */
  | 'script'
  /** Most of the page is hidden this way, so scripts probably show it. */
  | 'share'
  /** The page declares it as subscriber-only. */
  | 'paywall'
  /** It labels a link, a button or an image for screen readers. */
  | 'label'

/** Text that is invisible when the page opens. */
export interface HiddenText {
  readonly reason: HiddenReason
  /** Why it still counts as content. Absent if it was removed. */
  readonly kept?: KeptReason
  /** Its start, up to `maxText` characters. */
  readonly text: string
  /** Full length in characters. */
  readonly length: number
}

/** The hidden parts of a page. */
export interface Hidden {
  /** Nodes to skip, with all their descendants. */
  readonly nodes: ReadonlySet<Node>
  /** Lists hidden text: up to `maxItems` removed passages, then up to as many that still count as content. */
  readonly explain: (limits: ExplainLimits) => readonly HiddenText[]
  /** Returns why each node in `nodes` is hidden, and nodes that are kept only as labels for screen readers. */
  readonly reasons: () => ReadonlyMap<Node, HiddenReason>
  /** Returns the nodes that are invisible when the page opens: `nodes`, and those that a control or a script shows later. */
  readonly closed: () => ReadonlySet<Node>
}

export interface ExplainLimits {
  readonly maxItems: number
  /** Characters of each passage. */
  readonly maxText: number
}

export const nothingHidden: Hidden = {
  nodes: new Set(),
  explain: () => [],
  reasons: () => new Map(),
  closed: () => new Set(),
}

/** An element that hides text. */
interface Unit {
  readonly element: Element
  readonly reason: HiddenReason
  /** The hidden nodes: the element itself, or text nodes in it. */
  readonly nodes: Node[]
  /** Causes inherited from ancestors. */
  readonly above: Inherited
}

/** Number of characters by which repeated text is recognised. */
const maxStart = 200
/** Maximum number of rounds. Each round searches inside the elements that the previous one classified as content. */
const maxRounds = 12
/** Maximum number of hidden elements per round whose controls are searched. */
const maxUnits = 2_000

const worthReading = /\shidden|<dialog|<style|\sstyle\s*=/i

/** A page whose hidden nodes are searched. `elements` are all below the root. */
interface HidingPage {
  readonly root: Element
  readonly elements: readonly Element[]
  readonly html: string
}

/**
 * Finds the hidden nodes of a page. `marked`: the elements that a browser does not show, if one has examined the page. Without
 * them, the page's own styles decide, and a page whose source, `html`, has nothing that could hide text is not searched.
 */
export function findHidden(page: HidingPage, marked?: Marked): Hidden {
  if (!marked && !worthReading.test(page.html)) return nothingHidden
  const search = new Search(page, marked)
  search.run()
  addEmptyLinks(search.nodes)
  return search
}

/**
 * Finds hidden nodes from the body down, then decides in rounds which of them count as content after all, and searches
 * inside those again.
 */
class Search implements Hidden {
  readonly nodes = new Set<Node>()
  /** The findings of a browser. Without them, and in frames, the style sheets are searched. */
  readonly #found: Findings | undefined
  readonly #elements: readonly Element[]
  readonly #body: Element
  #declared: Declared | undefined
  readonly #units = new Map<Element, Unit>()
  /** Hidden elements that count as content, with the reason. */
  readonly #open = new Map<Element, KeptReason>()
  readonly #kept: Unit[] = []
  readonly #inherited = new Map<Element, Inherited>()
  #ignoresVisibility = false
  #controls: Controls | undefined
  #paywall: Paywall | undefined

  constructor({ root, elements }: HidingPage, marked: Marked | undefined) {
    this.#elements = elements
    this.#found = marked && new Findings(marked, this.#elements)
    this.#body = this.#elements.find(({ name }) => name === 'body') ?? root
  }

  get #styles(): Declared {
    return (this.#declared ??= new Declared(this.#elements))
  }

  /** Whether anything on the page can hide. */
  #mayHide(): boolean {
    if (this.#found) return !this.#found.isEmpty
    const { sheets, colors, inline } = this.#styles
    if (sheets.rules.mayHide || colors.mayHideByRule) return true
    for (const style of inline) if (mayHide(style) || colors.mayHideBy(style)) return true
    return this.#elements.some(({ name, attributes }) => name === 'dialog' || attributes['hidden'] !== undefined)
  }

  run(): void {
    if (!this.#mayHide()) return
    const html = this.#body.parent
    const above = html?.name === 'html' ? this.#inherit(html, shown, this.#isCandidate(html)) : shown
    this.#walk(this.#body, above)
    let total: number | undefined
    for (let round = 0; round < maxRounds && this.#units.size > 0; round++) {
      const units = [...this.#units.values()].slice(0, maxUnits)
      const opened: (readonly [Unit, KeptReason])[] = []
      const counts = countAlike(units)
      for (const unit of units) {
        const isRepeated = (counts.get(kindOf(unit)) ?? 0) >= fewestAlike
        const why = this.#whyKept(unit) ?? (isRepeated && this.#isFolded(unit) ? 'script' : undefined)
        if (why) opened.push([unit, why])
      }
      if (opened.length === 0) {
        total ??= countProse(this.#body)
        for (const unit of largeUnits(units, total)) opened.push([unit, 'share'])
      }
      if (opened.length === 0) return
      for (const [unit, why] of opened) this.#keep(unit, why)
      if (this.#ignoresVisibility) {
        for (const unit of this.#units.values()) if (unit.reason === 'visibility') this.#keep(unit, 'share')
      }
      for (const [{ element, above: inherited }] of opened) this.#walk(element, inherited)
    }
  }

  explain({ maxItems, maxText }: ExplainLimits): readonly HiddenText[] {
    const found: HiddenText[] = []
    const list = (units: Iterable<Unit>): void => {
      let count = 0
      for (const { element, reason, nodes } of units) {
        const text = lineOf(nodes.map(visibleText).join(' '))
        if (text === '') continue
        const kept = this.#open.get(element)
        found.push({ reason, ...(kept && { kept }), text: text.slice(0, maxText), length: text.length })
        if (++count === maxItems) return
      }
    }
    list(this.#units.values())
    list(this.#kept)
    return found
  }

  reasons(): ReadonlyMap<Node, HiddenReason> {
    const labels = this.#kept.filter(({ element }) => this.#open.get(element) === 'label')
    const all = [...this.#units.values(), ...labels]
    return new Map(all.flatMap(({ nodes, reason }) => nodes.map((node) => [node, reason] as const)))
  }

  closed(): ReadonlySet<Node> {
    const later = [...this.#open].flatMap(([element, why]) => (why === 'control' || why === 'script' ? [element] : []))
    return new Set([...this.nodes, ...later])
  }

  #keep(unit: Unit, why: KeptReason): void {
    // A rule such as `* { visibility: hidden }` would hide the next level again in each round.
    this.#ignoresVisibility ||= why === 'share' && unit.reason === 'visibility'
    this.#units.delete(unit.element)
    for (const node of unit.nodes) this.nodes.delete(node)
    this.#open.set(unit.element, why)
    this.#kept.push(unit)
  }

  /** Whether the element looks like one of several parts that a script opens, such as the answers of an FAQ. */
  #isFolded({ element, reason }: Unit): boolean {
    return !this.#open.has(element) && (reason === 'opacity' || hasVisibleNeighbor(element, this.nodes))
  }

  #whyKept({ element, reason }: Unit): KeptReason | undefined {
    if (this.#open.has(element)) return undefined
    this.#paywall ??= paywallOf(this.#elements)
    if (this.#paywall(element)) return 'paywall'
    const mark = this.#found?.of(element)
    const style = (): Style => this.#styles.sheets.styleOf(element, 'reveal')
    if (namesHiddenImage(element, reason, style, this.nodes, mark?.hasPicture)) return 'label'
    if (!foldable.has(reason)) return undefined
    if (mark?.isRevealed || isRevealedByScript(element, reason, style)) return 'script'
    const property = shownBy[reason]
    const ofSheets = property === undefined ? undefined : this.#styles.sheets.revealOf(element, property)
    const reveal = mark?.state === 'pointer' ? mark.state : (ofSheets ?? mark?.state)
    this.#controls ??= controlsOf(this.#elements)
    return isOpenable(element, this.#controls, this.nodes, reveal) ? 'control' : undefined
  }

  /** Adds the hidden nodes below an element to `nodes` and `#units`. */
  #walk(from: Element, start: Inherited): void {
    let node: Node | null = from
    while (node) {
      const above: Inherited = node === from ? start : (this.#inherited.get(node.parent!) ?? shown)
      let skip = false
      if (node.type === 'text') this.#visitText(node, above)
      else if (wordless.has(node.name)) skip = true
      else skip = this.#visitElement(node, above)
      node = nextNode(node, from, skip)
    }
  }

  #visitText(node: Node & { readonly type: 'text' }, above: Inherited): void {
    if (above === shown || this.nodes.has(node) || !/\S/.test(node.text)) return
    if (above.visibility) this.#hide(above.visibility, 'visibility', node)
    else if (above.size) this.#hide(above.size, 'font-size', node)
    else if (above.indent) this.#hide(above.indent, 'indent', node)
    else if (above.color) this.#hide(above.color, 'color', node)
  }

  #visitElement(element: Element, above: Inherited): boolean {
    const isCandidate = this.#isCandidate(element)
    const reason = this.#open.has(element) ? undefined : this.#reasonOf(element, isCandidate)
    if (reason) {
      if (!isOnlyMath(element)) this.#hide(element, reason, element, above)
      return true
    }
    const own = this.#inherit(element, above, isCandidate)
    if (own !== shown) this.#inherited.set(element, own)
    else if (this.#inherited.size > 0) this.#inherited.delete(element)
    if (own.visibility && element.name === 'img') this.#hide(own.visibility, 'visibility', element)
    return false
  }

  #hide(element: Element, reason: HiddenReason, node: Node, above = shown): void {
    let unit = this.#units.get(element)
    if (!unit) {
      const outer = node === element ? above : (this.#inherited.get(element.parent!) ?? shown)
      this.#units.set(element, (unit = { element, reason, nodes: [], above: outer }))
    }
    if (this.nodes.has(node)) return
    unit.nodes.push(node)
    this.nodes.add(node)
  }

  /** Whether any declaration could hide the element. If not, its full style is not computed. */
  #isCandidate(element: Element): boolean {
    if (this.#found?.covers(element)) return false
    const { style } = element.attributes
    return (style !== undefined && mayHide(style)) || this.#styles.sheets.applies(mayHide, element)
  }

  #reasonOf(element: Element, isCandidate: boolean): HiddenReason | undefined {
    const { attributes, name } = element
    if (this.#found?.covers(element)) return this.#found.boxReason(element)
    if (name === 'dialog' && attributes['open'] === undefined) return 'dialog'
    const isHidden = attributes['hidden'] !== undefined && attributes['hidden'] !== 'until-found'
    if (!isHidden && !isCandidate) return undefined
    let reason: HiddenReason | undefined
    let last: Style | undefined
    for (let screen = 0; screen < this.#styles.screens; screen++) {
      const style = this.#styles.sheets.styleOf(element, 'box', screen)
      if (style === last) continue
      reason = isHidden && !style.has('display') ? 'display' : boxReason(style)
      if (!reason) return undefined
      last = style
    }
    return reason
  }

  #inherit(element: Element, above: Inherited, isCandidate: boolean): Inherited {
    if (this.#found?.covers(element)) {
      const own = this.#found.inherit(element, above, this.#open.has(element))
      return own.visibility && this.#ignoresVisibility ? shown : own
    }
    const mayHaveColor = this.#styles.colors.mayHide(element)
    if (above === shown && !mayHaveColor && !isCandidate) return above
    const isOpen = this.#open.has(element)
    const next = (group: Group, known: Element | undefined, hides: (style: Style) => boolean | undefined) => {
      if (known ? !this.#styles.sheets.declares(element, group) : !isCandidate) return isOpen ? undefined : known
      let all = true
      for (let screen = 0; screen < this.#styles.screens; screen++) {
        const own = hides(this.#styles.sheets.styleOf(element, group, screen))
        if (own === false) return undefined
        all &&= own === true
      }
      return isOpen ? undefined : all ? (known ?? element) : known
    }
    const visibility = this.#ignoresVisibility ? undefined : next('visibility', above.visibility, isInvisible)
    const size = next('font-size', above.size, hasNoSize)
    const indent = next('indent', above.indent, (style) =>
      style.has('text-indent') ? isIndentedAway(style) : undefined,
    )
    const isColored = mayHaveColor || above.color ? this.#styles.colors.isHidden(element) : false
    if (!visibility && !size && !indent && !isColored) return shown
    return { visibility, size, indent, color: isColored ? (above.color ?? element) : undefined }
  }
}

function isInvisible(style: Style): boolean | undefined {
  const value = style.get('visibility')
  if (value === undefined || value === 'inherit' || value === 'unset') return undefined
  return value === 'hidden' || value === 'collapse'
}

function hasNoSize(style: Style): boolean | undefined {
  const size = fontSizeOf(style)
  return size === undefined || size === 'relative' ? undefined : size === 'none'
}

function visibleText(node: Node): string {
  if (node.type === 'text') return node.text
  const texts: string[] = []
  for (let at = nextNode(node, node); at;) {
    const skip = at.type === 'element' && wordless.has(at.name)
    if (at.type === 'text') texts.push(at.text)
    at = nextNode(at, node, skip)
  }
  return texts.join(' ')
}

/** From this many characters, hidden prose counts as main content rather than as a note. */
const enough = 1_500
/** With fewer characters of visible prose, a page counts as empty. */
const fewest = 150

const noProse = new Set(['a', 'nav', 'header', 'footer', 'button', 'form', ...wordless])

/** Returns the number of characters outside links, menus and forms. */
function countProse(root: Node): number {
  if (root.type === 'text') return root.text.trim().length
  let length = 0
  let node: Node | null = root
  while (node) {
    const skip = node.type === 'element' && noProse.has(node.name)
    if (node.type === 'text') length += node.text.trim().length
    node = nextNode(node, root, skip)
  }
  return length
}

function isProse(node: Node): boolean {
  if (node.type === 'element') return true
  for (let at = node.parent; at; at = at.parent) if (noProse.has(at.name)) return false
  return true
}

/**
 * Returns the hidden element with the most prose, and all others of its kind, if the page shows little else. Scripts probably
 * show them after loading, although nothing in the source indicates it. Without this rule, such pages would be empty.
 */
function largeUnits(units: readonly Unit[], total: number): readonly Unit[] {
  const lengths = new Map<Unit, number>()
  let hidden = 0
  for (const unit of units) {
    let length = 0
    for (const node of unit.nodes) if (isProse(node)) length += countProse(node)
    hidden += length
    if (foldable.has(unit.reason)) lengths.set(unit, length)
  }
  let folded = 0
  for (const length of lengths.values()) folded += length
  const visible = total - hidden
  if (visible < fewest ? folded <= visible * 3 : folded < enough || folded * 2 < total) return []
  const [largest] = [...lengths].reduce((a, b) => (b[1] > a[1] ? b : a))
  return [...lengths.keys()].filter((unit) => unit === largest || isLike(unit, largest))
}

const isLike = (one: Unit, other: Unit): boolean => kindOf(one) === kindOf(other)

/** Identifies elements with the same tag and class that are hidden in the same way. */
const kindOf = ({ reason, element }: Unit): string => `${reason} ${element.name} ${element.attributes['class'] ?? ''}`

/** Minimum number of hidden elements of one kind from which a script is assumed to open them. */
const fewestAlike = 3
/** Minimum number of characters of such an element. */
const fewestFolded = 20
const alikeReasons: ReadonlySet<HiddenReason> = new Set(['display', 'visibility', 'opacity', 'size'])

/** Returns the number of hidden elements with distinct text, by kind. */
function countAlike(units: readonly Unit[]): ReadonlyMap<string, number> {
  const starts = new Map<string, Set<string>>()
  for (const unit of units) {
    if (!alikeReasons.has(unit.reason) || unit.element.attributes['class'] === undefined) continue
    const text = lineOf(unit.nodes.map(visibleText).join(' '))
    if (text.length < fewestFolded) continue
    const kind = kindOf(unit)
    const known = starts.get(kind)
    if (known) known.add(text.slice(0, maxStart))
    else starts.set(kind, new Set([text.slice(0, maxStart)]))
  }
  return new Map([...starts].map(([kind, texts]) => [kind, texts.size]))
}

/** Ways to hide content that visitors can open. */
const foldable: ReadonlySet<HiddenReason> = new Set(['display', 'visibility', 'opacity', 'size', 'position', 'dialog'])

/** Whether the element contains only MathML. It is the source of a formula that the page shows as an image. */
function isOnlyMath(element: Element): boolean {
  let hasMath = false
  let node = nextNode(element, element)
  while (node) {
    const isMath = node.type === 'element' && node.name === 'math'
    hasMath ||= isMath
    if (node.type === 'text' && node.text.trim() !== '') return false
    node = nextNode(node, element, isMath)
  }
  return hasMath
}
